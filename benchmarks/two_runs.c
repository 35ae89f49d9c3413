/* Two runs beside each other (see two_runs.h). */
#include "two_runs.h"
#include "base/memory.h"
#include "document.h"
#include <math.h>
#include <string.h>

static const struct {
    const char *mode, *cache;
} modes[TWO_RUNS_MODES] = {{"graph", "warm"}, {"graph", "cold"}, {"stream", "warm"}};

char *two_runs_refuse(const json_t *a, const json_t *b) {
    if (strcmp(text_in(a, "measures"), "times") != 0 || strcmp(text_in(b, "measures"), "times") != 0)
        return copy_text("Two records can be compared when both hold times; one of these holds counts.");
    if (strcmp(text_in(a, "exercise"), text_in(b, "exercise")) != 0)
        return format_text("The two records are of different exercises: %s and %s.", text_in(a, "exercise"),
                           text_in(b, "exercise"));
    if (number_in(a, "method_version") != number_in(b, "method_version"))
        return format_text(
            "The two records were taken by different methods, %.0f and %.0f, so their times do not "
            "mean the same: measure again, with make bench. docs/benchmarks.md tells the method.",
            number_in(a, "method_version"), number_in(b, "method_version"));
    return NULL;
}

static double quartile_distance(const json_t *time) {
    return (number_in(time, "upper_quartile") - number_in(time, "lower_quartile")) /
           number_in(time, "median");
}

static void compare_times(struct mode_agreement *agreement, const json_t *of_case, const json_t *variant,
                          const json_t *a, const json_t *b) {
    const double left = number_in(a, "median"), right = number_in(b, "median"),
                 apart = fmax(left, right) / fmin(left, right) - 1;
    if (fmax(left, right) <= TWO_RUNS_LEAST_US)
        return;
    agreement->compared++;
    agreement->within += fmax(left, right) <= (1 + TWO_RUNS_WITHIN) * fmin(left, right);
    agreement->widest = fmax(agreement->widest, fmax(quartile_distance(a), quartile_distance(b)));
    if (agreement->worst_case[0] && !(apart > agreement->worst))
        return;
    char *shape = shape_words(of_case);
    agreement->worst = apart;
    snprintf(agreement->worst_case, sizeof agreement->worst_case, "%s %s, %s: %.3g and %.3g us", shape,
             text_in(of_case, "type"), text_in(variant, "name"), left, right);
    free(shape);
}

/* How many times of a's variants b lacks; those that both have are compared, where runs is not null. */
static int match(const json_t *a, const json_t *b, struct two_runs *runs) {
    const json_t *of_case, *variant;
    size_t i, j;
    int lacking = 0;
    json_array_foreach(json_object_get(a, "cases"), i, of_case) {
        const json_t *other_case = case_like(b, of_case);
        json_array_foreach(json_object_get(of_case, "variants"), j, variant) {
            const json_t *other = variant_named(other_case, text_in(variant, "name"));
            for (int m = 0; m < TWO_RUNS_MODES; m++) {
                const json_t *left = time_of(variant, modes[m].mode, modes[m].cache),
                             *right = time_of(other, modes[m].mode, modes[m].cache);
                lacking += left && right == NULL;
                if (left && right && runs)
                    compare_times(&runs->modes[m], of_case, variant, left, right);
            }
        }
    }
    return lacking;
}

struct two_runs two_runs_compare(const json_t *a, const json_t *b) {
    struct two_runs runs = {0};
    for (int m = 0; m < TWO_RUNS_MODES; m++) {
        runs.modes[m].mode = modes[m].mode;
        runs.modes[m].cache = modes[m].cache;
    }
    runs.unmatched = match(a, b, &runs) + match(b, a, NULL);
    for (int m = 0; m < TWO_RUNS_MODES; m++) {
        runs.compared += runs.modes[m].compared;
        runs.within += runs.modes[m].within;
    }
    return runs;
}

void two_runs_print(FILE *out, const struct two_runs *runs) {
    fprintf(out, "Medians over %d us, within %.0f %% in the two runs:\n", TWO_RUNS_LEAST_US,
            100 * TWO_RUNS_WITHIN);
    for (int m = 0; m < TWO_RUNS_MODES; m++) {
        const struct mode_agreement *of = &runs->modes[m];
        fprintf(out, "  %-6s %s  %3d of %3d", of->mode, of->cache, of->within, of->compared);
        if (of->compared > 0)
            fprintf(out, "   worst %.1f %%: %s; within a run, quartiles up to %.1f %% apart", 100 * of->worst,
                    of->worst_case, 100 * of->widest);
        fputc('\n', out);
    }
    if (runs->unmatched > 0)
        fprintf(out, "%d times stand in one of the records only, and were not compared.\n", runs->unmatched);
    if (runs->compared == 0)
        fprintf(out, "The two records have no median over %d us in common: nothing was compared.\n",
                TWO_RUNS_LEAST_US);
    else if (runs->within == runs->compared)
        fprintf(out, "The two runs agree: all %d medians.\n", runs->compared);
    else
        fprintf(out,
                "The two runs do not agree: %d of %d medians are further apart. Was the machine busy with "
                "something "
                "else? docs/benchmarks.md says what moves times.\n",
                runs->compared - runs->within, runs->compared);
}

static void print_difference(FILE *out, const json_t *a, const json_t *b, const char *key,
                             const char *words) {
    if (!json_equal(json_object_get(a, key), json_object_get(b, key)))
        fprintf(out, "The records differ in more than chance: %s\n", words);
}

void two_runs_print_differences(FILE *out, const json_t *a, const json_t *b) {
    const json_t *device_a = json_object_get(a, "device"), *device_b = json_object_get(b, "device");
    print_difference(out, device_a, device_b, "name", "they were taken on different devices.");
    print_difference(out, a, b, "seed", "their seeds, and so their numbers, are not the same.");
    print_difference(out, a, b, "settings", "their settings are not the same.");
    print_difference(out, a, b, "sources", "the code was not the same (sources).");
}
