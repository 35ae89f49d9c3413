/* plot: draws a record of make bench with gnuplot, on any machine.
 *
 *   plot FOLDER RECORD.json [RECORDED.json [COUNTS.json]]    the figures of a record; one of counts takes one of times
 *                                                            beside it (or ""), and other counts in the same panels
 *   plot --two FOLDER A.json B.json                          two records in one figure: both of times, or of counts */
#include "document.h"
#include "figures.h"
#include "two_runs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTHING_DRAWN = 3 };

static _Noreturn void give_up(const char *words) {
    fprintf(stderr, "%s\n", words);
    exit(NOTHING_DRAWN);
}

static json_t *read_record(const char *path) {
    char *trouble = NULL;
    json_t *document = document_read(path, &trouble);
    if (document == NULL)
        give_up(trouble);
    return document;
}

/* A record to draw beside, which is welcome, not needed. "": none. */
static json_t *read_welcome(const char *path) {
    char *trouble = NULL;
    json_t *document = path[0] ? document_read(path, &trouble) : NULL;
    if (trouble)
        fprintf(stderr, "%s\n", trouble);
    return document;
}

static bool measures(const json_t *document, const char *what) {
    return strcmp(text_in(document, "measures"), what) == 0;
}

static void drawn(char *trouble, const char *folder, const char *name) {
    if (trouble)
        give_up(trouble);
    printf("drawn: %s/%s.png and .svg\n", folder, name);
}

static void draw_one(const char *folder, const json_t *document, const json_t *recorded,
                     const json_t *beside) {
    if (measures(document, "counts")) {
        drawn(figure_of_counts(document, beside, recorded, folder, "counts"), folder, "counts");
        return;
    }
    drawn(figure_of_times(document, "warm", folder), folder, "time-warm");
    drawn(figure_of_times(document, "cold", folder), folder, "time-cold");
    drawn(figure_of_speedup(document, folder), folder, "speed-up");
    drawn(figure_of_share(document, folder), folder, "share-of-copy");
}

static void draw_two(const char *folder, const json_t *a, const json_t *b) {
    if (measures(a, "counts") && measures(b, "counts")) {
        if (strcmp(text_in(a, "exercise"), text_in(b, "exercise")) != 0)
            give_up("The two records are of different exercises.");
        drawn(figure_of_counts(a, b, NULL, folder, "overlay"), folder, "overlay");
        return;
    }
    const char *refusal = two_runs_refuse(a, b);
    if (refusal)
        give_up(refusal);
    drawn(figure_of_two(a, b, folder), folder, "overlay");
}

int main(int count, char **arguments) {
    if (count == 5 && strcmp(arguments[1], "--two") == 0) {
        draw_two(arguments[2], read_record(arguments[3]), read_record(arguments[4]));
    } else if (count >= 3 && count <= 5) {
        json_t *document = read_record(arguments[2]);
        draw_one(arguments[1], document, read_welcome(count > 3 ? arguments[3] : ""),
                 read_welcome(count > 4 ? arguments[4] : ""));
    } else {
        give_up("plot FOLDER RECORD.json [RECORDED.json [COUNTS.json]], or plot --two FOLDER A.json B.json");
    }
    return 0;
}
