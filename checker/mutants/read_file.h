/* A whole file as text. */
#ifndef MUTANTS_READ_FILE_H
#define MUTANTS_READ_FILE_H

#include "../remarks/buffer.h"

/* Ends the program with a sentence, status 2, when the file cannot be read. text is never null, and ends in a
 * 0. */
struct buffer read_file(const char *path);

/* Line and column, from 1, of an offset into a text. */
void line_of(const char *text, size_t offset, int *line, int *column);

#endif
