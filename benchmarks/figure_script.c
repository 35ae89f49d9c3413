/* A figure as one gnuplot script: its panels (panel.c) side by side, under style.gp. */
#include "base/memory.h"
#include "panel_script.h"
#include <math.h>
#include <string.h>

enum { PANEL_WIDTH = 470, WIDE_PANEL = 560, PANEL_HEIGHT = 330, TOP = 60, BOTTOM = 84 };

/* The right margin that the names beside the panels need, in characters of the page; names are in a smaller size. */
static double room_for_names(const struct figure *figure) {
    size_t longest = 10;
    for (int i = 0; i < figure->rows * figure->columns; i++)
        for (int s = 0; s < figure->panels[i].count; s++)
            for (const char *name = figure->panels[i].series[s].name; *name;
                 name += strcspn(name, "\n") + (strchr(name, '\n') != NULL))
                longest = fmax(longest, strcspn(name, "\n"));
    return fmin(26, 2 + 0.68 * (double)longest);
}

/* Breaks lines at spaces, so that none has more characters. From malloc. */
static char *broken(const char *text, size_t most) {
    char *copy = copy_text(text), *space = NULL, *start = copy;
    for (char *at = copy; *at; at++) {
        if (*at == '\n')
            start = at + 1, space = NULL;
        else if (*at == ' ')
            space = at;
        if ((size_t)(at - start) >= most && space) {
            *space = '\n';
            start = space + 1;
            space = NULL;
        }
    }
    return copy;
}

void figure_write(FILE *out, const struct figure *figure, const char *format, const char *path) {
    const bool wide_panels = figure->columns <= 2; /* with room for long names */
    const int width = (wide_panels ? WIDE_PANEL : PANEL_WIDTH) * figure->columns,
              height = PANEL_HEIGHT * figure->rows + TOP + BOTTOM;
    fprintf(out, "set terminal %s size %d,%d font 'DejaVu Sans,11' background rgb 'white'\n", format, width,
            height);
    fprintf(out, "set output '%s'\nload 'benchmarks/style.gp'\n", path);
    fprintf(out, "set rmargin %.1f\nset multiplot\n", room_for_names(figure));
    const double tall = (double)PANEL_HEIGHT / height, wide = 1.0 / figure->columns;
    for (int i = 0; i < figure->rows * figure->columns; i++) {
        const int row = i / figure->columns, column = i % figure->columns;
        fprintf(out, "set origin %.5f, %.5f\nset size %.5f, %.5f\n", column * wide,
                1 - (double)TOP / height - (row + 1) * tall, wide, tall);
        panel_write(out, &figure->panels[i]);
    }
    /* The texts of the whole page: drawn with an empty plot, once. */
    fprintf(out, "reset\nset origin 0, 0\nset size 1, 1\nunset border\nunset tics\nset xrange [0:1]\nset "
                 "yrange [0:1]\n");
    fprintf(out, "set label ");
    text_write(out, figure->title);
    fprintf(out, " at screen 0.5, screen %.4f center noenhanced font ',15'\nset label ", 1 - 24.0 / height);
    char *note = broken(figure->note, (size_t)width / 7);
    text_write(out, note);
    free(note);
    fprintf(out, " at screen 0.015, screen %.4f left noenhanced font ',10'\n", (BOTTOM - 14.0) / height);
    fprintf(out, "plot NaN notitle\nunset multiplot\n");
}
