/* The table of times (see time_table.h): a block of lines for each shape and type, and a sentence that says
 * which value of the parameter won. */
#include "time_table.h"
#include "document.h"
#include <stdlib.h>
#include <string.h>

static void print_time(FILE *out, const json_t *time) {
    if (time)
        fprintf(out, " %8.2f", number_in(time, "median"));
    else
        fprintf(out, " %8s", "-");
}

/* The modes without times of a variant that has some. */
static void print_left_out(FILE *out, const json_t *variant) {
    const json_t *mode;
    size_t i;
    json_array_foreach(json_object_get(variant, "left_out"), i, mode) {
        fprintf(out, "  %-12s no %s %s: %s\n", "", text_in(mode, "mode"), text_in(mode, "cache"),
                text_in(mode, "reason"));
    }
}

static void print_variant(FILE *out, const json_t *variant) {
    const json_t *warm = time_of(variant, "graph", "warm");
    fprintf(out, "  %-12s", text_in(variant, "name"));
    if (warm == NULL) {
        fprintf(out, " %s: %s\n", text_in(variant, "status"), text_in(variant, "reason"));
        print_left_out(out, variant);
        return;
    }
    print_time(out, warm);
    fprintf(out, " %7.2f..%-8.2f", number_in(warm, "min"), number_in(warm, "max"));
    print_time(out, time_of(variant, "graph", "cold"));
    print_time(out, time_of(variant, "stream", "warm"));
    print_time(out, json_object_get(variant, "host_us"));
    if (strcmp(text_in(variant, "name"), "empty kernel") != 0)
        fprintf(out, " %8.0f %8.0f%%", number_in(warm, "gb_per_second"),
                100 * number_in(warm, "share_of_copy"));
    else
        fprintf(out, " %8s %9s", "", "");
    if (json_object_get(variant, "launches"))
        fprintf(out, " %8.0f %9.0f", number_in(variant, "launches"), number_in(variant, "scratch_bytes"));
    else
        fprintf(out, " %8s %9s", "", "");
    fprintf(out, " %9.1e\n", number_in(variant, "error"));
    print_left_out(out, variant);
}

/* The fastest of the submission's, and those that are not told apart from it. */
static void print_winner(FILE *out, const json_t *of_case, const char *cache) {
    const json_t *best = NULL, *variant, *comparison;
    size_t i;
    int others = 0;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        const json_t *time = time_of(variant, "graph", cache);
        if (strcmp(text_in(variant, "role"), "submission") == 0 && time &&
            (best == NULL || number_in(time, "median") < number_in(time_of(best, "graph", cache), "median")))
            best = variant;
    }
    if (best == NULL)
        return;
    fprintf(out, "  L2 %s: %s is the fastest", cache, text_in(best, "name"));
    json_array_foreach(json_object_get(of_case, "comparisons"), i, comparison) {
        const bool first = strcmp(text_in(comparison, "a"), text_in(best, "name")) == 0,
                   second = strcmp(text_in(comparison, "b"), text_in(best, "name")) == 0;
        const char *other = text_in(comparison, first ? "b" : "a"), *is = text_in(comparison, "a_is");
        const json_t *of_other = variant_named(of_case, other);
        if ((!first && !second) || strcmp(text_in(comparison, "cache"), cache) != 0 || of_other == NULL ||
            strcmp(text_in(of_other, "role"), "submission") != 0)
            continue;
        if (strcmp(is, "the same") == 0 || strcmp(is, "cannot tell") == 0)
            fprintf(out, "%s %s%s", others++ ? "," : "; not told apart from it:", other,
                    strcmp(is, "the same") == 0 ? " (the same within 2%)" : " (cannot tell)");
    }
    fprintf(out, ".\n");
}

void time_table_print(FILE *out, const json_t *document) {
    const json_t *of_case, *variant;
    size_t i, j;
    fprintf(
        out,
        "\nMicroseconds for one call, medians. warm, cold: calls in a replayed CUDA graph, by the state "
        "of the L2; stream: plain\ncalls, issued ahead of the device; host: what issuing one took the host. "
        "That is this machine's more than your code's,\nand repeats badly.\n");
    json_array_foreach(json_object_get(document, "cases"), i, of_case) {
        char *shape = shape_words(of_case);
        fprintf(out, "\n%s %s   %.0f calls over %.0f inputs; they %s L2\n", shape, text_in(of_case, "type"),
                number_in(of_case, "calls_in_a_sample"), number_in(of_case, "slots"),
                json_is_true(json_object_get(of_case, "set_fits_l2")) ? "fit" : "do not fit");
        free(shape);
        fprintf(out, "  %-12s %8s %17s %8s %8s %8s %8s %9s %8s %9s %9s\n", text_in(document, "parameter"),
                "warm", "min..max     ", "cold", "stream", "host", "GB/s", "of copy", "launches", "scratch",
                "error");
        json_array_foreach(json_object_get(of_case, "variants"), j, variant) {
            print_variant(out, variant);
        }
        print_winner(out, of_case, "warm");
        print_winner(out, of_case, "cold");
    }
}
