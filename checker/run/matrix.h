/* The matrix of make run: read from a file or drawn, in the type that the operator gets, and what came of it. */
#ifndef MATRIX_H
#define MATRIX_H

#include "check/check.h"
#include "npy.h"
#include "numbers/element.h"

struct run_matrix {
    enum element_type type;
    int64_t rows, cols;
    void *x, *y; /* rows * cols elements each; y: what the operator wrote */
};

/* How right a row is. */
struct row_result {
    int64_t wrong;        /* elements outside the tolerance */
    int64_t worst;        /* column of the largest error beyond it, or of the largest error */
    double got, expected; /* there */
    double sum;           /* of what was written */
};

struct tolerance {
    double rtol, atol;
};

struct row_result row_compare(const struct run_matrix *matrix, int64_t row, struct tolerance tolerance);

/* Prints a row's verdict; small rows with their numbers. */
void row_print(const struct run_matrix *matrix, int64_t row, const struct row_result *result);

#endif
