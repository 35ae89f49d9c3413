/* Mistakes of row_reduction, recognised by their numbers. */
#ifndef ROW_REDUCTION_RECOGNISE_H
#define ROW_REDUCTION_RECOGNISE_H

#include "row_problem.h"
#include "suites/shared/comparison.h"

/* What a wrong element is looked at together with. */
struct judged {
    const struct row_problem *problem;
    const struct outcome *outcome;
    const double *expected; /* row_problem_expected() */
    struct row_placed placed;
};

diagnosis recognise_scaled, recognise_max, recognise_sum;

#endif
