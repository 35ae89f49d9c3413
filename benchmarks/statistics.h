/* Medians, quartiles, and whether one variant is faster than another. */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include <stddef.h>

struct summary {
    double min, lower, median, upper, max; /* lower and upper: the quartiles */
};

/* Of at least one sample. Quantiles between two samples are interpolated linearly. */
struct summary summarize(const double *samples, size_t count);

enum comparison { COMPARED_FASTER, COMPARED_SLOWER, COMPARED_SAME, COMPARED_UNKNOWN };

/* An interval for the median of a[i] / b[i], where a[i] and b[i] come from the same round. */
struct ratio {
    double low, median, high;
    double confidence;       /* that the interval holds the median: at least 0.95 where there are 6 samples */
    enum comparison verdict; /* of a against b */
};

/* Ratios nearer to 1 than this are called the same: clocks and placement move medians by as much. */
#define SAME_WITHIN 0.02

/* By ranks (the sign test turned round): no assumption on how the samples are distributed. count >= 1. */
struct ratio compare_samples(const double *a, const double *b, size_t count);

const char *comparison_words(enum comparison comparison); /* "faster", "slower", "the same", "cannot tell" */

#endif
