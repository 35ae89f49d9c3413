/* A function, called many times in one process on the same x and the same output with new values each time. A
 * result that is kept from an earlier call, or added to it, is wrong here, and so is one that is right for the
 * first calls only. */
#include "checks.h"
#include "row_problem.h"

#include <string.h>

enum { CASES = 10, CALLS = 12, ROWS = 2, COLS = 64, BYTES = ROWS * COLS * 4 };

static void make_calls(struct context *context, enum function function, int calls_before) {
    struct test_case *test_case = case_new(context);
    struct row_problem problems[CALLS];
    struct row_placed placed[CALLS];
    char *values = check_memory(context, CALLS * BYTES);
    for (int i = 0; i < CALLS; i++) {
        problems[i] = row_problem_new(context, function, ROWS, COLS, COLS);
        problems[i].factor = (double)(calls_before + i) - 3.5;
        memcpy(values + (size_t)i * BYTES, row_problem_layout(context, &problems[i]), BYTES);
    }
    const int source = case_buffer(test_case, "source", PLACE_DEVICE, BUFFER_READ_ONLY, CALLS * BYTES, values,
                                   CALLS * BYTES);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, 0, BYTES, NULL, 0);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    for (int i = 0; i < CALLS; i++) {
        case_copy_part(test_case, stream, at_buffer(x, 0), at_buffer(source, (int64_t)i * BYTES), BYTES);
        placed[i] = row_problem_add_output(context, test_case, &problems[i], stream, x);
    }
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    for (int i = 0; i < CALLS; i++) {
        problems[i].explained = calls_before + i > 0;
        if (problems[i].explained)
            explain(context,
                    "This was call %d on the same x with new values, and those before it were right. "
                    "Something is kept from one call to the next: each has to start afresh.",
                    calls_before + i + 1);
        row_problem_check(context, outcome, &problems[i], placed[i]);
    }
}

static void expect_repeated(struct context *context, enum function function) {
    for (int i = 0; i < CASES; i++)
        make_calls(context, function, i * CALLS);
}

void scale_repeated(struct context *context) {
    expect_repeated(context, FUNCTION_ROW_SCALE);
}

void max_repeated(struct context *context) {
    expect_repeated(context, FUNCTION_ROW_MAX);
}

void sum_repeated(struct context *context) {
    expect_repeated(context, FUNCTION_ROW_SUM);
}
