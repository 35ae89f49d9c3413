/* From single accesses to cells (see map.h). A wide access touches several elements; a byte of one is enough. */
#include "base/memory.h"
#include "map.h"
#include <string.h>

static void note(struct panel_map *panel, const struct touch *touch) {
    const struct map_buffer *buffer = panel->buffer;
    const int64_t first = ((int64_t)touch->offset - buffer->offset) / (int64_t)buffer->element,
                  last =
                      ((int64_t)touch->offset + touch->bytes - 1 - buffer->offset) / (int64_t)buffer->element;
    for (int64_t at = first < 0 ? 0 : first; at <= last && at < buffer->rows * buffer->pitch; at++) {
        struct cell *cell = &panel->cells[at];
        cell->times++;
        cell->block =
            cell->block == NO_BLOCK || cell->block == touch->block ? (int64_t)touch->block : MANY_BLOCKS;
    }
}

static bool is_of(const struct touch *touch, uint32_t kernel, uint32_t buffer, bool writes) {
    return touch->kernel == kernel && touch->buffer == (int32_t)buffer &&
           (touch->kind == TOUCH_ATOMIC || (touch->kind == TOUCH_WRITE) == writes);
}

static bool any(const struct sighting *sighting, uint32_t kernel, uint32_t buffer, bool writes) {
    for (size_t i = 0; i < sighting->touch_count; i++)
        if (is_of(&sighting->touches[i], kernel, buffer, writes))
            return true;
    return false;
}

static struct panel_map make(const struct sighting *sighting, uint32_t kernel, uint32_t index, bool writes) {
    const struct map_buffer *buffer = &sighting->buffers[index];
    const size_t cells = (size_t)(buffer->rows * buffer->pitch);
    struct panel_map panel = {sighting, buffer, kernel, writes,
                              get_memory((cells + 1) * sizeof *panel.cells)};
    for (size_t i = 0; i < cells; i++)
        panel.cells[i].block = NO_BLOCK;
    for (size_t i = 0; i < sighting->touch_count; i++)
        if (is_of(&sighting->touches[i], kernel, index, writes))
            note(&panel, &sighting->touches[i]);
    return panel;
}

size_t panels_of(const struct sightings *sightings, struct panel_map panels[MOST_PANELS], size_t *left_out) {
    size_t count = 0;
    *left_out = 0;
    for (size_t s = 0; s < sightings->count; s++) {
        const struct sighting *sighting = &sightings->items[s];
        for (uint32_t kernel = 0; kernel < sighting->kernel_count; kernel++)
            for (int writes = 0; writes < 2; writes++)
                for (uint32_t buffer = 0; buffer < sighting->buffer_count; buffer++) {
                    const struct map_buffer *of = &sighting->buffers[buffer];
                    if (!any(sighting, kernel, buffer, writes))
                        continue;
                    if (count == MOST_PANELS || of->rows * of->pitch > MOST_CELLS)
                        (*left_out)++;
                    else
                        panels[count++] = make(sighting, kernel, buffer, writes);
                }
    }
    return count;
}

/* How many cells of the rows themselves, and of their padding, were touched so often. */
struct tally {
    int64_t never, once, more, most, padding, shared;
};

static struct tally count_cells(const struct panel_map *panel) {
    const struct map_buffer *buffer = panel->buffer;
    struct tally tally = {0};
    for (int64_t at = 0; at < buffer->rows * buffer->pitch; at++) {
        const struct cell *cell = &panel->cells[at];
        if (at % buffer->pitch >= buffer->cols) {
            tally.padding += cell->times > 0;
            continue;
        }
        tally.never += cell->times == 0;
        tally.once += cell->times == 1;
        tally.more += cell->times > 1;
        tally.shared += cell->block == MANY_BLOCKS;
        tally.most = cell->times > tally.most ? cell->times : tally.most;
    }
    return tally;
}

/* Adds a count; what: a comma or semicolon, and the words after the number. */
static char *longer(char *words, const char *what, int64_t count) {
    char *whole = format_text("%s%s%lld%s", words, what[0] == ';' ? "; " : ", ", (long long)count, what + 1);
    free(words);
    return whole;
}

char *panel_words(const struct panel_map *panel) {
    const struct tally tally = count_cells(panel);
    const char *done = panel->writes ? "written" : "read";
    const long long all = (long long)(tally.never + tally.once + tally.more);
    char *words = tally.more == 0 && tally.never == 0
                      ? format_text("each of %lld elements %s once", all, done)
                  : tally.never == 0 && tally.once == 0
                      ? format_text("each of %lld elements %s more than once, up to %lld times", all, done,
                                    (long long)tally.most)
                      : format_text("of %lld elements %lld %s once", all, (long long)tally.once, done);
    if (tally.more > 0 && (tally.once > 0 || tally.never > 0))
        words = longer(words, ", more often", tally.more);
    if (tally.never > 0)
        words = longer(words, ", never", tally.never);
    if (tally.shared > 0)
        words = longer(words, "; by more than one block", tally.shared);
    if (tally.padding > 0)
        words = longer(words, "; of the padding too", tally.padding);
    return words;
}
