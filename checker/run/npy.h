/* NumPy's .npy files, as far as a matrix of numbers needs them: versions 1 to 3, C order, little-endian, one
 * or two dimensions. The format: numpy.lib.format, "Format Version 1.0" and what follows. */
#ifndef NPY_H
#define NPY_H

#include <stddef.h>
#include <stdint.h>

struct npy {
    char type[4]; /* "f2", "f4", "f8" or "u2" */
    size_t element_bytes;
    int64_t rows, cols; /* a file of one dimension is one row */
    void *data;         /* rows * cols elements, from malloc */
};

/* Elements that a file may have: what the operators take, and more than anyone waits for. */
enum { NPY_MAX_ELEMENTS = 1 << 28 };

/* Returns NULL, or a sentence (from malloc) that says what is wrong with the file; then npy holds nothing. */
char *npy_read(const char *path, struct npy *npy);

/* Writes version 1, two dimensions. Returns NULL, or a sentence (from malloc); then there is no half a file. */
char *npy_write(const char *path, const struct npy *npy);

#endif
