/* compare.png and .svg (see compare.h): a panel a count, and in each three bars a shape: yours, the other's, the
 * least. Gnuplot draws. Bars are told apart by their filling, so that they can be read without colour. */
#include "base/memory.h"
#include "compare.h"
#include "document.h"
#include "panel_script.h"
#include <math.h>
#include <string.h>

enum { PANELS = 6, MOST_SHAPES_DRAWN = 3, WIDTH = 1240, ROW = 300, TOP = 76, BOTTOM = 44 };

/* ---- counts of a case, over all stages ---- */

static double bytes_of(const json_t *part, bool least) {
    (void)least;
    return part_bytes(part);
}

static double sectors_of(const json_t *part, bool least) {
    const json_t *buffer;
    size_t i;
    double sum = 0;
    (void)least;
    json_array_foreach(json_object_get(part, "buffers"), i, buffer) {
        sum += 32 * (part_number(buffer, "sectors_read") + part_number(buffer, "sectors_written"));
    }
    return sum;
}

static double most_blocks(const json_t *part, bool least) {
    return least ? MULTIPROCESSORS : part_number(main_kernel(part), "blocks");
}

static double barriers_of(const json_t *part, bool least) {
    return least ? 0 : part_barriers_a_block(part);
}

static double launches_of(const json_t *part, bool least) {
    (void)least;
    return part_number(part, "launches");
}

static double scratch_of(const json_t *part, bool least) {
    (void)least;
    return part_number(part, "scratch_bytes");
}

/* ---- what is drawn ---- */

enum way { SUM, MOST, FEWEST, OF_OPERATOR };

static const struct {

    const char *title;
    double (*of)(const json_t *part, bool least);
    enum way way; /* from the parts to one number */
    bool over_contract;
} panels[PANELS] = {
    {"How many bytes are asked for?  (over x once, y once)", bytes_of, SUM, true},
    {"How many bytes of sectors are touched?  (the same)", sectors_of, SUM, true},
    {"Has every multiprocessor a block?  (fewest; 132 dotted)", most_blocks, FEWEST, false},
    {"At how many barriers does a block wait, at most?", barriers_of, MOST, false},
    {"How many kernels does a call launch?", launches_of, OF_OPERATOR, false},
    {"How many bytes of scratch does it allocate?", scratch_of, OF_OPERATOR, false},
};

/* Merge has little to do and little to be split: of blocks, only the stages that read x are asked. */
static bool counts_for(int panel, const char *part) {
    return panels[panel].way != FEWEST || strcmp(part, "merge") != 0;
}

static double value_of(const json_t *of_case, int panel, const char *side) {
    json_t *parts = json_object_get(of_case, "parts");
    const json_t *part;
    const char *name;
    double value = NAN;
    const bool stages = json_object_size(parts) > 1, least = strcmp(side, "least") == 0;
    const double contract = 2 * number_in(of_case, "rows") * number_in(of_case, "cols") *
                            (strcmp(text_in(of_case, "type"), "FP32") == 0 ? 4 : 2);
    json_object_foreach(parts, name, part) {
        const json_t *counts = json_object_get(part, side);
        const bool is_operator = strcmp(name, "operator") == 0;
        if ((!least && !json_object_get(counts, "kernels")) || !counts_for(panel, name) ||
            is_operator != (panels[panel].way == OF_OPERATOR || !stages))
            continue;
        const double one = panels[panel].of(counts, least);
        value = isnan(value)                  ? one
                : panels[panel].way == SUM    ? value + one
                : panels[panel].way == FEWEST ? fmin(value, one)
                                              : fmax(value, one);
    }
    return panels[panel].over_contract ? value / contract : value;
}

static const char *const fills[] = {"solid 1.0", "solid 0.35", "empty"};
static const char *const colours[] = {"#0b5fa5", "#b3470b", "#333333"};

static void write_value(FILE *out, double value) {
    if (isnan(value))
        fprintf(out, " NaN");
    else
        fprintf(out, " %.9g", value);
}

static char *value_words(double value) {
    return isnan(value)                           ? copy_text("?")
           : value < 100 && value != floor(value) ? format_text("%.2f", value)
                                                  : count_words(value);
}

static void write_panel(FILE *out, const json_t *record, int panel) {
    const json_t *of_case;
    size_t i;
    double high = 0;
    fprintf(out, "unset label\nset title ");
    text_write(out, panels[panel].title);
    fprintf(out, " noenhanced\n$data << END\n");
    int shapes = 0;
    json_array_foreach(json_object_get(record, "cases"), i, of_case) {
        if (strcmp(text_in(of_case, "type"), "FP32") != 0 || shapes == MOST_SHAPES_DRAWN)
            continue;
        char *shape = shape_words(of_case);
        fprintf(out, "\"%s\"", shape);
        free(shape);
        static const char *const sides[] = {"yours", "other", "least"};
        char *words[3];
        for (int s = 0; s < 3; s++)
            words[s] = value_words(value_of(of_case, panel, sides[s]));
        const bool same = strcmp(words[0], words[1]) == 0 && strcmp(words[1], words[2]) == 0;
        for (int s = 0; s < 3; s++) {
            const double value = value_of(of_case, panel, sides[s]);
            high = fmax(high, value);
            write_value(out, value);
            fprintf(out, " \"%s\"", same && s != 1 ? "" : words[s]);
        }
        for (int s = 0; s < 3; s++)
            free(words[s]);
        fprintf(out, "\n");
        shapes++;
    }
    fprintf(out, "END\nset xrange [-0.6:%.1f]\n", shapes - 0.4);
    const bool blocks = panels[panel].way == FEWEST;
    fprintf(out, "set yrange [0:%.9g]\n", high > 0 ? 1.25 * high : 1);
    /* Three bars beside each other, the number above each. */
    for (int s = 0; s < (blocks ? 2 : 3); s++)
        fprintf(out,
                "%s $data using ($0%+.2f):%d:(0.26) with boxes fillstyle %s border linecolor rgb '%s' "
                "linecolor rgb '%s' notitle, "
                "$data using ($0%+.2f):%d:%d with labels offset 0,0.6 font ',8' noenhanced notitle",
                s ? "," : "plot", 0.28 * (s - 1), 2 * s + 2, fills[s], colours[s], colours[s], 0.28 * (s - 1),
                2 * s + 2, 2 * s + 3);
    if (blocks)
        fprintf(out, ", %d with lines linestyle 11 notitle", (int)MULTIPROCESSORS);
    fprintf(out, ", $data using 0:(NaN):xticlabels(1) notitle\n");
}

/* One for the whole page: a square and a name. */
static void write_key(FILE *out, const char *other, double top) {
    const char *const names[] = {"yours", other, "the least that the contract allows"};
    for (int s = 0; s < 3; s++) {
        const double x = 0.33 + 0.1 * s;
        fprintf(out,
                "set object rectangle from screen %.4f, screen %.4f to screen %.4f, screen %.4f fillcolor "
                "rgb '%s' "
                "fillstyle %s border linecolor rgb '%s'\nset label ",
                x, top - 0.008, x + 0.014, top + 0.008, colours[s], fills[s], colours[s]);
        text_write(out, names[s]);
        fprintf(out, " at screen %.4f, screen %.4f left noenhanced font ',10'\n", x + 0.019, top);
    }
}

static void write_script(FILE *out, const json_t *record, const char *format, const char *path) {
    const char *other = text_in(json_object_get(record, "other"), "name");
    const int height = 2 * ROW + TOP + BOTTOM;
    fprintf(out, "set terminal %s size %d,%d font 'DejaVu Sans,10' background rgb 'white'\nset output '%s'\n",
            format, WIDTH, height, path);
    fprintf(out, "load 'benchmarks/style.gp'\nset rmargin 3\nset lmargin 8\n"
                 "set xtics scale 0 font ',9'\nset multiplot\n");

    for (int i = 0; i < PANELS; i++) {
        fprintf(out, "set origin %.4f, %.4f\nset size 0.3333, %.4f\n", (i % 3) / 3.0,
                1 - (double)(TOP + (i / 3 + 1) * ROW) / height, (double)ROW / height);
        write_panel(out, record, i);
    }
    char *title = format_text("%s: yours beside %s", text_in(record, "exercise"), other);
    fprintf(out, "reset\nset origin 0, 0\nset size 1, 1\nunset border\nunset tics\nunset key\nset xrange "
                 "[0:1]\nset yrange [0:1]\n");
    write_key(out, other, 1 - 50.0 / height);
    fprintf(out, "set label ");
    text_write(out, title);
    fprintf(out, " at screen 0.5, screen %.4f center noenhanced font ',15'\nset label ", 1 - 24.0 / height);
    text_write(out, "Counts from the simulator, FP32; no times. Least: what the contract allows. More of it "
                    "is in compare.json.");
    fprintf(out,
            " at screen 0.015, screen %.4f left noenhanced font ',9'\nplot NaN notitle\nunset multiplot\n",
            18.0 / height);
    free(title);
}

char *compare_draw(const json_t *record, const char *folder) {
    static const char *const formats[][2] = {{"pngcairo", "png"}, {"svg dynamic", "svg"}};
    char *trouble = NULL;
    for (int i = 0; i < 2 && !trouble; i++) {
        char *path = format_text("%s/compare.%s", folder, formats[i][1]), *aside = figure_aside(path),
             *script = NULL;
        size_t size;
        FILE *out = open_memstream(&script, &size);
        write_script(out, record, formats[i][0], aside);
        fclose(out);
        trouble = figure_run(script, aside, path);
        free(script);
        free(aside);
        free(path);
    }
    return trouble;
}
