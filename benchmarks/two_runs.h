/* Do two records of times agree? Medians of the same calls, taken in two runs, beside each other. */
#ifndef BENCH_TWO_RUNS_H
#define BENCH_TWO_RUNS_H

#include <jansson.h>
#include <stdio.h>

enum { TWO_RUNS_MODES = 3 };

/* Medians below this are mostly launches, and move by more than TWO_RUNS_WITHIN for reasons of no interest. */
#define TWO_RUNS_LEAST_US 10
#define TWO_RUNS_WITHIN 0.05

/* The medians of one mode. The difference of two is larger / smaller - 1. */
struct mode_agreement {
    const char *mode, *cache;
    int compared; /* medians that are in both records, one of them at least over TWO_RUNS_LEAST_US */
    int within;
    double worst;
    char worst_case[128]; /* "64 x 131072 FP16, C=256: 46.6 and 48.1 us" */
    double widest;        /* within a run: the largest distance of the quartiles, as a share of the median */
};

struct two_runs {
    struct mode_agreement modes[TWO_RUNS_MODES];
    int compared, within;
    int unmatched; /* timed in one record only */
};

/* Why two records are not laid beside each other, a sentence (from malloc), or null: both have to hold times
 * of one exercise, taken by one method. */
char *two_runs_refuse(const json_t *a, const json_t *b);

struct two_runs two_runs_compare(const json_t *a, const json_t *b);

void two_runs_print(FILE *out, const struct two_runs *runs);

/* Where the two differ in what is not the chance of a run: device, seed, samples, code. Prints a line for
 * each. */
void two_runs_print_differences(FILE *out, const json_t *a, const json_t *b);

#endif
