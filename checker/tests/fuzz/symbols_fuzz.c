/* What addr2line prints, down to the student's line that is quoted. The input is its output. */
#include "check/source_lines.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct symbols *symbols;
    if (symbols == NULL)
        symbols = symbols_open("submission.so", "solutions/fused_softmax/");
    FILE *lines = fopen(fuzz_file(data, size), "r");
    must(lines != NULL);
    struct source_line line = symbols_read(symbols, lines);
    fclose(lines);
    for (const char *at = line.where; *at; at++)
        must(*at >= ' ' || *at == '\t' || *at == '\n');
    must(line.quote != NULL && strchr(line.quote, '\n') == NULL);
    free(line.where);
    free(line.quote);
    free(line.from);
    return 0;
}
