/* The whole operator, called many times in one process on the same memory with new keys each time. An answer that is
 * kept from an earlier call (by address, by shape) is wrong here, and so is one that is right for the first calls
 * only. */
#include "parts.h"

#include <math.h>
#include <string.h>

#define FUNCTION "split_attention"

enum {
    CASES = 8,
    CALLS = 15,
    HEADS = 2,
    LENGTH = 66,
    DIM = 64,
    CHUNK = 64,
    BYTES = HEADS * LENGTH * DIM * 4
};

/* Each call has a y of its own, aligned as cudaMalloc aligns it. */
enum { Y_BYTES = HEADS * DIM * 4 };

static bool is_right(struct context *context, const struct problem *problem, const float *y) {
    const struct truth truth = attention_truth(context, problem);
    const double *allowed =
        attention_tolerance(context, TYPE_FP32, truth.y, truth.largest, problem->heads, problem->dim);
    for (int i = 0; i < HEADS * DIM; i++)
        if (!(fabs(y[i] - truth.y[i]) <= allowed[i]))
            return false;
    return true;
}

static void judge_call(struct context *context, const struct problem *problem, const float *y,
                       int calls_before) {
    if (is_right(context, problem, y))
        return;
    if (calls_before == 0)
        attention_compare_y(context, problem, y);
    locate(context, "Call %d of the same kind, on the same k with new values.", calls_before + 1);
    explain(context, "Something is kept from one call to the next: a result, scratch memory or a count in a "
                     "static variable. Each call has to start afresh.");
    check_fail(context, FUNCTION " gave a wrong y, and the %d %s before it were right.", calls_before,
               calls_before == 1 ? "call" : "calls");
}

/* One case: k is filled with the next values and the operator called, over and over, on one stream. */
static void make_calls(struct context *context, int calls_before) {
    struct test_case *test_case = case_new(context);
    struct problem problem[CALLS];
    char *values = check_memory(context, CALLS * BYTES);
    int step[CALLS];
    problem[0] = attention_drawn(context, TYPE_FP32, HEADS, LENGTH, DIM, CHUNK);
    struct inputs inputs = attention_inputs_add(context, test_case, &problem[0], "");
    for (int i = 0; i < CALLS; i++) {
        problem[i] = problem[0];
        problem[i].k = table_new(context, TYPE_FP32, HEADS * LENGTH, DIM, DIM);
        table_fill_normal(context, &problem[i].k, 0, 1);
        memcpy(values + i * BYTES, table_layout(context, &problem[i].k), BYTES);
    }
    const int source = case_buffer(test_case, "source", PLACE_DEVICE, BUFFER_READ_ONLY, CALLS * BYTES, values,
                                   CALLS * BYTES);
    inputs.k.buffer = case_buffer(test_case, "k in time", PLACE_DEVICE, BUFFER_RETURN, BYTES, NULL, 0);
    const struct guarded y = guarded_add(test_case, "y", TYPE_FP32, (size_t)CALLS * HEADS * DIM, 256);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    for (int i = 0; i < CALLS; i++) {
        struct operand to = guarded_matrix(y, HEADS, DIM);
        to.offset += (int64_t)i * Y_BYTES;
        case_copy_part(test_case, stream, at_buffer(inputs.k.buffer, 0),
                       at_buffer(source, (int64_t)i * BYTES), BYTES);
        step[i] = attention_call(test_case, stream, &problem[i], &inputs, to);
    }
    case_wait_stream(test_case, stream);

    const struct outcome *outcome = case_run(test_case);
    for (int i = 0; i < CALLS; i++)
        attention_check_call(context, outcome, step[i], stream, &problem[i]);
    check_clean(context, outcome);
    const char *elements = guarded_elements(context, outcome, y, FUNCTION);
    for (int i = 0; i < CALLS; i++) {
        check_success(context, outcome, step[i], FUNCTION);
        judge_call(context, &problem[i], (const float *)(const void *)(elements + i * Y_BYTES),
                   calls_before + i);
    }
    attention_inputs_check_unchanged(context, outcome, &problem[CALLS - 1], &inputs, FUNCTION);
}

void attention_operator_repeated(struct context *context) {
    for (int i = 0; i < CASES; i++)
        make_calls(context, i * CALLS);
}
