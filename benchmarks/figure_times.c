/* The figures of times (see figures.h): a row of panels for each shape, a column for each type. */
#include "base/memory.h"
#include "document.h"
#include "figures.h"
#include "panel.h"
#include <math.h>
#include <string.h>

static const char *const types[] = {"FP32", "FP16", "BF16"};
enum { TYPES = 3 };

static bool is_role(const json_t *variant, const char *role) {
    return strcmp(text_in(variant, "role"), role) == 0;
}

/* A figure with a panel for each case of the record; make_panel fills one in. */
struct plan {
    const json_t *document, *other; /* other: the second record of an overlay */
    const char *cache;
    struct panel (*make_panel)(const struct plan *plan, const json_t *of_case, const char *title);
};

static void set_places(struct panel *panel, const json_t *of_case) {
    const json_t *variant;
    size_t i;
    json_array_foreach(json_object_get(of_case, "variants"), i,
                       variant) if (is_role(variant, "submission") && panel->places < MOST_PLACES)
        snprintf(panel->place[panel->places++], sizeof panel->place[0], "%.0f",
                 number_in(variant, "parameter"));
}

/* The times of the submission's variants, in microseconds. */
static void add_times(struct panel *panel, const json_t *of_case, const char *name, const char *cache) {
    struct series *series = panel_add(panel, name, false);
    const json_t *variant;
    size_t i;
    int place = 0;
    series->show_values = panel->count == 1;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        if (!is_role(variant, "submission") || place == panel->places)
            continue;
        const json_t *time = time_of(variant, "graph", cache);
        if (time) {
            series->value[place] = number_in(time, "median");
            series->low[place] = number_in(time, "min");
            series->high[place] = number_in(time, "max");
        }
        place++;
    }
}

static double median_of(const json_t *variant, const char *cache) {
    const json_t *time = time_of(variant, "graph", cache);
    return time ? number_in(time, "median") : NAN;
}

static void fill_line(struct series *series, const struct panel *panel, double value) {
    for (int i = 0; i < panel->places; i++)
        series->value[i] = value;
    series->line = true;
}

static struct panel times_panel(const struct plan *plan, const json_t *of_case, const char *title) {
    struct panel panel = panel_new(title, text_in(plan->document, "parameter"), "microseconds a call");
    const json_t *variant;
    size_t i;
    panel.logarithmic = true;
    set_places(&panel, of_case);
    add_times(&panel, of_case, text_in(plan->document, "implementation"), plan->cache);
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        const double median = median_of(variant, plan->cache);
        if (!is_role(variant, "baseline") || isnan(median) ||
            strcmp(text_in(variant, "name"), "empty kernel") == 0)
            continue;
        char *name = format_text("%s %.3g", text_in(variant, "name"), median);
        fill_line(panel_add(&panel, name, true), &panel, median);
        free(name);
    }
    return panel;
}

static struct panel speedup_panel(const struct plan *plan, const json_t *of_case, const char *title) {
    struct panel panel = panel_new(title, text_in(plan->document, "parameter"), "times as fast");
    const json_t *baseline, *variant;
    size_t i, j;
    panel.from_zero = true;
    set_places(&panel, of_case);
    json_array_foreach(json_object_get(of_case, "variants"), i, baseline) {
        const double of_baseline = median_of(baseline, "warm");
        const char *name = text_in(baseline, "name");
        if (!is_role(baseline, "baseline") || isnan(of_baseline) || strcmp(name, "copy") == 0 ||
            strcmp(name, "empty kernel") == 0)
            continue;
        char *words = format_text("over %s", name);
        struct series *series = panel_add(&panel, words, false);
        int place = 0;
        json_array_foreach(json_object_get(of_case, "variants"), j, variant) {
            if (is_role(variant, "submission") && place < panel.places)
                series->value[place++] = of_baseline / median_of(variant, "warm");
        }
        free(words);
    }
    fill_line(panel_add(&panel, "as fast", true), &panel, 1);
    return panel;
}

static struct panel share_panel(const struct plan *plan, const json_t *of_case, const char *title) {
    struct panel panel = panel_new(title, text_in(plan->document, "parameter"), "% of the copy's speed");
    panel.from_zero = true;
    set_places(&panel, of_case);
    static const char *const caches[] = {"warm", "cold"};
    for (int c = 0; c < 2; c++) {
        struct series *series = panel_add(&panel, c ? "L2 cold" : "L2 warm", false);
        const double copy = median_of(variant_named(of_case, "copy"), caches[c]);
        const json_t *variant;
        size_t i;
        int place = 0;
        json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
            if (is_role(variant, "submission") && place < panel.places)
                series->value[place++] = 100 * copy / median_of(variant, caches[c]);
        }
    }
    fill_line(panel_add(&panel, "copy", true), &panel, 100);
    return panel;
}

static struct panel overlay_panel(const struct plan *plan, const json_t *of_case, const char *title) {
    struct panel panel = panel_new(title, text_in(plan->document, "parameter"), "microseconds a call");
    const json_t *other = case_like(plan->other, of_case);
    panel.logarithmic = true;
    set_places(&panel, of_case);
    char *a = format_text("A: %s", text_in(plan->document, "implementation")),
         *b = format_text("B: %s", text_in(plan->other, "implementation"));
    add_times(&panel, of_case, a, "warm");
    add_times(&panel, other, b, "warm");
    panel.series[1].show_values = true;
    free(a);
    free(b);
    return panel;
}

/* The cases with this one's shape have panels already: a case begins a row when it is the first of its shape. */
static bool begins_row(const json_t *cases, size_t index) {
    const json_t *this = json_array_get(cases, index);
    for (size_t i = 0; i < index; i++) {
        const json_t *that = json_array_get(cases, i);
        if (number_in(that, "rows") == number_in(this, "rows") &&
            number_in(that, "cols") == number_in(this, "cols"))
            return false;
    }
    return true;
}

static char *draw(const struct plan *plan, struct figure *figure, const char *folder, const char *name) {
    const json_t *cases = json_object_get(plan->document, "cases"), *of_case;
    size_t i;
    figure->columns = TYPES;
    figure->panels = get_memory((json_array_size(cases) + 1) * TYPES * sizeof *figure->panels);
    json_array_foreach(cases, i, of_case) {
        if (!begins_row(cases, i))
            continue;
        for (int t = 0; t < TYPES; t++) {
            char *shape = shape_words(of_case), *title = format_text("%s, %s", shape, types[t]);
            json_t *wanted = json_pack("{s:O, s:O, s:s}", "rows", json_object_get(of_case, "rows"), "cols",
                                       json_object_get(of_case, "cols"), "type", types[t]);
            const json_t *found = case_like(plan->document, wanted);
            figure->panels[figure->rows * TYPES + t] =
                found ? plan->make_panel(plan, found, title) : panel_new(title, "", "");
            json_decref(wanted);
            free(title);
            free(shape);
        }
        figure->rows++;
    }
    char *path = format_text("%s/%s", folder, name);
    char *trouble = figure_draw(figure, path);
    free(path);
    free(figure->panels);
    return trouble;
}

static const char *device_of(const json_t *document) {
    return text_in(json_object_get(document, "device"), "name");
}

static void note_times(struct figure *figure, const json_t *document, const char *what) {
    snprintf(figure->note, sizeof figure->note, "%s, %.10s, method %.0f, seed %.0f.  %s", device_of(document),
             text_in(document, "date"), number_in(document, "method_version"), number_in(document, "seed"),
             what);
}

char *figure_of_times(const json_t *document, const char *cache, const char *folder) {
    const struct plan plan = {.document = document, .cache = cache, .make_panel = times_panel};
    struct figure figure = {0};
    snprintf(figure.title, sizeof figure.title, "%s on %s: time against %s, L2 %s",
             text_in(document, "exercise"), device_of(document), text_in(document, "parameter"), cache);
    note_times(&figure, document,
               "Points are medians, bars reach from the smallest to the largest sample. Graph replay.");
    return draw(&plan, &figure, folder, cache[0] == 'w' ? "time-warm" : "time-cold");
}

char *figure_of_speedup(const json_t *document, const char *folder) {
    const struct plan plan = {.document = document, .cache = "warm", .make_panel = speedup_panel};
    struct figure figure = {0};
    snprintf(figure.title, sizeof figure.title,
             "%s (%s) on %s: how many times as fast as the baselines, L2 warm", text_in(document, "exercise"),
             text_in(document, "implementation"), device_of(document));
    note_times(&figure, document, "Ratios of medians of one run.");
    return draw(&plan, &figure, folder, "speed-up");
}

char *figure_of_share(const json_t *document, const char *folder) {
    const struct plan plan = {.document = document, .cache = "warm", .make_panel = share_panel};
    struct figure figure = {0};
    snprintf(figure.title, sizeof figure.title, "%s (%s) on %s: speed as a share of a copy of the same bytes",
             text_in(document, "exercise"), text_in(document, "implementation"), device_of(document));
    note_times(&figure, document,
               "The copy reads x once and writes y once. It is measured in the same run, warm and cold.");
    return draw(&plan, &figure, folder, "share-of-copy");
}

char *figure_of_two(const json_t *a, const json_t *b, const char *folder) {
    const struct plan plan = {.document = a, .other = b, .cache = "warm", .make_panel = overlay_panel};
    struct figure figure = {0};
    snprintf(figure.title, sizeof figure.title, "%s: two records, time against %s, L2 warm",
             text_in(a, "exercise"), text_in(a, "parameter"));
    snprintf(figure.note, sizeof figure.note,
             "A: %s, %s, %.10s.   B: %s, %s, %.10s.\nPoints are medians, bars reach from the smallest to "
             "the largest "
             "sample. Two runs: the clocks of the two may differ.",
             text_in(a, "implementation"), device_of(a), text_in(a, "date"), text_in(b, "implementation"),
             device_of(b), text_in(b, "date"));
    return draw(&plan, &figure, folder, "overlay");
}
