/* Between panel.c, figure_script.c and figure.c. */
#ifndef BENCH_PANEL_SCRIPT_H
#define BENCH_PANEL_SCRIPT_H

#include "panel.h"

/* Writes a text in double quotes, a line's end as gnuplot has it. In these, gnuplot runs what stands between
 * backquotes as a command and knows escapes: texts come from records, so both are replaced. */
void text_write(FILE *out, const char *text);

/* Has gnuplot run a script that draws into `aside`, and puts that in place. Returns null or a sentence (from malloc). */
char *figure_aside(const char *path);
char *figure_run(const char *script, const char *aside, const char *path);

/* Writes gnuplot's commands for the panel. */
void panel_write(FILE *out, const struct panel *panel);

/* Writes the whole script. format: of gnuplot's terminal. path: what it draws. */
void figure_write(FILE *out, const struct figure *figure, const char *format, const char *path);

#endif
