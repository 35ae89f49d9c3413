/* Between panel.c and figure.c. */
#ifndef BENCH_PANEL_SCRIPT_H
#define BENCH_PANEL_SCRIPT_H

#include "panel.h"

/* Writes gnuplot's commands for the panel. */
void panel_write(FILE *out, const struct panel *panel);

#endif
