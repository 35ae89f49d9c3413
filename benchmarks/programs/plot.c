/* plot: draws a record of make bench with gnuplot, on any machine.
 *
 *   plot FOLDER RECORD.json [RECORDED.json]    the figures of a record; one of counts takes one of times
 * beside it plot --two FOLDER A.json B.json            the times of two records in one figure */
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

static bool measures(const json_t *document, const char *what) {
    return strcmp(text_in(document, "measures"), what) == 0;
}

static void drawn(char *trouble, const char *folder, const char *name) {
    if (trouble)
        give_up(trouble);
    printf("drawn: %s/%s.png and .svg\n", folder, name);
}

static void draw_one(const char *folder, const json_t *document, const json_t *recorded) {
    if (measures(document, "counts")) {
        drawn(figure_of_counts(document, recorded, folder), folder, "counts");
        return;
    }
    drawn(figure_of_times(document, "warm", folder), folder, "time-warm");
    drawn(figure_of_times(document, "cold", folder), folder, "time-cold");
    drawn(figure_of_speedup(document, folder), folder, "speed-up");
    drawn(figure_of_share(document, folder), folder, "share-of-copy");
}

static void draw_two(const char *folder, const json_t *a, const json_t *b) {
    const char *refusal = two_runs_refuse(a, b);
    if (refusal)
        give_up(refusal);
    drawn(figure_of_two(a, b, folder), folder, "overlay");
}

int main(int count, char **arguments) {
    if (count == 5 && strcmp(arguments[1], "--two") == 0) {
        draw_two(arguments[2], read_record(arguments[3]), read_record(arguments[4]));
    } else if (count == 3 || count == 4) {
        json_t *document = read_record(arguments[2]), *recorded = NULL;
        char *trouble = NULL;
        if (count == 4) { /* the record beside: welcome, not needed */
            recorded = document_read(arguments[3], &trouble);
            if (trouble)
                fprintf(stderr, "%s\n", trouble);
        }
        draw_one(arguments[1], document, recorded);
    } else {
        give_up("plot FOLDER RECORD.json [RECORDED.json], or plot --two FOLDER A.json B.json");
    }
    return 0;
}
