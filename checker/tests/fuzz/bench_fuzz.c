/* What make bench and make plot read: a record (bench.json) down to its tables and to gnuplot's script; and,
 * where the input does not begin as JSON does, the lines about the machine and the sources that go into a
 * record.
 *
 * gnuplot runs commands that stand in its script between backquotes: no text of a record may get one in
 * there. */
#include "base/memory.h"
#include "count_table.h"
#include "document.h"
#include "figures.h"
#include "fuzz.h"
#include "panel_script.h"
#include "time_table.h"
#include "two_runs.h"

/* In place of the one that runs gnuplot (benchmarks/figure.c): writes the script and looks at it. */
char *figure_draw(const struct figure *figure, const char *path_stem) {
    char *script = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&script, &bytes);
    must(out != NULL);
    figure_write(out, figure, "pngcairo", path_stem);
    fclose(out);
    bool quoted = false;
    for (size_t i = 0; i < bytes; i++) {
        must(script[i] != '`' && (script[i] == '\n' || (script[i] >= ' ' && script[i] <= '~')));
        must(script[i] != '\\' || script[i + 1] == 'n');
        must(script[i] != '\n' || !quoted);
        quoted ^= script[i] == '"';
    }
    free(script);
    return NULL;
}

static void print(const json_t *document) {
    char *table = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&table, &bytes);
    must(out != NULL);
    count_table_print(out, document);
    time_table_print(out, document);
    fclose(out);
    free(table);
}

/* Beside a record that is known, as make agree and the overlay lay two beside each other. */
static void compare(const json_t *document) {
    static json_t *known;
    char *trouble = NULL;
    if (known == NULL)
        known = document_read("benchmarks/tests/times.json", &trouble);
    must(known != NULL);
    free(two_runs_refuse(document, known));
    const json_t *const pairs[][2] = {{document, document}, {document, known}, {known, document}};
    for (int i = 0; i < 3; i++) {
        const struct two_runs runs = two_runs_compare(pairs[i][0], pairs[i][1]);
        must(runs.within >= 0 && runs.within <= runs.compared);
        char *printed = NULL;
        size_t bytes = 0;
        FILE *out = open_memstream(&printed, &bytes);
        must(out != NULL);
        two_runs_print_differences(out, pairs[i][0], pairs[i][1]);
        two_runs_print(out, &runs);
        fclose(out);
        for (size_t k = 0; k < bytes; k++)
            must(printed[k] == '\n' || (printed[k] >= ' ' && printed[k] <= '~'));
        free(printed);
        free(figure_of_two(pairs[i][0], pairs[i][1], "folder"));
    }
}

static void read_record(const uint8_t *data, size_t size) {
    char *trouble = NULL;
    json_t *document = document_read(fuzz_file(data, size), &trouble);
    must((document == NULL) == (trouble != NULL));
    free(trouble);
    if (document == NULL)
        return;
    print(document);
    free(figure_of_counts(document, document, document, "folder", "counts"));
    free(figure_of_times(document, "warm", "folder"));
    free(figure_of_times(document, "cold", "folder"));
    free(figure_of_speedup(document, "folder"));
    free(figure_of_share(document, "folder"));
    compare(document);
    json_decref(document);
}

static void read_lines(const uint8_t *data, size_t size) {
    const char *path = fuzz_file(data, size);
    const struct settings settings = {.exercise = bench_exercise_find("split_softmax"),
                                      .implementation = "exercise",
                                      .command = "",
                                      .sources = path,
                                      .environment = path};
    json_t *document = document_new(&settings, "counts", "simulator");
    must(document != NULL);
    json_decref(document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0 && data[0] == '{')
        read_record(data, size);
    else
        read_lines(data, size);
    return 0;
}
