/* A wrong element, and what it is looked at together with: mistakes are recognised by their numbers. Each states
 * what every row would come to, and is told only where all rows came to that: one number fits many a mistake by
 * chance. */
#ifndef ROW_REDUCTION_JUDGED_H
#define ROW_REDUCTION_JUDGED_H

#include "row_problem.h"

struct judged {
    const struct row_problem *problem;
    const struct outcome *outcome;
    const double *expected; /* row_problem_expected() */
    struct row_placed placed;
};

/* Results of row_max or row_sum as a mistake has them: of a row, with a parameter that says more. */
struct mistake {
    double (*result)(const struct judged *judged, int64_t row, int64_t parameter);
    int64_t parameter;
    const char *means, *section;
};

const struct table *row_input(const struct judged *judged);
bool row_is_sum(const struct judged *judged);

/* Element n of x as it lies in memory, padding and all. */
double row_in_memory(const struct judged *judged, int64_t n);

double row_magnitudes(const struct table *x, int64_t row);

/* Explains by the first mistake that accounts for every row. */
bool row_explain_first(struct context *context, const struct judged *judged, const struct mistake *mistakes,
                       size_t count);

/* Results of mistakes: rows taken at row * cols, up to the pitch, all together, or row 0 for each. */
double row_at_cols(const struct judged *judged, int64_t row, int64_t unused);
double row_with_padding(const struct judged *judged, int64_t row, int64_t unused);
double row_of_all_rows(const struct judged *judged, int64_t unused, int64_t parameter);
double row_of_row_zero(const struct judged *judged, int64_t unused, int64_t parameter);

/* Explains by columns that were left out. */
bool row_recognise_part(struct context *context, const struct judged *judged);

/* The output was known before the call, and this is what it held. */
bool row_recognise_unwritten(struct context *context, const struct judged *judged, double got);

/* A sentence where races are not seen, else "". */
const char *row_maybe_barrier(const struct context *context);

#endif
