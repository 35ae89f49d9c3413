/* Stage max: one value for a row. */
#include "checks.h"
#include "far_apart.h"

#include <float.h>
#include <math.h>

static struct row_problem one_row(struct context *context, const double *values, int64_t cols) {
    struct row_problem problem = row_problem_new(context, FUNCTION_ROW_MAX, 1, cols, cols);
    for (int64_t col = 0; col < cols; col++)
        table_set(&problem.x, 0, col, values[col]);
    return problem;
}

void max_by_hand(struct context *context) {
    static const double four[] = {2, 9, 3, 5}, eight[] = {1, 4, 2, 3, 0, -7, 2, 6};
    const struct row_problem first = one_row(context, four, 4), second = one_row(context, eight, 8);
    row_problem_run(context, &first);
    row_problem_run(context, &second);
    struct row_problem both = row_problem_new(context, FUNCTION_ROW_MAX, 2, 4, 4);
    for (int64_t i = 0; i < 8; i++)
        table_set(&both.x, i / 4, i % 4, eight[i]);
    row_problem_run(context, &both);
}

/* Row r has its maximum in column r, so that each column once decides: one that is lost shows. */
static void expect_each_column_counts(struct context *context, int64_t cols) {
    struct row_problem problem = row_problem_new(context, FUNCTION_ROW_MAX, cols, cols, cols);
    for (int64_t row = 0; row < cols; row++)
        table_set(&problem.x, row, row, 20 + (double)(row % 7));
    row_problem_run(context, &problem);
}

/* Widths around those of a warp and of blocks. */
void max_widths(struct context *context) {
    /* First a shape in which one mistake looks unlike another. */
    struct row_problem drawn = row_problem_new(context, FUNCTION_ROW_MAX, 12, 1000, 1000);
    table_fill_normal(context, &drawn.x, 50, 2);
    row_problem_run(context, &drawn);
    static const int64_t widths[] = {1,   2,   3,   31,  32,  33,   63,   64,   65,   127,  128, 129,
                                     255, 256, 257, 511, 513, 1000, 1023, 1024, 1025, 2049, 5000};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct row_problem problem = row_problem_new(context, FUNCTION_ROW_MAX, 3, widths[i], widths[i]);
        table_fill_normal(context, &problem.x, 50, 2); /* where a maximum starts: max.negatives */
        table_set(&problem.x, 0, 0, 90);
        table_set(&problem.x, 1, widths[i] - 1, 90);
        row_problem_run(context, &problem);
    }
    expect_each_column_counts(context, 70);
    expect_each_column_counts(context, 1030);
}

/* Where a maximum that starts at 0, at the smallest positive number or at a large negative one is wrong. */
void max_negatives(struct context *context) {
    static const double means[] = {-3, -1000, -2e12, -3e38};
    static const int64_t widths[] = {1, 40, 700};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) {
            struct row_problem problem = row_problem_new(context, FUNCTION_ROW_MAX, 2, widths[j], widths[j]);
            for (int64_t n = 0; n < 2 * widths[j]; n++)
                table_set(&problem.x, n / widths[j], n % widths[j],
                          means[i] * check_uniform(context, 0.5, 1));
            row_problem_run(context, &problem);
        }
}

/* Rows of -inf: throughout, but for one column, here and there, and beside the lowest number there is. */
void max_masked(struct context *context) {
    struct row_problem problem = row_problem_new(context, FUNCTION_ROW_MAX, 5, 600, 600);
    table_fill_row(&problem.x, 0, -INFINITY);
    table_fill_row(&problem.x, 1, -INFINITY);
    table_set(&problem.x, 1, 417, -2.5);
    table_fill_row(&problem.x, 2, -INFINITY);
    table_set(&problem.x, 2, 599, -FLT_MAX);
    for (int64_t col = 0; col < 600; col++)
        if (col % 3 == 0 || (col >= 64 && col < 400))
            table_set(&problem.x, 3, col, -INFINITY);
    row_problem_run(context, &problem);
    struct row_problem narrow = row_problem_new(context, FUNCTION_ROW_MAX, 2, 1, 1);
    table_fill_row(&narrow.x, 0, -INFINITY);
    row_problem_run(context, &narrow);
}

void max_pitch(struct context *context) {
    static const int64_t shapes[][3] = {{4, 5, 8}, {3, 300, 301}, {7, 1, 64}, {2, 255, 257}, {5, 1000, 1024}};
    static const double paddings[] = {3e4, 0, NAN};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int j = 0; j < 3; j++) {
            struct row_problem problem =
                row_problem_new(context, FUNCTION_ROW_MAX, shapes[i][0], shapes[i][1], shapes[i][2]);
            problem.padding = paddings[j];
            for (int64_t n = 0; paddings[j] == 0 && n < shapes[i][0] * shapes[i][1]; n++)
                table_set(&problem.x, n / shapes[i][1], n % shapes[i][1], check_uniform(context, -9, -1));
            problem.guarded = true;
            problem.output_known = j == 0;
            row_problem_run(context, &problem);
        }
    run_far_apart(context, FUNCTION_ROW_MAX);
}
