/* One panel of a figure: values over a few named places on the x axis, with their spread, and horizontal
 * lines. Everything is told apart by dash, point and a label at the end of its line, so that it can be read
 * without colour and without a legend. */
#ifndef BENCH_PANEL_H
#define BENCH_PANEL_H

#include <stdbool.h>
#include <stdio.h>

enum { MOST_PLACES = 8, MOST_SERIES = 24 };

struct series {
    char name[96];
    double value[MOST_PLACES];                  /* NaN: no value here */
    double low[MOST_PLACES], high[MOST_PLACES]; /* the bar; NaN: none */
    bool show_values;                           /* written at its points */
    bool line; /* one value for all places: drawn as a line across, without points */
    int style; /* of its curve, from 1, so that a colour means the same in all panels; 0: the next one */
    unsigned members; /* after panel_join */
    bool beside;      /* drawn finer, behind the others: what they are compared with */
};

struct panel {
    char title[128]; /* empty: this place of the figure is left free */
    char x_label[64], y_label[64];
    char place[MOST_PLACES][32];
    int places;
    struct series series[MOST_SERIES];
    int count;
    bool logarithmic;
    bool from_zero;
};

struct figure {
    char title[256], note[512]; /* above and below all panels; the note may have several lines */
    struct panel *panels;       /* row by row */
    int rows, columns;
};

struct panel panel_new(const char *title, const char *x_label, const char *y_label);

/* Adds a series whose values are all NaN. The name is cut where it is too long; a panel that is full gives
 * its last series again. */
struct series *panel_add(struct panel *panel, const char *name, bool line);

/* Series that have the same values in all places, as far as can be seen, become one: the first, whose members say which
 * they were (1 << index). Its name stays the first's. */
void panel_join(struct panel *panel);

/* Writes PATH_STEM.png and PATH_STEM.svg, each whole or not at all. Returns null or a sentence (from malloc). */
char *figure_draw(const struct figure *figure, const char *path_stem);

#endif
