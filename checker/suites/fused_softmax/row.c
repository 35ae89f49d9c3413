/* Stage row: one row of floats, one block. */
#include "checks.h"
#include "traffic.h"

static struct problem one_row(struct context *context, int64_t cols) {
    return problem_new(context, TYPE_FP32, 1, cols, least_pitch(cols), 1);
}

static struct problem row_of(struct context *context, const double *values, int64_t cols) {
    struct problem problem = one_row(context, cols);
    for (int64_t col = 0; col < cols; col++)
        table_set(&problem.x, 0, col, values[col]);
    return problem;
}

void row_by_hand(struct context *context) {
    const double four[] = {2, 2, 4, 2}, nine[] = {0, 1, 2, 3, 2, 1, 0, 1, 2};
    const struct problem problems[] = {row_of(context, four, 4), row_of(context, nine, 9)};
    for (int i = 0; i < 2; i++)
        problem_run(context, &problems[i]);
}

void row_widths(struct context *context) {
    const int64_t widths[] = {1,   2,   3,   16,  17,  31,  32,   33,   64,  112,
                              128, 255, 256, 257, 513, 781, 1017, 1023, 1024};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct problem problem = one_row(context, widths[i]);
        problem.on_stream = true;
        problem_run(context, &problem);
    }
}

/* Where the exponentials of unshifted values, or a maximum that starts at 0, come out as 0 or infinity. */
void row_far_from_zero(struct context *context) {
    const double means[] = {-1000, 1000, -50};
    const int64_t widths[] = {33, 781, 1};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            struct problem problem = one_row(context, widths[j]);
            table_fill_normal(context, &problem.x, means[i], 2);
            problem_run(context, &problem);
        }
}

void row_one_pass(struct context *context) {
    need_counts(context);
    const int64_t widths[] = {4, 256, 784, 1024, 781};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const struct problem problem = one_row(context, widths[i]);
        const struct outcome *outcome = problem_run(context, &problem);
        check_one_pass(context, outcome, &problem);
        check_no_scratch(context, outcome);
    }
}
