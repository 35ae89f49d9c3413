/* The files of make mutants. The first byte says which: r, the reasons (equivalent.txt); t, a record, printed
 * as a table; else the results of a run, of which the record is made. */
#include "fuzz.h"
#include "mutants/reasons.h"
#include "mutants/record.h"
#include "mutants/table.h"

static void read_reasons(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    struct reasons reasons;
    int line;
    if (reasons_parse(text, &reasons, &line) == NULL)
        for (size_t i = 0; i < reasons.count; i++)
            must(reasons_find(&reasons, reasons.items[i].file, reasons.items[i].before,
                              reasons.items[i].after));
    reasons_free(&reasons);
    free(text);
}

/* The file that a line names has to exist, or the program ends: so the first field picks one of two. */
static void read_results(const uint8_t *data, size_t size) {
    char *named = NULL, *text = fuzz_text(data, size);
    size_t named_bytes;
    FILE *file = open_memstream(&named, &named_bytes);
    must(file != NULL);
    for (char *next = text, *line; (line = strsep(&next, "\n"));)
        fprintf(file, "%s%s\n",
                *line == '\0'  ? ""
                : *line == 'k' ? "split_softmax.cu"
                               : "split_softmax.c",
                line + strcspn(line, "\t"));
    fclose(file);
    record_write("split_softmax", "solutions/split_softmax", 1, fuzz_file(named, named_bytes), "/dev/null");
    free(named);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0 && data[0] == 'r')
        read_reasons(data + 1, size - 1);
    else if (size > 0 && data[0] == 't')
        table_print((char *[]){(char *)fuzz_file(data + 1, size - 1)}, 1);
    else
        read_results(data, size);
    return 0;
}
