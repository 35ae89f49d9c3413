/* The map of online_softmax, which is plain C: no access is seen, so the list is drawn with its chunks, and at each the state
 * that the student's own functions give, beside the right one where it is another.
 *
 *   list_states.c   the calls, and what is right
 *   list.c          asks for them, says and draws them */
#ifndef MAP_LIST_H
#define MAP_LIST_H

#include "check/check.h"
#include <stdbool.h>
#include <stdio.h>

enum { MOST_VALUES = 200, MOST_CHUNKS = 6 };

struct list_state {
    double max, sum;
};

struct list_map {
    double values[MOST_VALUES];
    size_t count, chunk, chunks;
    struct list_state own[MOST_CHUNKS], right[MOST_CHUNKS];           /* of each chunk */
    struct list_state merged[MOST_CHUNKS], right_merged[MOST_CHUNKS]; /* of it and all before */
    bool summarized, are_merged;
    char *no_summary, *no_merge; /* why not; from malloc */
};

struct session;

/* ---- list_states.c ---- */

/* A check that observes: run() gets at the map by it. */
struct list_check {
    struct check check; /* first */
    struct list_map *map;
};

void list_summarize(struct context *context);
void list_merge(struct context *context); /* from left to right, as a row's chunks are merged */
void list_find_right(struct list_map *map);
size_t list_chunk_size(const struct list_map *map, size_t index);
bool list_is_right(struct list_state got, struct list_state right);

/* ---- list.c ---- */

/* Draws numbers, and asks the submission for their states. count and chunk: within the limits above. */
void list_take(const struct session *session, size_t count, size_t chunk, struct list_map *map);
void list_print(FILE *out, const struct list_map *map);
/* Draws FOLDER/map.png and .svg. Returns null or a sentence (from malloc). */
char *list_draw(const struct list_map *map, const char *title, const char *folder);

#endif
