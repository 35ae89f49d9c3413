/* Stage sum: the same with +, and with rounding. */
#include "checks.h"
#include "far_apart.h"

#include <math.h>

static void fill_uniform(struct context *context, struct table *x, double low, double high) {
    for (int64_t row = 0; row < x->rows; row++)
        for (int64_t col = 0; col < x->cols; col++)
            table_set(x, row, col, check_uniform(context, low, high));
}

void sum_by_hand(struct context *context) {
    struct row_problem four = row_problem_new(context, FUNCTION_ROW_SUM, 1, 4, 4);
    for (int64_t col = 0; col < 4; col++)
        table_set(&four.x, 0, col, (double)(col + 1));
    row_problem_run(context, &four);
    struct row_problem rows = row_problem_new(context, FUNCTION_ROW_SUM, 2, 9, 9);
    for (int64_t i = 0; i < 18; i++)
        table_set(&rows.x, i / 9, i % 9, (double)(i % 5 + i / 9));
    row_problem_run(context, &rows);
}

/* Values between 0.5 and 1.5, so that one that is lost or counted twice shows. */
void sum_widths(struct context *context) {
    static const int64_t widths[] = {1,   2,   3,   31,  32,  33,   63,   64,   65,   127,  128, 129,
                                     255, 256, 257, 511, 513, 1000, 1023, 1024, 1025, 2049, 5000};
    /* First a shape in which one mistake looks unlike another. */
    struct row_problem drawn = row_problem_new(context, FUNCTION_ROW_SUM, 5, 1000, 1000);
    fill_uniform(context, &drawn.x, 0.5, 1.5);
    row_problem_run(context, &drawn);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct row_problem problem = row_problem_new(context, FUNCTION_ROW_SUM, 3, widths[i], widths[i]);
        fill_uniform(context, &problem.x, 0.5, 1.5);
        row_problem_run(context, &problem);
    }
    struct row_problem many = row_problem_new(context, FUNCTION_ROW_SUM, 300, 70, 70);
    fill_uniform(context, &many.x, 0.5, 1.5);
    row_problem_run(context, &many);
}

/* Positive and negative values whose sum is small beside them: 1e-5 of the magnitudes is what counts. In row 1
 * the halves cancel but for one column. */
void sum_cancelling(struct context *context) {
    struct row_problem problem = row_problem_new(context, FUNCTION_ROW_SUM, 3, 1000, 1000);
    for (int64_t col = 0; col < 500; col++) {
        const double value = check_uniform(context, 1, 1000);
        table_set(&problem.x, 1, col, value);
        table_set(&problem.x, 1, 999 - col, -value);
        table_set(&problem.x, 2, 2 * col, 1 + value);
        table_set(&problem.x, 2, 2 * col + 1, -value);
    }
    table_set(&problem.x, 1, 999, 400);
    row_problem_run(context, &problem);
}

/* One running sum in FP32 is 4e-5 of the magnitudes away in row 0, and 1e-4 in row 1, where it stays at 1;
 * 16 or more partial sums, in any order, are less than 1e-5 away. A running sum in FP16 stops at 2048, one in
 * BF16 at 256. */
void sum_accuracy(struct context *context) {
    struct row_problem problem = row_problem_new(context, FUNCTION_ROW_SUM, 2, 4096, 4096);
    table_fill_row(&problem.x, 0, 0.53);
    table_fill_row(&problem.x, 1, 3e-8);
    table_set(&problem.x, 1, 0, 1);
    row_problem_run(context, &problem);
}

void sum_pitch(struct context *context) {
    static const int64_t shapes[][3] = {{4, 5, 8}, {3, 300, 301}, {7, 1, 64}, {2, 255, 257}, {5, 1000, 1024}};
    static const double paddings[] = {3e4, NAN};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int j = 0; j < 2; j++) {
            struct row_problem problem =
                row_problem_new(context, FUNCTION_ROW_SUM, shapes[i][0], shapes[i][1], shapes[i][2]);
            problem.padding = paddings[j];
            problem.guarded = true;
            problem.output_known = j == 0;
            row_problem_run(context, &problem);
        }
    run_far_apart(context, FUNCTION_ROW_SUM);
}
