/* The numbers that are measured with, what softmax makes of them in FP64, and whether an output agrees.
 *
 * A matrix is made from a few base rows: x[i][j] = base[i % base_rows][(j + turn) % cols], where the turn of
 * a row is shift + ROW_TURN * (i / base_rows). So every row of every call differs, and the oracle has little
 * to do. */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include "exercise.h"

enum { MOST_BASE_ROWS = 64, ROW_TURN = 977 };

struct workload {
    struct shape shape;
    enum element_type type;
    int64_t base_rows;
    size_t bytes;     /* of a matrix with its padding: rows * pitch elements */
    void *base;       /* [base_rows, cols] */
    double *expected; /* [base_rows, cols]: the softmax of each base row */
};

struct workload workload_new(const struct shape *shape, enum element_type type, uint64_t seed);
void workload_free(struct workload *workload);

/* The matrix [rows, pitch] with this shift; the padding is poison, 0xFF. From malloc. */
void *workload_matrix(const struct workload *workload, int64_t shift);

struct agreement {
    bool right;
    double worst_error; /* the largest |got - expected| */
    double worst_share; /* the largest error as a share of what the tolerance allows */
    double worst_ulp;   /* the largest error of an element, in steps of the type at the right value */
    int64_t row, col; /* where the first wrong element is, when !right; col -1: the sum of the row is wrong */
    double got, expected;
};

/* Compares one row of an output, y [cols], with what the input of this shift makes right. */
struct agreement workload_check_row(const struct workload *workload, const void *y, int64_t shift,
                                    int64_t row);

/* The same for a whole output [rows, pitch], or for a random choice of its rows where it has more than most
 * elements; the first and the last row are always among them. */
struct agreement workload_check(const struct workload *workload, const void *y, int64_t shift, int64_t most,
                                uint64_t seed);

/* "row 3, column 17 is 0.25, and should be 0.5", from malloc. */
char *agreement_words(const struct agreement *agreement);

#endif
