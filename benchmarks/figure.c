/* Drawing a figure: gnuplot runs its script (figure_script.c) once for PNG and once for SVG. */
#include "base/memory.h"
#include "panel_script.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Feeds gnuplot. Returns null or a sentence. */
static char *run_gnuplot(const char *script) {
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    FILE *gnuplot = popen("gnuplot - >/dev/null 2>&1", "w");
    const bool fed = gnuplot && fputs(script, gnuplot) != EOF;
    const int status = gnuplot ? pclose(gnuplot) : -1;
    signal(SIGPIPE, before);
    return fed && status == 0 ? NULL : copy_text("gnuplot did not draw the plot.");
}

char *figure_aside(const char *path) {
    return format_text("%s.%ld", path, (long)getpid());
}

char *figure_run(const char *script, const char *aside, const char *path) {
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        return copy_text(
            "gnuplot is not installed, so nothing was drawn: install it (make setup), then make plot.");
    char *trouble = run_gnuplot(script);
    struct stat drawn;
    if (trouble == NULL && (stat(aside, &drawn) != 0 || drawn.st_size == 0 || rename(aside, path) != 0))
        trouble =
            format_text("The plot could not be written to %s; what was there before is as it was.", path);
    unlink(aside);
    return trouble;
}

static char *draw(const struct figure *figure, const char *format, const char *path_stem,
                  const char *suffix) {
    char *path = format_text("%s.%s", path_stem, suffix), *aside = figure_aside(path), *script = NULL;
    size_t size;
    FILE *out = open_memstream(&script, &size);
    figure_write(out, figure, format, aside);
    fclose(out);
    char *trouble = figure_run(script, aside, path);
    free(script);
    free(aside);
    free(path);
    return trouble;
}

char *figure_draw(const struct figure *figure, const char *path_stem) {
    char *trouble = draw(figure, "pngcairo", path_stem, "png");
    return trouble ? trouble : draw(figure, "svg dynamic", path_stem, "svg");
}
