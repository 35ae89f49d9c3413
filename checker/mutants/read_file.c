/* A whole file as text, and places in it. */
#include "read_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer read_file(const char *path) {
    struct buffer text = {0};
    char part[65536];
    size_t bytes;
    FILE *file = fopen(path, "rb");
    buffer_add(&text, "", 0);
    while (file && (bytes = fread(part, 1, sizeof part, file)) > 0)
        buffer_add(&text, part, bytes);
    if (!file || ferror(file)) {
        fprintf(stderr, "mutants: %s cannot be read: %s.\n", path, strerror(errno));
        exit(2);
    }
    fclose(file);
    return text;
}

void line_of(const char *text, size_t offset, int *line, int *column) {
    *line = *column = 1;
    for (size_t i = 0; i < offset; i++) {
        *line += text[i] == '\n';
        *column = text[i] == '\n' ? 1 : *column + 1;
    }
}
