/* The student's states of a list's chunks (see list.h), by what the checks of the exercise share. */
#include "check/context.h"
#include "list.h"
#include "suites/online_softmax/states.h"
#include <math.h>

static struct list chunk_of(const struct list_map *map, size_t index) {
    const size_t first = index * map->chunk, left = map->count - first;
    return (struct list){map->values + first, left < map->chunk ? left : map->chunk};
}

static struct list_map *map_of(struct context *context) {
    return ((const struct list_check *)(const void *)context->check)->map;
}

void list_summarize(struct context *context) {
    struct list_map *map = map_of(context);
    struct list lists[MOST_CHUNKS];
    for (size_t i = 0; i < map->chunks; i++)
        lists[i] = chunk_of(map, i);
    const struct state *states = summarize_each(context, lists, map->chunks);
    for (size_t i = 0; i < map->chunks; i++)
        map->own[i] = (struct list_state){states[i].max, states[i].sum};
    map->summarized = true;
}

void list_merge(struct context *context) {
    struct list_map *map = map_of(context);
    map->merged[0] = map->own[0];
    for (size_t i = 1; i < map->chunks; i++) {
        const struct state_pair pair = {{map->merged[i - 1].max, map->merged[i - 1].sum},
                                        {map->own[i].max, map->own[i].sum}};
        const struct state state = *merge_each(context, &pair, 1);
        map->merged[i] = (struct list_state){state.max, state.sum};
    }
    map->are_merged = true;
}

void list_find_right(struct list_map *map) {
    struct state running = {-INFINITY, 0};
    for (size_t i = 0; i < map->chunks; i++) {
        const struct state state = exact_state(chunk_of(map, i));
        running = exact_merge(running, state);
        map->right[i] = (struct list_state){state.max, state.sum};
        map->right_merged[i] = (struct list_state){running.max, running.sum};
    }
}

size_t list_chunk_size(const struct list_map *map, size_t index) {
    return chunk_of(map, index).count;
}

bool list_is_right(struct list_state got, struct list_state right) {
    return got.max == right.max && close_enough(got.sum, right.sum);
}
