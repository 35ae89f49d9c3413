/* The numbers that are measured with, what softmax makes of them in FP64, and whether an output agrees. */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include "exercise.h"

struct workload {
    struct shape shape;
    enum element_type type;
    size_t bytes;     /* of the matrix with its padding: rows * pitch elements */
    void *values;     /* [rows, pitch]; padding is poison, 0xFF */
    double *expected; /* [rows, cols], from the FP64 oracle */
};

struct workload workload_new(const struct shape *shape, enum element_type type, uint64_t seed);
void workload_free(struct workload *workload);

struct agreement {
    bool right;
    double worst_error; /* the largest |got - expected| */
    double worst_share; /* the largest error as a share of what the tolerance allows */
    int64_t row, col; /* where the first wrong element is, when !right; col -1: the sum of the row is wrong */
    double got, expected;
};

/* Compares rows first_row to first_row + rows - 1, of which y [rows, pitch] is the output. The input was the
 * workload's values, each row turned left by shift columns: x[i][j] = values[i][(j + shift) % cols]. */
struct agreement workload_check(const struct workload *workload, const void *y, int64_t shift,
                                int64_t first_row, int64_t rows);

/* "row 3, column 17 is 0.25, and should be 0.5", from malloc. */
char *agreement_words(const struct agreement *agreement);

#endif
