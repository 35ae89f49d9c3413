/* The whole operator, called many times in one process on the same memory with new values each time. An
 * answer that is kept from an earlier call (by address, by shape) is wrong here, and so is one that is right
 * for the first calls only. */
#include "parts.h"

#include <math.h>
#include <string.h>

enum {
    CASES = 8,
    CALLS = 30,
    ROWS = 2,
    COLS = 320,
    BYTES = ROWS * COLS * 4, /* a multiple of 256: each y is aligned as cudaMalloc aligns it */
    CHUNK = 256
};

static bool is_right(struct context *context, const struct table *x, const float *y) {
    const double *expected = split_probabilities(context, x, split_row_states(context, x));
    double rtol, atol;
    split_tolerance(TYPE_FP32, &rtol, &atol);
    for (int i = 0; i < ROWS * COLS; i++)
        if (!(fabs(y[i] - expected[i]) <= atol + rtol * expected[i]))
            return false;
    return true;
}

static void judge_call(struct context *context, const struct table *x, const float *y, int calls_before) {
    if (is_right(context, x, y))
        return;
    if (calls_before == 0)
        split_compare_y(context, x, CHUNK, y);
    locate(context, "Call %d of the same kind, on the same x with new values.", calls_before + 1);
    explain(context, "Something is kept from one call to the next: a result, scratch memory or a count in a "
                     "static variable. Each call has to start afresh.");
    check_fail(context, "split_softmax gave a wrong y, and the %d %s before it were right.", calls_before,
               calls_before == 1 ? "call" : "calls");
}

/* One case: x is filled with the next values and the operator called, over and over, on one stream. */
static void make_calls(struct context *context, int calls_before) {
    struct test_case *test_case = case_new(context);
    struct table x[CALLS];
    char *values = check_memory(context, CALLS * BYTES);
    int step[CALLS];
    for (int i = 0; i < CALLS; i++) {
        x[i] = table_new(context, TYPE_FP32, ROWS, COLS, COLS);
        table_fill_normal(context, &x[i], 0, 2);
        memcpy(values + i * BYTES, table_layout(context, &x[i]), BYTES);
    }
    const int source = case_buffer(test_case, "source", PLACE_DEVICE, BUFFER_READ_ONLY, CALLS * BYTES, values,
                                   CALLS * BYTES);
    const int input = case_buffer(test_case, "x", PLACE_DEVICE, BUFFER_RETURN, BYTES, NULL, 0);
    const struct guarded y = guarded_add(test_case, "y", TYPE_FP32, (size_t)CALLS * ROWS * COLS, 256);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    for (int i = 0; i < CALLS; i++) {
        struct operand to = guarded_matrix(y, ROWS, COLS);
        to.offset += (int64_t)i * BYTES;
        case_copy_part(test_case, stream, at_buffer(input, 0), at_buffer(source, (int64_t)i * BYTES), BYTES);
        step[i] = split_call(test_case, stream, table_operand(&x[i], input, 0), to, CHUNK);
    }
    case_wait_stream(test_case, stream);

    const struct outcome *outcome = case_run(test_case);
    for (int i = 0; i < CALLS; i++)
        split_check_call(context, outcome, step[i], stream, &x[i], CHUNK);
    check_clean(context, outcome);
    const char *elements = guarded_elements(context, outcome, y, "split_softmax");
    for (int i = 0; i < CALLS; i++) {
        check_success(context, outcome, step[i], "split_softmax");
        judge_call(context, &x[i], (const float *)(const void *)(elements + i * BYTES), calls_before + i);
    }
    table_check_unchanged(context, outcome, &x[CALLS - 1], input, "split_softmax");
}

void split_operator_repeated(struct context *context) {
    for (int i = 0; i < CASES; i++)
        make_calls(context, i * CALLS);
}
