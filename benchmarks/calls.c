/* One call of a function of an exercise, by itself, with right inputs (see calls.h). */
#include "calls.h"
#include "base/memory.h"
#include "numbers/oracle.h"
#include <stdlib.h>

const struct operator_part operator_parts[] = {{"split_softmax", "partials", FUNCTION_SPLIT_PARTIALS},
                                               {"split_softmax", "merge", FUNCTION_SPLIT_MERGE},
                                               {"split_softmax", "normalize", FUNCTION_SPLIT_NORMALIZE},
                                               {"split_softmax", "operator", FUNCTION_SPLIT_SOFTMAX},
                                               {"fused_softmax", "operator", FUNCTION_FUSED_SOFTMAX},
                                               {0}};

struct call {
    const struct workload *workload;
    const struct setting *setting;
    enum function function;
};

static void put_state(float *max, float *sum, int64_t at, struct oracle_state state) {
    max[at] = (float)state.max;
    sum[at] = (float)state.sum;
}

/* The states of the chunks, [rows, chunks], and of the rows. */
struct states {
    float *partial_max, *partial_sum, *row_max, *row_sum;
    int64_t chunks;
};

static struct states make_states(struct context *context, const struct call *call, const void *values) {
    const struct shape *shape = &call->setting->shape;
    const int64_t chunk = call->setting->parameter, chunks = (shape->cols + chunk - 1) / chunk;
    const size_t bytes = sizeof(float) * (size_t)shape->rows;
    struct states states = {check_memory(context, bytes * (size_t)chunks),
                            check_memory(context, bytes * (size_t)chunks), check_memory(context, bytes),
                            check_memory(context, bytes), chunks};
    double *row = check_memory(context, sizeof(double) * (size_t)shape->cols);
    for (int64_t i = 0; i < shape->rows; i++) {
        for (int64_t col = 0; col < shape->cols; col++)
            row[col] = element_get(values, (size_t)(i * shape->pitch + col), call->setting->type);
        for (int64_t t = 0; t < chunks; t++) {
            const int64_t left = shape->cols - t * chunk;
            put_state(states.partial_max, states.partial_sum, i * chunks + t,
                      oracle_state_of(row + t * chunk, (size_t)(left < chunk ? left : chunk)));
        }
        put_state(states.row_max, states.row_sum, i, oracle_state_of(row, (size_t)shape->cols));
    }
    return states;
}

static struct operand given(struct test_case *test_case, const char *name, const float *values,
                            int64_t count) {
    const size_t bytes = sizeof *values * (size_t)count;
    return at_buffer(case_buffer(test_case, name, PLACE_DEVICE, BUFFER_READ_ONLY, bytes, values, bytes), 0);
}

static struct operand wanted(struct test_case *test_case, const char *name, int64_t count) {
    return at_buffer(case_buffer(test_case, name, PLACE_DEVICE, 0, sizeof(float) * (size_t)count, NULL, 0),
                     0);
}

static struct operand matrix_buffer(struct test_case *test_case, const struct call *call, const char *name,
                                    const void *values) {
    const struct shape *shape = &call->setting->shape;
    const size_t bytes = call->workload->bytes;
    const int buffer = case_buffer(test_case, name, PLACE_DEVICE, values ? BUFFER_READ_ONLY : BUFFER_RETURN,
                                   bytes, values, values ? bytes : 0);
    return matrix_in(buffer, (int)call->setting->type, shape->rows, shape->cols, shape->pitch);
}

struct arguments call_arguments(struct context *context, struct test_case *test_case,
                                const struct workload *workload, const struct setting *setting,
                                enum function function) {
    const struct call made = {workload, setting, function}, *call = &made;
    void *values = workload_matrix(call->workload, 0);
    const struct shape *shape = &call->setting->shape;
    const int64_t parameter = call->setting->parameter;
    struct arguments arguments = {.number = {parameter}};
    struct operand *operand = arguments.operand;
    if (call->function == FUNCTION_SPLIT_PARTIALS || call->function == FUNCTION_SPLIT_MERGE ||
        call->function == FUNCTION_SPLIT_NORMALIZE) {
        const struct states states = make_states(context, call, values);
        const int64_t all = shape->rows * states.chunks;
        if (call->function == FUNCTION_SPLIT_PARTIALS) {
            operand[0] = matrix_buffer(test_case, call, "x", values);
            operand[1] = wanted(test_case, "partial_max", all);
            operand[2] = wanted(test_case, "partial_sum", all);
        } else if (call->function == FUNCTION_SPLIT_MERGE) {
            arguments.number[0] = shape->rows;
            arguments.number[1] = states.chunks;
            operand[0] = given(test_case, "partial_max", states.partial_max, all);
            operand[1] = given(test_case, "partial_sum", states.partial_sum, all);
            operand[2] = wanted(test_case, "row_max", shape->rows);
            operand[3] = wanted(test_case, "row_sum", shape->rows);
        } else {
            operand[0] = matrix_buffer(test_case, call, "x", values);
            operand[1] = given(test_case, "row_max", states.row_max, shape->rows);
            operand[2] = given(test_case, "row_sum", states.row_sum, shape->rows);
            operand[3] = matrix_buffer(test_case, call, "y", NULL);
        }
    } else {
        operand[0] = matrix_buffer(test_case, call, "x", values);
        operand[1] = matrix_buffer(test_case, call, "y", NULL);
    }
    free(values);
    return arguments;
}
