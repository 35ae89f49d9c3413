/* Changes to a text, collected in any order and applied at once. */
#ifndef TRANSLATE_EDITS_H
#define TRANSLATE_EDITS_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>

struct edit {
    size_t start, end; /* the stretch that is replaced; empty for an insertion */
    size_t order;      /* of two at one place, the earlier comes first */
    char *text;
    size_t bytes;
};

struct edits {
    struct edit *items;
    size_t count, capacity;
};

/* Replaces [start, end) by a copy of text. */
void edits_replace(struct edits *edits, size_t start, size_t end, const char *text);
void edits_replace_bytes(struct edits *edits, size_t start, size_t end, const char *text, size_t bytes);

/* Replaces [start, end) by as many spaces; newlines stay. */
void edits_blank(struct edits *edits, const char *source, size_t start, size_t end);

/* Writes the changed text to out. False: two changes overlap, at offset *where of the source. */
bool edits_apply(struct edits *edits, const char *source, size_t length, struct buffer *out, size_t *where);

void edits_free(struct edits *edits);

#endif
