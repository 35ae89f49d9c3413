/* Times for a comparison (see compare.h): measured, both in the same rounds on a GPU, or the other's as recorded. */
#include "base/memory.h"
#include "compare.h"
#include "document.h"
#include <math.h>
#include <string.h>

/* ---- as recorded ---- */

/* "4 x 32769 FP32: C=256 20.1 us, C=1024 ...", or null. */
static char *recorded_line(const json_t *of_case) {
    char *shape = shape_words(of_case), *words = format_text("%s %s:", shape, text_in(of_case, "type"));
    const json_t *variant;
    size_t i, count = 0;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        const json_t *time = time_of(variant, "graph", "warm");
        if (strcmp(text_in(variant, "role"), "submission") != 0 || time == NULL)
            continue;
        char *longer = format_text("%s%s %s %.1f us", words, count++ ? "," : "", text_in(variant, "name"),
                                   number_in(time, "median"));
        free(words);
        words = longer;
    }
    free(shape);
    if (count > 0)
        return words;
    free(words);
    return NULL;
}

json_t *times_recorded(const json_t *record, const char *other) {
    json_t *lines = json_array();
    const json_t *of_case;
    size_t i;
    json_array_foreach(json_object_get(record, "cases"), i, of_case) {
        char *line = strcmp(text_in(of_case, "type"), "FP32") == 0 ? recorded_line(of_case) : NULL;
        if (line)
            json_array_append_new(lines, json_string(line));
        free(line);
    }
    char *head = format_text(
        "times of %s alone, as recorded on %s (no GPU was used here, so yours are not known):", other,
        text_in(json_object_get(record, "device"), "name"));
    json_t *times = json_pack("{s:b, s:s, s:o}", "measured", 0, "head", head, "lines", lines);
    free(head);
    return times;
}

/* ---- as measured: bench-cuda --beside ---- */

static const json_t *comparison_of(const json_t *of_case, const char *name) {
    const json_t *comparison;
    size_t i;
    json_array_foreach(json_object_get(of_case, "comparisons"), i, comparison) {
        const char *b = text_in(comparison, "b");
        if (strcmp(text_in(comparison, "a"), name) == 0 && strncmp(b, "other ", 6) == 0 &&
            strcmp(b + 6, name) == 0 && strcmp(text_in(comparison, "cache"), "warm") == 0)
            return comparison;
    }
    return NULL;
}

/* A ratio of times in percent, as what is said of the one on top. */
static double percent(double ratio) {
    return 100 * fabs(ratio - 1);
}

/* "11.2 % slower (11.0 to 11.5)"; "the same within 2 %". */
static char *ratio_words(const json_t *comparison) {
    const char *is = text_in(comparison, "a_is");
    const double low = number_in(comparison, "low"), high = number_in(comparison, "high");
    if (strcmp(is, "slower") == 0)
        return format_text("%.1f %% slower (%.1f to %.1f)", percent(number_in(comparison, "ratio")),
                           percent(low), percent(high));
    if (strcmp(is, "faster") == 0)
        return format_text("%.1f %% faster (%.1f to %.1f)", percent(number_in(comparison, "ratio")),
                           percent(high), percent(low));
    return strcmp(is, "the same") == 0
               ? copy_text("the same within 2 %")
               : format_text("not told apart (%+.1f to %+.1f %%)", 100 * (low - 1), 100 * (high - 1));
}

/* How many pairs came out one way, and by how much. */
struct tally {
    int count;
    double least, most;
};

static void count_pair(struct tally *tally, double by) {
    tally->least = tally->count ? fmin(tally->least, by) : by;
    tally->most = tally->count ? fmax(tally->most, by) : by;
    tally->count++;
}

static char *tally_words(const char *is, const struct tally *tally, int all) {
    return tally->most - tally->least < 0.05
               ? format_text("Yours is %s in %d of %d, by %.1f %%. ", is, tally->count, all, tally->most)
               : format_text("Yours is %s in %d of %d, by %.1f to %.1f %%. ", is, tally->count, all,
                             tally->least, tally->most);
}

static json_t *closing_words(const struct tally *slower, const struct tally *faster, int all) {
    char *first = slower->count ? tally_words("slower", slower, all) : copy_text(""),
         *second = faster->count ? tally_words("faster", faster, all) : copy_text(""),
         *rest = all - slower->count - faster->count > 0
                     ? format_text("In %d of %d there is no difference that can be told.",
                                   all - slower->count - faster->count, all)
                     : copy_text("");
    char *words = format_text("%s%s%s", first, second, rest);
    json_t *json = json_string(words);
    free(first);
    free(second);
    free(rest);
    free(words);
    return json;
}

static const char *trouble_of(const json_t *variant) {
    return variant == NULL                 ? "missing"
           : text_in(variant, "reason")[0] ? text_in(variant, "reason")
                                           : "no time";
}

static void add_case(json_t *pairs, json_t *lines, const json_t *of_case, struct tally tallies[2]) {
    const json_t *variant;
    size_t i;
    char *shape = shape_words(of_case);
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        const char *name = text_in(variant, "name");
        if (strcmp(text_in(variant, "role"), "submission") != 0)
            continue;
        char *others_name = format_text("other %s", name), *line;
        const json_t *other = variant_named(of_case, others_name), *mine = time_of(variant, "graph", "warm"),
                     *theirs = time_of(other, "graph", "warm"), *comparison = comparison_of(of_case, name);
        if (mine && theirs && comparison) {
            const char *is = text_in(comparison, "a_is");
            const double ratio = number_in(comparison, "ratio");
            char *words = ratio_words(comparison);
            line = format_text("%s %s, %s: %.2f us and %.2f us, yours is %s", shape, text_in(of_case, "type"),
                               name, number_in(mine, "median"), number_in(theirs, "median"), words);
            free(words);
            if (strcmp(is, "slower") == 0 || strcmp(is, "faster") == 0)
                count_pair(&tallies[strcmp(is, "faster") == 0], percent(ratio));
            json_array_append_new(
                pairs,
                json_pack("{s:f, s:f, s:s, s:f, s:f, s:f, s:f, s:f, s:s}", "rows", number_in(of_case, "rows"),
                          "cols", number_in(of_case, "cols"), "type", text_in(of_case, "type"), "parameter",
                          number_in(variant, "parameter"), "low", number_in(comparison, "low"), "ratio",
                          ratio, "high", number_in(comparison, "high"), "confidence",
                          number_in(comparison, "confidence"), "yours_is", is));
        } else
            line = format_text("%s %s, %s: not compared (%s: %s)", shape, text_in(of_case, "type"), name,
                               mine ? "the other" : "yours", trouble_of(mine ? other : variant));
        json_array_append_new(lines, json_string(line));
        free(line);
        free(others_name);
    }
    free(shape);
}

json_t *times_measured(const json_t *record, const char *other) {
    json_t *pairs = json_array(), *lines = json_array();
    struct tally tallies[2] = {{0}};
    const json_t *of_case;
    size_t i;
    json_array_foreach(json_object_get(record, "cases"), i, of_case) {
        add_case(pairs, lines, of_case, tallies);
    }
    char *head =
        format_text("times of yours and of %s, taken in turns on %s (medians of %.0f rounds, in a graph, L2 "
                    "warm; between brackets where the median of the ratio lies, at 95 %%):",
                    other, text_in(json_object_get(record, "device"), "name"),
                    number_in(json_object_get(record, "settings"), "samples"));
    json_t *words = json_array_size(pairs) > 0
                        ? closing_words(&tallies[0], &tallies[1], (int)json_array_size(pairs))
                        : json_string("");
    json_t *times = json_pack("{s:b, s:s, s:o, s:o, s:o}", "measured", 1, "head", head, "lines", lines,
                              "pairs", pairs, "words", words);
    free(head);
    return times;
}
