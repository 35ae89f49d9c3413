/* The file of reasons: why a mutant that no check finds is no fault at all.
 *
 *   split_softmax.c
 *   - the line as it is
 *   + the line as it is in the mutant
 *   The reason, in one line or several, up to an empty line. Several pairs of - and + may share one.
 *
 * Lines that begin with # are comments. Blanks at the beginning of a quoted line do not count. */
#ifndef MUTANTS_REASONS_H
#define MUTANTS_REASONS_H

#include <stdbool.h>
#include <stddef.h>

struct reason {
    char *file, *before, *after, *text; /* text: never empty */
    bool used;
};

struct reasons {
    struct reason *items;
    size_t count, capacity;
};

/* Reads a text, which is cut into lines. Returns null, or what is wrong with it and the line; what was read
 * until then has to be freed all the same. */
const char *reasons_parse(char *text, struct reasons *reasons, int *line);

/* Reads a file. Ends the program with a sentence, status 2, where the file cannot be read or makes no sense. */
struct reasons reasons_read(const char *path);
void reasons_free(struct reasons *reasons);

/* The reason for this mutant, marked as used; null: there is none. */
const char *reasons_find(struct reasons *reasons, const char *file, const char *before, const char *after);

#endif
