/* What the harnesses of this folder share. Each is a program of libFuzzer that hands any bytes to one reader
 * of the kit, which may refuse them and may neither crash, hang, leak nor touch memory that is not its own.
 * checker/tests/fuzz.sh builds and runs them; docs/fuzzing.md tells what was run. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* libFuzzer calls it with each input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What has to hold whatever the input is. */
static inline void must(bool holds) {
    if (!holds)
        abort();
}

/* A file in memory with these bytes, the one of the call before gone. Returns its path. */
static inline const char *fuzz_file(const void *bytes, size_t size) {
    static char path[64];
    static int file = -1;
    if (file < 0)
        file = memfd_create("input", 0);
    must(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

/* The bytes as text, ended by a 0; to be freed. */
static inline char *fuzz_text(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    must(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#endif
