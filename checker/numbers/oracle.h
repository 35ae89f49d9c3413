/* What the right answer is, in FP64: states of online softmax and the softmax of a row.
 *
 * Source: Milakov and Gimelshein, "Online normalizer calculation for softmax" (arXiv 1805.02867), computed
 * the safe way, in two passes. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stddef.h>

/* The maximum of some values and the sum of exp(value - max). Of nothing, and of -inf alone: (-inf, 0). Where
 * a value is NaN or +inf: (NaN, NaN). */
struct oracle_state {
    double max, sum;
};

struct oracle_state oracle_state_of(const double *values, size_t count);

/* The state of all values that the given states describe. */
struct oracle_state oracle_merge(const struct oracle_state *states, size_t count);

/* exp(value - max) / sum: the probability of a value in a row with this state; NaN where the row is all -inf. */
double oracle_probability(double value, struct oracle_state row);

#endif
