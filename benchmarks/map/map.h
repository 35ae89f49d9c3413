/* make map: a picture of who touched what. Data flows one way:
 *
 *   take.c      a run of the student's files in the simulator, every access noted -> sightings
 *   cells.c     the accesses of one kernel to one buffer -> a cell an element
 *   picture.c   cells and findings -> a page, by gnuplot
 *   list.h      online_softmax, which is plain C: the list, its chunks, and the states of the student's functions
 *
 * A panel is what one kernel did with one buffer: its reads, or its writes. */
#ifndef MAP_H
#define MAP_H

#include "calls.h"
#include "check/context.h"
#include <stdbool.h>
#include <stdint.h>

enum { MOST_CELLS = 16384, MOST_PANELS = 24, LINE_CELLS = 128 };

/* One call that was watched: copies, which outlive the check. */
struct sighting {
    char title[64]; /* "partials"; of a check: its id */
    struct kernel_trace *kernels;
    size_t kernel_count;
    struct touch *touches;
    size_t touch_count;
    struct finding *findings;
    size_t finding_count;
    bool cut;      /* there were more touches */
    int64_t chunk; /* that rows are cut into; 0: they are not */
    struct map_buffer {
        char name[NAME_BYTES];
        int64_t rows, cols, pitch; /* elements */
        size_t element;            /* bytes of one */
        int64_t offset;            /* bytes before the first */
    } buffers[CASE_MAX_BUFFERS];
    uint32_t buffer_count;
    char *reason; /* why there is nothing to see, or "" */
};

struct sightings {
    struct sighting *items;
    size_t count;
};

/* ---- take.c ---- */

/* Calls each function of the exercise on this shape. */
struct sightings take_functions(const struct session *session, const char *exercise,
                                const struct setting *setting);

/* Makes a check of the suite; the case that is shown is the one with a fault, or the last. Null count: no such check. */
struct sightings take_check(const struct session *session, const char *id);

/* ---- cells.c ---- */

enum { NO_BLOCK = -1, MANY_BLOCKS = -2 };

struct cell {
    int64_t block; /* that touched it; NO_BLOCK: none; MANY_BLOCKS: more than one */
    uint32_t times;
};

struct panel_map {
    const struct sighting *sighting;
    const struct map_buffer *buffer;
    uint32_t kernel;
    bool writes;
    struct cell *cells; /* [rows, pitch] */
};

/* The panels of all sightings, in the order of kernels; of each, reads before writes. *left_out: how many had no room. */
size_t panels_of(const struct sightings *sightings, struct panel_map panels[MOST_PANELS], size_t *left_out);

/* "1,025 elements, 1 twice, 1,023 of padding never": what the cells of a panel say. From malloc. */
char *panel_words(const struct panel_map *panel);

/* ---- picture.c ---- */

/* Draws FOLDER/map.png and .svg. Returns null or a sentence (from malloc). */
char *map_draw(const struct sightings *sightings, const char *title, const char *folder);

#endif
