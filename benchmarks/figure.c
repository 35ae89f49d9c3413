/* Drawing a figure: its panels as one gnuplot script (style.gp and panel.c), run once for PNG and once for
 * SVG. */
#include "memory.h"
#include "panel_script.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PANEL_WIDTH = 470, PANEL_HEIGHT = 330, TOP = 60, BOTTOM = 70, NOT_FOUND = 127 };

static void write_script(FILE *out, const struct figure *figure, const char *format, const char *path) {
    const int width = PANEL_WIDTH * figure->columns, height = PANEL_HEIGHT * figure->rows + TOP + BOTTOM;
    fprintf(out, "set terminal %s size %d,%d font 'DejaVu Sans,11' background rgb 'white'\n", format, width,
            height);
    fprintf(out, "set output '%s'\nload 'benchmarks/style.gp'\n", path);
    fprintf(out, "set multiplot\n");
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
    fprintf(out, "set label \"%s\" at screen 0.5, screen %.4f center noenhanced font ',15'\n", figure->title,
            1 - 24.0 / height);
    fprintf(out, "set label \"%s\" at screen 0.015, screen %.4f left noenhanced font ',10'\n", figure->note,
            (BOTTOM - 14.0) / height);
    fprintf(out, "plot NaN notitle\nunset multiplot\n");
}

/* Feeds gnuplot. Returns null or a sentence. */
static char *run_gnuplot(const char *script) {
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    FILE *gnuplot = popen("gnuplot - >/dev/null 2>&1", "w");
    const bool fed = gnuplot && fputs(script, gnuplot) != EOF;
    const int status = gnuplot ? pclose(gnuplot) : -1;
    signal(SIGPIPE, before);
    return fed && status == 0 ? NULL : copy_text("gnuplot did not draw the plot.");
}

static char *draw(const struct figure *figure, const char *format, const char *path_stem,
                  const char *suffix) {
    char *path = format_text("%s.%s", path_stem, suffix),
         *aside = format_text("%s.%ld", path, (long)getpid());
    char *script = NULL, *trouble;
    size_t size;
    FILE *out = open_memstream(&script, &size);
    write_script(out, figure, format, aside);
    fclose(out);
    trouble = run_gnuplot(script);
    struct stat drawn;
    if (trouble == NULL && (stat(aside, &drawn) != 0 || drawn.st_size == 0 || rename(aside, path) != 0))
        trouble =
            format_text("The plot could not be written to %s; what was there before is as it was.", path);
    unlink(aside);
    free(script);
    free(aside);
    free(path);
    return trouble;
}

char *figure_draw(const struct figure *figure, const char *path_stem) {
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        return copy_text(
            "gnuplot is not installed, so nothing was drawn: install it (make setup), then make plot.");
    char *trouble = draw(figure, "pngcairo", path_stem, "png");
    return trouble ? trouble : draw(figure, "svg dynamic", path_stem, "svg");
}
