/* The figure of counts (see figures.h): each panel asks a question, and has the line that answers it.
 *
 * A colour is a shape, in all panels. Most counts are the same for all types, so FP32 is drawn; sectors take FP16 too,
 * for 32 lanes of 2 bytes begin elsewhere. A second record lies behind the first, dotted, with rings. */
#include "base/memory.h"
#include "document.h"
#include "figures.h"
#include "panel.h"
#include <math.h>
#include <string.h>

enum { MULTIPROCESSORS = 132 /* of an H200 */, MOST_PANELS = 8, MOST_RECORDED = 3, COLUMNS = 2 };

/* Which series is what, for the names of those that coincide. */
struct series_of {
    char shape[64], kernel[64];
    int record;
};

/* One or two records of counts. */
struct records {
    const json_t *document[2]; /* the second null: there is none */
    const char *whose[2];
    bool split;
};

static bool is_counted(const json_t *variant) {
    return strcmp(text_in(variant, "role"), "submission") == 0;
}

static void set_places(struct panel *panel, const json_t *of_case) {
    const json_t *variant;
    size_t i;
    panel->places = 0;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        if (is_counted(variant) && panel->places < MOST_PLACES)
            snprintf(panel->place[panel->places++], sizeof panel->place[0], "%.0f",
                     number_in(variant, "parameter"));
    }
}

/* ---- one number of a variant ---- */

struct count {
    const char *key;
    int kernel; /* for blocks: which */
};

static double value_of(const json_t *of_case, const json_t *variant, const struct count *count) {
    const json_t *counts = json_object_get(variant, "counts");
    if (counts == NULL)
        return NAN;
    if (strcmp(count->key, "blocks") == 0) {
        const json_t *kernel = json_array_get(json_object_get(counts, "kernels"), (size_t)count->kernel);
        return kernel ? number_in(kernel, "blocks") : NAN;
    }
    if (strcmp(count->key, "scratch_share") == 0)
        return 100 * number_in(counts, "scratch_traffic") / number_in(of_case, "contract_bytes");
    return json_is_number(json_object_get(counts, count->key)) ? number_in(counts, count->key) : NAN;
}

static void add_series(struct panel *panel, const json_t *of_case, const char *name,
                       const struct count *count, int style, bool beside) {
    struct series *series = panel_add(panel, name, false);
    const json_t *variant;
    size_t i;
    int place = 0;
    series->style = style;
    series->beside = beside;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        if (is_counted(variant) && place < MOST_PLACES)
            series->value[place++] = value_of(of_case, variant, count);
    }
}

static void add_line(struct panel *panel, const char *name, double value) {
    struct series *series = panel_add(panel, name, true);
    for (int i = 0; i < panel->places; i++)
        series->value[i] = value;
    series->line = true;
}

/* "partials_kernel" is "partials" where there is little room. */
static char *short_name(const char *kernel) {
    const size_t length = strlen(kernel), tail = strlen("_kernel");
    return format_text(
        "%.*s",
        (int)(length > tail && strcmp(kernel + length - tail, "_kernel") == 0 ? length - tail : length),
        kernel);
}

static const json_t *first_counts(const json_t *of_case) {
    const json_t *variant;
    size_t i;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        if (json_object_get(variant, "counts"))
            return json_object_get(variant, "counts");
    }
    return NULL;
}

/* ---- panels ---- */

/* The series of a case of one record. */
static void add_case(struct panel *panel, struct series_of *series, int record, const json_t *of_case,
                     const char *key, int style) {
    const bool by_type = strcmp(key, "sectors_over_minimum") == 0;
    const json_t *kernels = json_object_get(first_counts(of_case), "kernels");
    const bool by_kernel = strcmp(key, "blocks") == 0 && json_array_size(kernels) > 1;
    const size_t count = by_kernel ? json_array_size(kernels) : 1;
    for (size_t k = 0; k < count && panel->count < MOST_SERIES; k++) {
        struct series_of *of = &series[panel->count];
        char *kernel = by_kernel ? short_name(text_in(json_array_get(kernels, k), "name")) : copy_text("");
        snprintf(of->shape, sizeof of->shape, "%.0f x %.0f%s%s", number_in(of_case, "rows"),
                 number_in(of_case, "cols"), by_type ? " " : "", by_type ? text_in(of_case, "type") : "");
        snprintf(of->kernel, sizeof of->kernel, "%s", kernel);
        of->record = record;
        add_series(panel, of_case, of->shape, &(struct count){key, (int)k}, style, record == 1);
        free(kernel);
    }
}

/* ---- names of curves that coincide ---- */

/* Texts, each once. */
struct words {
    const char *text[MOST_SERIES];
    int count;
};

static void add_word(struct words *words, const char *text) {
    for (int i = 0; i < words->count; i++)
        if (strcmp(words->text[i], text) == 0)
            return;
    words->text[words->count++] = text;
}

static char *joined(const struct words *words) {
    char *text = copy_text("");
    for (int i = 0; i < words->count; i++) {
        char *longer = format_text("%s%s%s", text, i ? ", " : "", words->text[i]);
        free(text);
        text = longer;
    }
    return text;
}

/* "A merge\nB merge, normalize": whose, and of each which kernels are members. From malloc. */
static char *kernels_of_each(const struct series *curve, const struct series_of *series,
                             const struct records *records) {
    char *text = copy_text("");
    for (int record = 0; record < 2; record++) {
        struct words kernels = {0};
        for (unsigned s = 0; s < MOST_SERIES; s++)
            if ((curve->members >> s & 1) && series[s].record == record)
                add_word(&kernels, series[s].kernel);
        if (kernels.count == 0)
            continue;
        char *names = joined(&kernels),
             *longer = format_text("%s%s%s %s", text, text[0] ? "\n" : "", records->whose[record], names);
        free(names);
        free(text);
        text = longer;
    }
    return text;
}

/* Names a curve by what all its members are: shapes, whose, kernels. all: how many shapes there are. */
static void name_series(struct series *curve, const struct series_of *series, const struct records *records,
                        int all) {
    struct words shapes = {0}, whose = {0}, kernels = {0};
    int members = 0;
    for (unsigned s = 0; s < MOST_SERIES; s++) {
        if (!(curve->members >> s & 1))
            continue;
        members++;
        add_word(&shapes, series[s].shape);
        add_word(&whose, records->whose[series[s].record]);
        add_word(&kernels, series[s].kernel);
    }
    char *of_whose = joined(&whose), *of_kernels = joined(&kernels);
    char *of_shapes = shapes.count == all && all > 1 ? copy_text("all shapes")
                      : shapes.count > 3 ? format_text("%s and %d more", shapes.text[0], shapes.count - 1)
                                         : joined(&shapes);
    const bool two = records->document[1] != NULL;
    for (char *at = of_shapes; shapes.count > 1 && (at = strchr(at, ',')) != NULL; at++)
        at[1] = '\n';                                           /* a line each */
    if (members < shapes.count * whose.count * kernels.count) { /* not each one's every kernel */
        char *each = kernels_of_each(curve, series, records);
        snprintf(curve->name, sizeof curve->name, "%s\n%s", of_shapes, each);
        free(each);
    } else
        snprintf(curve->name, sizeof curve->name, "%s%s%s%s%s", of_shapes, two || of_kernels[0] ? "\n" : "",
                 two ? of_whose : "", two && of_kernels[0] ? "\n" : "", of_kernels);
    free(of_shapes);
    free(of_whose);
    free(of_kernels);
}

static struct panel make_panel(const struct records *records, const char *key, const char *title,
                               const char *y_label, bool logarithmic) {
    struct panel panel = panel_new(title, text_in(records->document[0], "parameter"), y_label);
    const json_t *of_case;
    size_t i;

    struct series_of series[MOST_SERIES];
    int style = 0;
    panel.logarithmic = logarithmic;
    panel.from_zero = !logarithmic;
    json_array_foreach(json_object_get(records->document[0], "cases"), i, of_case) {
        const char *type = text_in(of_case, "type");
        const bool fp32 = strcmp(type, "FP32") == 0,
                   more = strcmp(key, "sectors_over_minimum") == 0 && strcmp(type, "FP16") == 0;
        style += fp32;
        if (!fp32 && !more)
            continue;
        set_places(&panel, of_case);
        add_case(&panel, series, 0, of_case, key, style);
        const json_t *same = records->document[1] ? case_like(records->document[1], of_case) : NULL;
        if (same)
            add_case(&panel, series, 1, same, key, style);
    }

    int shapes = 0;
    for (int s = 0; s < panel.count; s++) {
        bool fresh = true;
        for (int k = 0; k < s; k++)
            fresh &= strcmp(series[k].shape, series[s].shape) != 0;
        shapes += fresh;
    }
    panel_join(&panel);
    for (int k = 0; k < panel.count; k++)
        name_series(&panel.series[k], series, records, shapes);
    return panel;
}

/* What memory is asked for, against the least. */
static struct panel memory_panel(const struct records *records, const char *key, const char *title,
                                 const char *y_label) {
    struct panel panel = make_panel(records, key, title, y_label, false);
    add_line(&panel, "1: no less", 1);
    if (records->split)
        add_line(&panel, "1.5: x twice", 1.5);
    return panel;
}

static struct panel *add_questions(struct panel *panel, const struct records *records) {
    *panel = make_panel(records, "blocks", "Has every multiprocessor a block?", "blocks of a kernel", true);
    add_line(panel++, "132 multi-\nprocessors", MULTIPROCESSORS);
    *panel++ =
        memory_panel(records, "bytes_over_minimum", "How many times is memory asked?", "x and y, times");
    *panel++ =
        memory_panel(records, "sectors_over_minimum", "And what has memory to bring?", "in sectors, times");
    if (records->split)
        *panel++ = make_panel(records, "scratch_share", "What does cutting a row cost?",
                              "scratch, % of x and y", false);
    *panel++ = make_panel(records, "barriers", "At how many barriers is waited?", "barriers", true);
    return panel;
}

/* Recorded times of the shape of a case: of the submission in FP32, with what is beside it. */
static struct panel recorded_panel(const json_t *recorded, const json_t *of_case) {
    char *title = format_text("RECORDED: what did %.0f x %.0f cost?", number_in(of_case, "rows"),
                              number_in(of_case, "cols"));
    struct panel panel = panel_new(title, text_in(recorded, "parameter"), "microseconds, L2 warm");
    const json_t *variant;
    size_t i;
    panel.from_zero = true;
    set_places(&panel, of_case);
    struct series *series = panel_add(&panel, "solution", false);
    int place = 0;
    series->show_values = true;
    json_array_foreach(json_object_get(of_case, "variants"), i, variant) {
        const json_t *time = time_of(variant, "graph", "warm");
        const char *name = text_in(variant, "name");
        if (is_counted(variant) && place < MOST_PLACES) {
            series->value[place] = time ? number_in(time, "median") : NAN;
            series->low[place] = time ? number_in(time, "min") : NAN;
            series->high[place++] = time ? number_in(time, "max") : NAN;
        } else if (time && (strcmp(name, "copy") == 0 || strncmp(name, "torch", 5) == 0)) {
            char *words = format_text("%.20s %.3g", name, number_in(time, "median"));
            add_line(&panel, words, number_in(time, "median"));
            free(words);
        }
    }
    free(title);
    return panel;
}

static const char *whose(const json_t *document, const char *fallback) {
    const char *implementation = text_in(document, "implementation");
    return strcmp(implementation, "exercise") == 0        ? "yours"
           : strcmp(implementation, "solution") == 0      ? "solution"
           : strncmp(implementation, "solution/", 9) == 0 ? implementation + 9
                                                          : fallback;
}

static void write_note(struct figure *figure, const struct records *records, const json_t *recorded,
                       int times) {
    const json_t *document = records->document[0];
    char *about =
        times
            ? format_text("\nRECORDED panels were not measured here: they are the kit's own %s on %s, %.10s "
                          "(results/h200); bars: smallest to largest sample.",
                          text_in(recorded, "implementation"),
                          text_in(json_object_get(recorded, "device"), "name"), text_in(recorded, "date"))
            : copy_text("");
    snprintf(figure->note, sizeof figure->note,
             "Counted in the simulator on %.10s, one call each, seed %.0f: counts, no times. Curves that "
             "coincide are drawn once. %s%s",
             text_in(document, "date"), number_in(document, "seed"),
             records->document[1] ? "Dotted, ringed: the other." : "", about);
    free(about);
}

/* How many shapes there are recorded times of, and room for. */
static int recorded_shapes(const json_t *document, const json_t *recorded, int room) {
    const json_t *of_case;
    size_t i;
    int count = 0;
    json_array_foreach(json_object_get(document, "cases"), i, of_case) {
        count += recorded && case_like(recorded, of_case) && strcmp(text_in(of_case, "type"), "FP32") == 0 &&
                 count < room && count < MOST_RECORDED;
    }
    return count;
}

char *figure_of_counts(const json_t *document, const json_t *beside, const json_t *recorded,
                       const char *folder, const char *name) {
    struct records records = {{document, beside},
                              {whose(document, "submission"), whose(beside, "other")},
                              strcmp(text_in(document, "exercise"), "split_softmax") == 0};
    if (beside && (strcmp(records.whose[0], records.whose[1]) == 0 || strcmp(name, "overlay") == 0)) {
        records.whose[0] = "A";
        records.whose[1] = "B";
    }
    struct panel *panels = get_memory(MOST_PANELS * sizeof *panels), *next = add_questions(panels, &records);

    const int drawn = recorded_shapes(document, recorded, MOST_PANELS - (int)(next - panels));
    if ((next - panels + drawn) % 2 != 0 &&
        next - panels + drawn < MOST_PANELS) /* no place of the page stays empty */
        *next++ = make_panel(&records, "shuffles", "How many shuffles are there?", "shuffles", true);
    const json_t *of_case;
    size_t i;
    int times = 0;
    json_array_foreach(json_object_get(document, "cases"), i, of_case) {
        const json_t *same = recorded ? case_like(recorded, of_case) : NULL;
        if (same == NULL || strcmp(text_in(of_case, "type"), "FP32") != 0 || times == drawn)
            continue;
        *next++ = recorded_panel(recorded, same);
        times++;
    }
    const int count = (int)(next - panels);
    struct figure figure = {.panels = panels, .rows = (count + COLUMNS - 1) / COLUMNS, .columns = COLUMNS};
    snprintf(figure.title, sizeof figure.title, "%s: %s%s%s, by %s", text_in(document, "exercise"),
             records.whose[0], beside ? " beside " : "", beside ? records.whose[1] : "",
             text_in(document, "parameter"));
    write_note(&figure, &records, recorded, times);
    char *path = format_text("%s/%s", folder, name);
    char *trouble = figure_draw(&figure, path);
    free(path);
    free(panels);
    return trouble;
}
