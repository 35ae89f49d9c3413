/* Stage rows: many rows, and how they are dealt out to blocks. */
#include "checks.h"
#include "suites/shared/launchable.h"
#include "traffic.h"

static const int each_number[] = {1, 2, 4, 8}; /* that rows_per_block may be */

void rows_each_number(struct context *context) {
    for (int i = 0; i < 4; i++) {
        struct problem problem = problem_new(context, TYPE_FP32, 24, 100, 100, each_number[i]);
        problem.on_stream = true;
        problem_run(context, &problem);
    }
}

void rows_last_block(struct context *context) {
    for (int i = 1; i < 4; i++)
        for (int64_t rows = 1; rows <= 9; rows += i < 3 ? 2 : 1) {
            const struct problem problem = problem_new(context, TYPE_FP32, rows, 40, 40, each_number[i]);
            problem_run(context, &problem);
        }
}

void rows_grid(struct context *context) {
    const int64_t rows[] = {1, 7, 8, 9, 33};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++) {
            const struct problem problem = problem_new(context, TYPE_FP32, rows[j], 16, 16, each_number[i]);
            const struct outcome *outcome = problem_run(context, &problem);
            check_grid(context, outcome, &problem);
            check_rows_of_a_block(context, outcome, &problem);
            check_no_scratch(context, outcome);
        }
}

/* Fills and copies are in no count. With the kernel's launch made to fail, what they write to y is all there
 * is. */
static void expect_no_fill(struct context *context) {
    struct problem problem = problem_new(context, TYPE_FP32, 13, 320, 320, 4);
    problem.y_known = true;
    struct test_case *test_case = case_new(context);
    case_fail(test_case, FAIL_LAUNCH, 1);
    const struct placed placed =
        problem_add(context, test_case, &problem, case_stream(test_case, STREAM_NONBLOCKING));
    const struct outcome *outcome = case_run(test_case);
    if (outcome->status != OUTCOME_OK || outcome->kernel_count > 0 ||
        problem_y_is_untouched(context, outcome, &problem, placed))
        return;
    locate(context, "A call whose launch was made to fail.");
    explain(context,
            "The kernel stores every element of y, so there is nothing to fill or to clear before: a "
            "cudaMemsetAsync costs as much time as the stores themselves.");
    check_fail(context,
               "y was written although the kernel was not launched: its elements are written more than "
               "once.");
}

void rows_one_pass(struct context *context) {
    need_counts(context);
    for (int i = 0; i < 4; i++) { /* the other types come with the last stage: operator.types */
        const struct problem problem = problem_new(context, TYPE_FP32, 13, 320, 320, each_number[i]);
        const struct outcome *outcome = problem_run(context, &problem);
        check_one_pass(context, outcome, &problem);
        check_no_scratch(context, outcome);
    }
    expect_no_fill(context);
}

/* The grid for 2^28 - 1 rows of 4 floats, which are just below 4 GiB. They are not in memory: the kernel
 * stops at the first of them, and what it was launched with is judged. */
static void expect_largest_grid(struct context *context, int rows_per_block) {
    const int64_t rows = ((int64_t)1 << 28) - 1, cols = 4;
    const struct problem problem = {.x = {.rows = rows, .cols = cols, .pitch = cols},
                                    .rows_per_block = rows_per_block};
    struct test_case *test_case = case_new(context);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, 0, 256, NULL, 0),
              y = far_buffer(context, test_case, "y", 256),
              stream = case_stream(test_case, STREAM_NONBLOCKING);
    const int step = case_call(test_case, FUNCTION_FUSED_SOFTMAX, stream,
                               (struct arguments){.number = {rows_per_block},
                                                  .operand = {matrix_in(x, TYPE_FP32, rows, cols, cols),
                                                              matrix_in(y, TYPE_FP32, rows, cols, cols)}});
    const struct outcome *outcome = case_run(test_case);
    const char *what = check_text(context, "2^28 - 1 rows of 4 floats, %d for each block.", rows_per_block);
    check_launchable(context, outcome, what);
    locate(context, "%s", what);
    if (outcome->kernel_count == 0) /* what kept it from launching is told, and not "0 blocks" */
        check_success(context, outcome, step, "fused_softmax");
    check_grid(context, outcome, &problem);
}

/* More blocks than grid.y can hold, and all of them in one launch. */
void rows_many(struct context *context) {
    const struct problem few = problem_new(context, TYPE_FP32, 300, 4, 4, 1),
                         problem = problem_new(context, TYPE_FP32, 65537, 4, 4, 1);
    check_grid(context, problem_run(context, &few),
               &few); /* what is wrong here needs no more rows to be told */
    if (!problem_sample_is_right(context, &problem))
        check_grid(context, problem_run(context, &problem), &problem);
    for (int i = 0; i < 4 && accesses_are_seen(context); i++)
        expect_largest_grid(context, each_number[i]);
}
