/* A panel as a gnuplot script (see panel.h); figure.c runs it. */
#include "base/memory.h"
#include "panel_script.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct panel panel_new(const char *title, const char *x_label, const char *y_label) {
    struct panel panel = {0};
    snprintf(panel.title, sizeof panel.title, "%s", title);
    snprintf(panel.x_label, sizeof panel.x_label, "%s", x_label);
    snprintf(panel.y_label, sizeof panel.y_label, "%s", y_label);
    return panel;
}

struct series *panel_add(struct panel *panel, const char *name, bool line) {
    struct series *series = &panel->series[panel->count < MOST_SERIES ? panel->count++ : MOST_SERIES - 1];
    *series = (struct series){.line = line};
    snprintf(series->name, sizeof series->name, "%s", name);
    for (int i = 0; i < MOST_PLACES; i++)
        series->value[i] = series->low[i] = series->high[i] = NAN;
    return series;
}

static bool same_values(const struct panel *panel, const struct series *a, const struct series *b) {
    for (int i = 0; i < panel->places; i++)
        if (isnan(a->value[i]) != isnan(b->value[i]) ||
            fabs(a->value[i] - b->value[i]) > 0.01 * fabs(a->value[i]))
            return false;
    return true;
}

void panel_join(struct panel *panel) {
    int kept = 0;
    for (int s = 0; s < panel->count; s++) {
        int same = -1;
        for (int k = 0; k < kept && same < 0; k++)
            if (!panel->series[s].line && !panel->series[k].line &&
                same_values(panel, &panel->series[s], &panel->series[k]))
                same = k;
        if (same < 0) {
            panel->series[kept] = panel->series[s];
            panel->series[kept++].members = 1u << s;
        } else
            panel->series[same].members |= 1u << s;
    }
    panel->count = kept;
}

void text_write(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '\n')
            fputs("\\n", out);
        else if (*text == '"' || *text == '`')
            fputc('\'', out);
        else
            fputc(*text == '\\' ? '/' : *text < ' ' || *text > '~' ? '?' : *text, out);
    }
    fputc('"', out);
}

/* A command whose argument is a text, and what follows that. */
static void write_command(FILE *out, const char *command, const char *text, const char *rest) {
    fprintf(out, "%s ", command);
    text_write(out, text);
    fprintf(out, "%s\n", rest);
}

/* Times in microseconds, counts and ratios lie between these; a record may hold anything. */
static const double least_drawn = 1e-9, most_drawn = 1e15;

static bool is_logarithmic(const struct panel *panel, double low) {
    return panel->logarithmic && low >= least_drawn;
}

/* Whether there are values, and all are 0. */
static bool is_nothing(const struct panel *panel) {
    double most = NAN;
    for (int s = 0; s < panel->count; s++)
        for (int i = 0; i < panel->places; i++)
            most = fmax(most, fabs(panel->series[s].value[i]));
    return most == 0;
}

/* The range that holds every value and bar, with some room. False: there is nothing to draw, or nothing that
 * can be. */
static bool find_range(const struct panel *panel, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (int s = 0; s < panel->count; s++)
        for (int i = 0; i < panel->places; i++) {
            const struct series *series = &panel->series[s];
            *low = fmin(*low, fmin(series->value[i], series->low[i])); /* fmin passes over a NaN */
            *high = fmax(*high, fmax(series->value[i], series->high[i]));
        }
    if (!(*low <= *high) || *low < -most_drawn || *high > most_drawn)
        return false;
    if (is_logarithmic(panel, *low)) {
        const double room = fmax(pow(*high / *low, 0.12), 1.15);
        *low /= room;
        *high *= room;
    } else if (*high == 0 && *low == 0) {
        *high = 1; /* none at all: a line on the ground, on an axis without numbers */
    } else {
        const double room = *high > *low ? 0.12 * (*high - *low) : 0.1 * fabs(*high) + 1;
        *low = panel->from_zero || *low == 0 ? 0 : *low - room;
        *high += panel->from_zero ? 0.15 * *high : room;
    }
    return true;
}

enum { LABEL_LINES = 18 /* of a label's size that fit beside a panel */ };

static int lines_in(const char *text) {
    int lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Room between labels: as much as is left, up to most of a line. */
static double label_gap(const struct panel *panel) {
    const double line = 1.0 / LABEL_LINES;
    double left = 1;
    for (int s = 0; s < panel->count; s++)
        left -= lines_in(panel->series[s].name) * line;
    return fmax(0, fmin(0.8 * line, left / panel->count));
}

/* Moves labels apart, whose middles are at these heights (0 to 1, in order of size), until none covers another. */
static double gap_between(const double *tall, const int *order, int upper) {
    return (tall[order[upper]] + tall[order[upper - 1]]) / 2;
}

static void move_apart(double *height, const int *order, int count, const double *tall) {
    for (int i = 1; i < count; i++)
        if (height[order[i]] < height[order[i - 1]] + gap_between(tall, order, i))
            height[order[i]] = height[order[i - 1]] + gap_between(tall, order, i);
    const double over = count ? height[order[count - 1]] + tall[order[count - 1]] / 2 - 1.03 : 0;
    if (over > 0)
        height[order[count - 1]] -= over;
    for (int i = count - 2; i >= 0; i--)
        if (height[order[i]] > height[order[i + 1]] - gap_between(tall, order, i + 1))
            height[order[i]] = height[order[i + 1]] - gap_between(tall, order, i + 1);
}

/* The line style of a series: its own, or the next one of its kind. */
static int style_of(const struct series *series, int *next) {
    return series->line    ? 11 + (*next)++ % 5
           : series->style ? 1 + (series->style - 1) % 6
                           : 1 + (*next)++ % 6;
}

/* The names, each at the height where its line ends on the right. */
static void write_labels(FILE *out, const struct panel *panel, double low, double high) {
    double height[MOST_SERIES], tall[MOST_SERIES];
    int order[MOST_SERIES], style[MOST_SERIES], count = 0, curve = 0, line = 0;
    const double gap = label_gap(panel);
    for (int s = 0; s < panel->count; s++) {
        double last = NAN;
        for (int i = 0; i < panel->places; i++)
            last = isnan(panel->series[s].value[i]) ? last : panel->series[s].value[i];
        style[s] = style_of(&panel->series[s], panel->series[s].line ? &line : &curve);
        if (isnan(last))
            continue;
        height[s] =
            is_logarithmic(panel, low) ? log(last / low) / log(high / low) : (last - low) / (high - low);
        tall[s] = (double)lines_in(panel->series[s].name) / LABEL_LINES + gap;
        int at = count++;
        for (; at > 0 && height[order[at - 1]] > height[s]; at--)
            order[at] = order[at - 1];
        order[at] = s;
    }
    move_apart(height, order, count, tall);
    for (int i = 0; i < count; i++) {
        const int s = order[i];
        const int lines = lines_in(panel->series[s].name); /* a label is placed by its first */
        char *rest =
            format_text(" at graph 1.02, graph %.4f left noenhanced font ',9' textcolor linestyle %d",
                        height[s] + (lines - 1.0) / 2 / LABEL_LINES, style[s]);
        write_command(out, "set label", panel->series[s].name, rest);
        free(rest);
    }
}

static void write_data(FILE *out, const struct panel *panel) {
    for (int s = 0; s < panel->count; s++) {
        const struct series *series = &panel->series[s];
        fprintf(out, "$data%d << END\n", s);
        for (int i = 0; i < panel->places; i++)
            if (!isnan(series->value[i]))
                fprintf(out, "%d %.9g %.9g %.9g\n", i, series->value[i],
                        isnan(series->low[i]) ? series->value[i] : series->low[i],
                        isnan(series->high[i]) ? series->value[i] : series->high[i]);
        if (series->line && !isnan(series->value[0]))
            fprintf(out, "%.2f %.9g %.9g %.9g\n", panel->places - 0.7, series->value[0], series->value[0],
                    series->value[0]);
        fprintf(out, "END\n");
    }
}

static bool has_values(const struct panel *panel, const struct series *series) {
    for (int i = 0; i < panel->places; i++)
        if (!isnan(series->value[i]))
            return true;
    return false;
}

static void write_plots(FILE *out, const struct panel *panel) {
    const char *separator = "plot";
    int curve = 0, line = 0;
    for (int s = 0; s < panel->count; s++) {
        const struct series *series = &panel->series[s];
        const int style = style_of(series, series->line ? &line : &curve);
        if (!has_values(panel, series))
            continue;
        if (series->line) {
            fprintf(out, "%s $data%d using 1:2 with lines linestyle %d notitle", separator, s, style);
        } else {
            const char *finer =
                series->beside ? " dashtype (2,4) linewidth 1.2 pointtype 6 pointsize 1.8" : "";
            fprintf(out, "%s $data%d using 1:2:3:4 with yerrorbars linestyle %d dashtype 1 notitle",
                    separator, s, style);
            fprintf(out, ", $data%d using 1:2 with linespoints linestyle %d%s notitle", s, style, finer);
        }
        separator = ",";
    }
    fprintf(out, "\n");
}

/* Ticks at each power of ten; at 2 and 5 times it too where the range has room for them; in a short range,
 * which may hold none of these, at every digit. */
static void write_logarithmic_ticks(FILE *out, double low, double high) {
    static const double powers[] = {1}, some[] = {1, 2, 5}, all[] = {1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9};
    const char *separator = "";
    const double range = high / low;
    const double *steps = range > 300 ? powers : range < 4 ? all : some;
    const int count = range > 300 ? 1 : range < 4 ? 10 : 3;
    fprintf(out, "set ytics (");
    for (double decade = pow(10, floor(log10(low))); decade <= high; decade *= 10) {
        for (int i = 0; i < count; i++) {
            const double tick = decade * steps[i];
            if (tick < low || tick > high)
                continue;
            if (tick >= 1e4 && tick < 1e6)
                fprintf(out, "%s\"%.6g k\" %.9g", separator, tick / 1e3, tick);
            else if (tick < 1e6)
                fprintf(out, "%s\"%.6g\" %.9g", separator, tick, tick);
            else
                fprintf(out, "%s\"%.6g M\" %.9g", separator, tick / 1e6, tick);
            separator = ", ";
        }
    }
    fprintf(out, ")\n");
}

/* Whether another series with numbers at its points lies above this one here. */
static bool has_one_above(const struct panel *panel, int series, int place) {
    for (int s = 0; s < panel->count; s++)
        if (panel->series[s].show_values &&
            panel->series[s].value[place] > panel->series[series].value[place])
            return true;
    return false;
}

/* The numbers at the points: above them, or below where another curve with numbers is above. */
static void write_values(FILE *out, const struct panel *panel) {
    for (int s = 0; s < panel->count; s++)
        for (int i = 0; i < panel->places && panel->series[s].show_values; i++)
            if (!isnan(panel->series[s].value[i]))
                fprintf(out, "set label \"%.3g\" at %d, %.9g center offset 0,%s font ',9' noenhanced\n",
                        panel->series[s].value[i], i, panel->series[s].value[i],
                        has_one_above(panel, s, i) ? "-0.9" : "0.9");
}

void panel_write(FILE *out, const struct panel *panel) {
    double low, high;
    if (panel->title[0] == '\0') /* a place left free */
        return;
    fprintf(out, "unset label\nunset logscale y\n");
    write_command(out, "set title", panel->title, " noenhanced");
    write_command(out, "set xlabel", panel->x_label, " noenhanced");
    write_command(out, "set ylabel", panel->y_label, " noenhanced");
    if (!find_range(panel, &low, &high)) {
        fprintf(out, "set label \"no values\" at graph 0.5, graph 0.5 center\nset xrange [0:1]\n"
                     "set yrange [0:1]\nset xtics ()\nset ytics ()\nplot NaN notitle\n");
        return;
    }
    fprintf(out, "set xrange [-0.3:%.2f]\nset yrange [%.9g:%.9g]\nset xtics (", panel->places - 0.7, low,
            high);
    for (int i = 0; i < panel->places; i++)
        fprintf(out, "%s\"%s\" %d", i ? ", " : "", panel->place[i], i);
    fprintf(out, ")\n");

    if (is_logarithmic(panel, low)) {
        char *scale = format_text("%s (log scale)", panel->y_label);
        write_command(out, "set ylabel", scale, " noenhanced");
        free(scale);
        fprintf(out, "set logscale y\n");
        write_logarithmic_ticks(out, low, high);
    } else if (is_nothing(panel)) {
        fprintf(out, "set ytics (\"0\" 0)\nset label \"none\" at graph 0.5, graph 0.5 center\n");
    } else {
        fprintf(out, "set ytics autofreq\nset format y '%s'\n", high >= 1e5 ? "%.0s %c" : "%g");
    }
    write_values(out, panel);
    write_labels(out, panel, low, high);
    write_data(out, panel);
    write_plots(out, panel);
}
