/* The table of counts (see count_table.h): a block of lines for each shape and type. */
#include "count_table.h"
#include "base/memory.h"
#include "document.h"
#include "report/report.h"
#include <stdlib.h>
#include <string.h>

enum { MULTIPROCESSORS = 132 /* of an H200 */ };

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

static void print_heads(FILE *out, int names, const char *const head[10]) {
    const int width[10] = {-names, 8, 8, 9, 10, 10, 9, 9, 9, 9};
    fprintf(out, " ");
    for (int i = 0; i < 10; i++)
        fprintf(out, " %*s", width[i], head[i]);
    fprintf(out, "\n");
}

/* The rows of a case, each without its name, and the names of those that agree. */
struct rows {
    char *text[MOST_PARAMETERS], *names[MOST_PARAMETERS];
    int count;
};

static struct rows rows_of(const json_t *of_case) {
    struct rows rows = {.count = 0};
    const json_t *variant;
    size_t i;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        print_variant(out, variant);
        fclose(out);
        const int last = rows.count - 1;
        if (last >= 0 && strcmp(rows.text[last], text) == 0) {
            char *names = format_text("%s, %s", rows.names[last], text_in(variant, "name"));
            free(rows.names[last]);
            rows.names[last] = names;
            free(text);
        } else if (rows.count < MOST_PARAMETERS) {
            rows.names[rows.count] = copy_text(text_in(variant, "name"));
            rows.text[rows.count++] = text;
        } else
            free(text);
    }
    return rows;
}

static void rows_free(struct rows *rows) {
    for (int i = 0; i < rows->count; i++) {
        free(rows->text[i]);
        free(rows->names[i]);
    }
}

static bool same_rows(const struct rows *a, const struct rows *b) {
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = strcmp(a->text[i], b->text[i]) == 0 && strcmp(a->names[i], b->names[i]) == 0;
    return same;
}

static bool same_shape(const json_t *a, const json_t *b) {
    return number_in(a, "rows") == number_in(b, "rows") && number_in(a, "cols") == number_in(b, "cols");
}

/* Types whose numbers agree stand in one block: "FP16, BF16". */
static char *types_words(const json_t *cases, size_t first, const struct rows *rows, size_t *end) {
    const json_t *of_case = json_array_get(cases, first);
    char *words = copy_text(text_in(of_case, "type"));
    for (*end = first + 1; *end < json_array_size(cases); ++*end) {
        const json_t *next = json_array_get(cases, *end);
        struct rows others = rows_of(next);
        const bool same = same_shape(of_case, next) && same_rows(rows, &others);
        rows_free(&others);
        if (!same)
            break;
        char *longer = format_text("%s, %s", words, text_in(next, "type"));
        free(words);
        words = longer;
    }
    return words;
}

static int name_width(const struct rows *rows, const char *parameter) {
    int width = (int)strlen(parameter);
    for (int i = 0; i < rows->count; i++)
        width = (int)strlen(rows->names[i]) > width ? (int)strlen(rows->names[i]) : width;
    return width;
}

/* ---- which value, by the counts ---- */

static double fewest_blocks(const json_t *counts) {
    const json_t *kernel, *kernels = json_object_get(counts, "kernels");
    size_t i;
    double fewest = number_in(counts, "most_blocks");
    json_array_foreach(kernels, i, kernel) {
        const bool is_merge = i > 0 && i + 1 < json_array_size(kernels); /* it has little to do */
        if (!is_merge && number_in(kernel, "blocks") < fewest)
            fewest = number_in(kernel, "blocks");
    }
    return fewest;
}

/* What a variant is chosen by: work for each multiprocessor first, then the sectors that memory has to bring. */
static bool is_better(const json_t *counts, const json_t *than) {
    const double blocks = fewest_blocks(counts), others = fewest_blocks(than);
    const bool full = blocks >= MULTIPROCESSORS, others_full = others >= MULTIPROCESSORS;
    if (full != others_full)
        return full;
    if (!full && blocks != others)
        return blocks > others;
    return number_in(counts, "sectors_over_minimum") < number_in(than, "sectors_over_minimum") * 0.999;
}

/* What the counts say of a shape, without its name; from malloc, or null where there is nothing to choose. */
static char *choice_words(const json_t *of_case) {
    const json_t *variant, *best = NULL;
    size_t i;
    int told = 0, equal = 0;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        const json_t *counts = json_object_get(variant, "counts");
        if (counts == NULL)
            continue;
        told++;
        if (best == NULL || is_better(counts, json_object_get(best, "counts"))) {
            best = variant;
            equal = 1;
        } else
            equal += !is_better(json_object_get(best, "counts"), counts);
    }
    if (told < 2)
        return NULL;
    const json_t *counts = json_object_get(best, "counts");
    const double blocks = fewest_blocks(counts), memory = number_in(counts, "sectors_over_minimum");
    if (equal > 1)
        return format_text("the counts do not tell %d of the %d values apart; only times can.", equal, told);
    if (blocks >= MULTIPROCESSORS)
        return format_text(
            "by the counts %s. Of the values that give each of an H200's %d multiprocessors a block it moves "
            "the least memory: %.3f times x and y, in sectors.",
            text_in(best, "name"), (int)MULTIPROCESSORS, memory);
    return format_text(
        "by the counts %s. No value gives each of an H200's %d multiprocessors a block; with %.0f it comes "
        "nearest.",
        text_in(best, "name"), (int)MULTIPROCESSORS, blocks);
}

/* Which value, and why: a sentence a shape, or one for all. */
static void print_choices(FILE *out, const json_t *cases) {
    const json_t *of_case;
    size_t i;
    char *last = NULL, *shapes = copy_text("");
    fprintf(out, "\n");
    for (i = 0; i <= json_array_size(cases); i++) {
        of_case = json_array_get(cases, i);
        if (of_case && strcmp(text_in(of_case, "type"), "FP32") != 0)
            continue;
        char *words = of_case ? choice_words(of_case) : NULL;
        if (last && (words == NULL || strcmp(words, last) != 0)) {
            char *whole = format_text("%s: %s", shapes, last);
            print_wrapped(out, whole, 0);
            free(whole);
            free(shapes);
            shapes = copy_text("");
        }
        if (words) {
            char *shape = shape_words(of_case),
                 *longer = format_text("%s%s%s", shapes, shapes[0] ? ", " : "", shape);
            free(shapes);
            free(shape);
            shapes = longer;
        }
        free(last);
        last = words;
    }
    free(shapes);
}

void count_table_print(FILE *out, const json_t *document) {
    const json_t *cases = json_object_get(document, "cases"), *of_case;
    for (size_t first = 0, end; first < json_array_size(cases); first = end) {
        of_case = json_array_get(cases, first);
        struct rows rows = rows_of(of_case);
        char *shape = shape_words(of_case), *types = types_words(cases, first, &rows, &end);
        const int width = name_width(&rows, text_in(document, "parameter"));
        fprintf(out, "\n%s %s   at least %.0f bytes%s: x read once, y written once\n", shape, types,
                number_in(of_case, "contract_bytes"),
                strcmp(types, "FP16, BF16") != 0 && strchr(types, ',') ? " in FP32" : "");
        print_heads(out, width,
                    (const char *const[]){"", "launches", "blocks", "partials", "scratch", "scratch",
                                          "bytes /", "sectors /", "barriers", "shuffles"});
        print_heads(out, width,
                    (const char *const[]){text_in(document, "parameter"), "", "at once", "", "bytes", "moved",
                                          "least", "least", "", ""});
        for (int k = 0; k < rows.count; k++)
            fprintf(out, "  %-*s%s", width, rows.names[k], rows.text[k]);
        free(shape);
        free(types);
        rows_free(&rows);
    }
    print_choices(out, cases);
}
