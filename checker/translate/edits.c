/* Changes are sorted by place, then the text is copied around them. */
#include "edits.h"

#include <stdlib.h>
#include <string.h>

void edits_replace_bytes(struct edits *edits, size_t start, size_t end, const char *text, size_t bytes) {
    if (edits->count == edits->capacity) {
        edits->capacity = edits->capacity ? 2 * edits->capacity : 32;
        edits->items = memory_resize(edits->items, edits->capacity * sizeof *edits->items);
    }
    char *copy = memory_resize(NULL, bytes);
    if (bytes)
        memcpy(copy, text, bytes);
    edits->items[edits->count] =
        (struct edit){.start = start, .end = end, .order = edits->count, .text = copy, .bytes = bytes};
    edits->count++;
}

void edits_replace(struct edits *edits, size_t start, size_t end, const char *text) {
    edits_replace_bytes(edits, start, end, text, strlen(text));
}

void edits_blank(struct edits *edits, const char *source, size_t start, size_t end) {
    struct buffer spaces = {0};
    for (size_t i = start; i < end; i++) {
        bool stays = source[i] == '\n' || source[i] == '\r' || (source[i] == '\\' && i + 1 < end);
        buffer_add(&spaces, stays ? source + i : " ", 1);
    }
    edits_replace_bytes(edits, start, end, spaces.text, spaces.size);
    memory_release(spaces.text);
}

static int by_place(const void *left, const void *right) {
    const struct edit *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

bool edits_apply(struct edits *edits, const char *source, size_t length, struct buffer *out, size_t *where) {
    size_t place = 0;
    if (edits->count)
        qsort(edits->items, edits->count, sizeof *edits->items, by_place);
    for (size_t i = 0; i < edits->count; i++) {
        const struct edit *edit = &edits->items[i];
        if (edit->start < place) {
            *where = edit->start;
            return false;
        }
        buffer_add(out, source + place, edit->start - place);
        buffer_add(out, edit->text, edit->bytes);
        place = edit->end;
    }
    buffer_add(out, source + place, length - place);
    return true;
}

void edits_free(struct edits *edits) {
    for (size_t i = 0; i < edits->count; i++)
        memory_release(edits->items[i].text);
    memory_release(edits->items);
}
