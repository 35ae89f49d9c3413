/* The table of counts (see count_table.h): a block of lines for each shape and type. */
#include "count_table.h"
#include "document.h"
#include <stdlib.h>
#include <string.h>

/* "512", "63.5 K", "2.10 M": short enough for a column, exact enough to compare. */
static void print_count(FILE *out, int width, double count) {
    char text[32];
    if (count < 100000)
        snprintf(text, sizeof text, "%.0f", count);
    else if (count < 1e6)
        snprintf(text, sizeof text, "%.4g K", count / 1e3);
    else
        snprintf(text, sizeof text, "%.4g M", count / 1e6);
    fprintf(out, " %*s", width, text);
}

static void print_variant(FILE *out, const json_t *variant) {
    const json_t *counts = json_object_get(variant, "counts");
    fprintf(out, "  %-8s", text_in(variant, "name"));
    if (counts == NULL) {
        const char *status = text_in(variant, "status");
        fprintf(out, " %s\n", strcmp(status, "todo") == 0 ? "not written yet" : text_in(variant, "reason"));
        return;
    }
    print_count(out, 8, number_in(counts, "launches"));
    print_count(out, 8, number_in(counts, "most_blocks"));
    print_count(out, 9, number_in(counts, "partials"));
    print_count(out, 10, number_in(counts, "scratch_bytes"));
    print_count(out, 10, number_in(counts, "scratch_traffic"));
    fprintf(out, " %9.3f %9.3f", number_in(counts, "bytes_over_minimum"),
            number_in(counts, "sectors_over_minimum"));
    print_count(out, 9, number_in(counts, "barriers"));
    print_count(out, 9, number_in(counts, "shuffles"));
    fprintf(out, "\n");
}

static void print_heads(FILE *out, const char *const head[10]) {
    static const int width[10] = {-8, 8, 8, 9, 10, 10, 9, 9, 9, 9};
    fprintf(out, " ");
    for (int i = 0; i < 10; i++)
        fprintf(out, " %*s", width[i], head[i]);
    fprintf(out, "\n");
}

void count_table_print(FILE *out, const json_t *document) {
    const json_t *of_case, *variant;
    size_t i, j;
    json_array_foreach(json_object_get(document, "cases"), i, of_case) {
        char *shape = shape_words(of_case);
        fprintf(out, "\n%s %s   at least %.0f bytes: x read once, y written once\n", shape,
                text_in(of_case, "type"), number_in(of_case, "contract_bytes"));
        free(shape);
        print_heads(out, (const char *const[]){"", "launches", "blocks", "partials", "scratch", "scratch",
                                               "bytes /", "sectors /", "barriers", "shuffles"});
        print_heads(out, (const char *const[]){text_in(document, "parameter"), "", "at once", "", "bytes",
                                               "moved", "least", "least", "", ""});
        json_array_foreach(json_object_get(of_case, "variants"), j, variant) {
            print_variant(out, variant);
        }
    }
}
