/* The figure of counts (see figures.h). Most counts are the same for all types, so the lines are the shapes;
 * the bytes over the minimum depend on the type, and take FP32 and FP16. */
#include "document.h"
#include "figures.h"
#include "memory.h"
#include "panel.h"
#include <math.h>
#include <string.h>

struct count_panel {
    const char *key, *title, *y_label;
    bool logarithmic, for_split_only;
};

static const struct count_panel wanted[] = {
    {"most_blocks", "Blocks of the widest launch", "blocks", true, false},
    {"partials", "Partial states to merge", "states", true, true},
    {"scratch_bytes", "Scratch memory", "bytes", true, true},
    {"scratch_traffic", "Bytes moved through scratch", "bytes", true, true},
    {"bytes_over_minimum", "Bytes that threads ask for", "x (one read + one write)", false, false},
    {"sectors_over_minimum", "32-byte sectors that warps touch", "x (one read + one write)", false, false},
    {"barriers", "Barriers", "over all blocks", true, false},
    {"shuffles", "Shuffles", "over all warps", true, false},
};
enum { WANTED = sizeof wanted / sizeof *wanted };

static int parameter_places(struct panel *panel, const json_t *of_case) {
    const json_t *variant;
    size_t i;
    panel->places = 0;
    json_array_foreach(json_object_get(of_case, "variants"), i,
                       variant) if (strcmp(text_in(variant, "role"), "submission") == 0 &&
                                    panel->places < MOST_PLACES)
        snprintf(panel->place[panel->places++], sizeof panel->place[0], "%.0f",
                 number_in(variant, "parameter"));
    return panel->places;
}

static void add_counts(struct panel *panel, const json_t *of_case, const char *name, const char *key) {
    struct series *series = panel_add(panel, name, false);
    const json_t *variant;
    size_t i;
    int place = 0;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        const json_t *count = json_object_get(json_object_get(variant, "counts"), key);
        if (strcmp(text_in(variant, "role"), "submission") != 0 || place == MOST_PLACES)
            continue;
        if (json_is_number(count) && json_number_value(count) > 0)
            series->value[place] = json_number_value(count);
        place++;
    }
}

static struct panel draw_counts(const json_t *document, const struct count_panel *what) {
    struct panel panel = panel_new(what->title, text_in(document, "parameter"), what->y_label);
    const bool by_type = strstr(what->key, "_over_minimum") != NULL;
    const json_t *of_case;
    size_t i;
    panel.logarithmic = what->logarithmic;
    panel.from_zero = !what->logarithmic;
    json_array_foreach(json_object_get(document, "cases"), i, of_case) {
        const char *type = text_in(of_case, "type");
        if (strcmp(type, "FP32") != 0 && !(by_type && strcmp(type, "FP16") == 0))
            continue;
        char *name = format_text("%.0f x %.0f%s%s", number_in(of_case, "rows"), number_in(of_case, "cols"),
                                 by_type ? " " : "", by_type ? type : "");
        parameter_places(&panel, of_case);
        add_counts(&panel, of_case, name, what->key);
        free(name);
    }
    return panel;
}

static const json_t *same_case(const json_t *document, const json_t *as, const char *type) {
    const json_t *of_case;
    size_t i;
    json_array_foreach(json_object_get(document, "cases"), i,
                       of_case) if (number_in(of_case, "rows") == number_in(as, "rows") &&
                                    number_in(of_case, "cols") == number_in(as, "cols") &&
                                    strcmp(text_in(of_case, "type"), type) == 0) return of_case;
    return NULL;
}

/* Recorded times of the shape of a case, for each type. */
static struct panel draw_recorded(const json_t *recorded, const json_t *as) {
    char *shape = shape_words(as);
    char *title =
        format_text("RECORDED on %s: %s", text_in(json_object_get(recorded, "device"), "name"), shape);
    struct panel panel = panel_new(title, text_in(recorded, "parameter"), "microseconds, L2 warm");
    static const char *const types[] = {"FP32", "FP16", "BF16"};
    panel.from_zero = true;
    for (int t = 0; t < 3; t++) {
        const json_t *of_case = same_case(recorded, as, types[t]), *variant;
        size_t i;
        int place = 0;
        if (of_case == NULL || parameter_places(&panel, of_case) == 0)
            continue;
        struct series *series = panel_add(&panel, types[t], false);
        json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
            const json_t *time = time_of(variant, "graph", "warm");
            if (strcmp(text_in(variant, "role"), "submission") != 0 || place == MOST_PLACES)
                continue;
            if (time) {
                series->value[place] = number_in(time, "median");
                series->low[place] = number_in(time, "min");
                series->high[place] = number_in(time, "max");
            }
            place++;
        }
    }
    free(title);
    free(shape);
    return panel;
}

char *figure_of_counts(const json_t *document, const json_t *recorded, const char *folder) {
    enum { MOST_RECORDED = 4, COLUMNS = 4 };
    struct panel *panels = get_memory((WANTED + MOST_RECORDED) * sizeof *panels);
    const bool split = strcmp(text_in(document, "exercise"), "split_softmax") == 0;
    int count = 0, recorded_count = 0;
    for (int i = 0; i < WANTED; i++)
        if (split || !wanted[i].for_split_only)
            panels[count++] = draw_counts(document, &wanted[i]);
    while (count % COLUMNS != 0)
        panels[count++] = panel_new("", "", "");
    const json_t *of_case;
    size_t i;
    json_array_foreach(json_object_get(document, "cases"), i, of_case) {
        if (recorded == NULL || recorded_count == MOST_RECORDED ||
            strcmp(text_in(of_case, "type"), "FP32") != 0 || same_case(recorded, of_case, "FP32") == NULL)
            continue;
        panels[count++] = draw_recorded(recorded, of_case);
        recorded_count++;
    }
    while (count % COLUMNS != 0)
        panels[count++] = panel_new("", "", "");
    struct figure figure = {.panels = panels, .rows = count / COLUMNS, .columns = COLUMNS};
    snprintf(figure.title, sizeof figure.title,
             "%s (%s): what the simulator counted, against %s. Counts, not times.",
             text_in(document, "exercise"), text_in(document, "implementation"),
             text_in(document, "parameter"));
    char *about_last = recorded_count
                           ? format_text("\nThe last row was not measured here: times of the kit's own "
                                         "%s, recorded on %.10s (results/h200); bars reach from the "
                                         "smallest to the largest sample.",
                                         text_in(recorded, "implementation"), text_in(recorded, "date"))
                           : copy_text("");
    snprintf(figure.note, sizeof figure.note,
             "Counted in the simulator on %.10s, one call each, seed %.0f. 4 bytes that 32 lanes read "
             "together are 128 "
             "bytes asked for, and one sector touched.%s",
             text_in(document, "date"), number_in(document, "seed"), about_last);
    free(about_last);
    char *path = format_text("%s/counts", folder);
    char *trouble = figure_draw(&figure, path);
    free(path);
    free(panels);
    return trouble;
}
