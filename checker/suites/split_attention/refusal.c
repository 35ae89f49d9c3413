/* Calls that split_attention has to refuse, with everything but one rule in order (see parts.h).
 *
 * What a call returned is judged before what it did to memory: "it accepted length = 0" says more than the
 * access out of bounds that follows from it. */
#include "parts.h"
#include "suites/shared/launchable.h"

#define FUNCTION "split_attention"

/* Room for more than the calls have, so that an overlap or a longer row stays inside the buffers. */
enum { HEADS = 2, LENGTH = 3, DIM = 64, CHUNK = 64, BUFFER_BYTES = 8192 };

struct refusal attention_valid_call_of(const char *what, int type, int64_t heads, int64_t length,
                                       int64_t dim) {
    return (struct refusal){.what = what,
                            .inputs = {.q = matrix_in(REFUSAL_Q, type, heads, dim, dim),
                                       .k = matrix_in(REFUSAL_K, type, heads * length, dim, dim),
                                       .v = matrix_in(REFUSAL_V, type, heads * length, dim, dim),
                                       .bias = matrix_in(REFUSAL_BIAS, TYPE_FP32, heads, length, length)},
                            .y = matrix_in(REFUSAL_Y, type, heads, dim, dim),
                            .type = type,
                            .heads = heads,
                            .length = length,
                            .dim = dim,
                            .chunk = CHUNK};
}

struct refusal attention_valid_call(const char *what) {
    return attention_valid_call_of(what, TYPE_FP32, HEADS, LENGTH, DIM);
}

int attention_refusal_call(struct test_case *test_case, int stream, const struct refusal *refusal) {
    struct arguments arguments = {.number = {refusal->heads, refusal->length, refusal->dim, refusal->chunk},
                                  .operand = {refusal->inputs.k, refusal->inputs.v, refusal->inputs.q,
                                              refusal->inputs.bias, refusal->y, no_operand(), no_operand(),
                                              no_operand()}};
    arguments.operand[0].type = (uint32_t)refusal->type;
    return case_call(test_case, FUNCTION_SPLIT_ATTENTION, stream, arguments);
}

/* Where REFUSAL_FAR is: behind a gap that is a buffer of its own in the simulator. */
static int add_buffers(struct context *context, struct test_case *test_case) {
    float *values = check_memory(context, BUFFER_BYTES);
    for (size_t i = 0; i < BUFFER_BYTES / sizeof *values; i++)
        values[i] = (float)check_normal(context);
    const struct {
        const char *name;
        enum place place;
        unsigned flags;
        bool filled;
    } buffers[REFUSAL_FAR] = {[REFUSAL_Q] = {"q", PLACE_DEVICE, BUFFER_READ_ONLY, true},
                              [REFUSAL_K] = {"k", PLACE_DEVICE, BUFFER_READ_ONLY, true},
                              [REFUSAL_V] = {"v", PLACE_DEVICE, BUFFER_READ_ONLY, true},
                              [REFUSAL_BIAS] = {"bias", PLACE_DEVICE, BUFFER_READ_ONLY, true},
                              [REFUSAL_Y] = {"y", PLACE_DEVICE, BUFFER_RETURN, false},
                              [REFUSAL_HOST] = {"host memory", PLACE_HOST, 0, true},
                              [REFUSAL_PINNED] = {"pinned host memory", PLACE_PINNED, 0, true},
                              [REFUSAL_MANAGED] = {"managed memory", PLACE_MANAGED, BUFFER_RETURN, false},
                              [REFUSAL_VALID_Y] = {"y of a valid call", PLACE_DEVICE, BUFFER_RETURN, false}};
    for (int i = 0; i < REFUSAL_FAR; i++)
        case_buffer(test_case, buffers[i].name, buffers[i].place, buffers[i].flags, BUFFER_BYTES, values,
                    buffers[i].filled ? BUFFER_BYTES : 0);
    return far_buffer(context, test_case, "y far from the inputs", BUFFER_BYTES);
}

void attention_refusal_buffers(struct context *context, struct test_case *test_case) {
    add_buffers(context, test_case);
}

static void check_untouched(struct context *context, const struct outcome *outcome, int buffer,
                            const char *name) {
    const unsigned char *bytes = outcome_buffer(context, outcome, buffer);
    for (int i = 0; i < BUFFER_BYTES; i++)
        if (bytes[i] != 0xFF)
            check_fail(context, FUNCTION " refused its arguments, but wrote to %s all the same (byte %d).",
                       name, i);
}

/* Nothing launched, nothing allocated, in the call of this step. */
static void check_idle(struct context *context, const struct outcome *outcome, int step, const char *what) {
    const char *order = "Check all arguments first, before anything is allocated or launched.";
    for (size_t i = 0; i < outcome->kernel_count; i++)
        if (outcome->kernels[i].step == step) {
            explain(context, "%s", order);
            check_fail(context, FUNCTION " returned cudaErrorInvalidValue where %s, but launched %s before.",
                       what, outcome->kernels[i].name);
        }
    for (size_t i = 0; i < outcome->allocation_count; i++)
        if (outcome->allocations[i].step == step) {
            explain(context, "%s", order);
            check_fail(context,
                       FUNCTION
                       " returned cudaErrorInvalidValue where %s, but asked for %llu bytes of memory before.",
                       what, (unsigned long long)outcome->allocations[i].bytes);
        }
}

/* Whether the submission refuses anything at all: a few calls that break rules which are easily written. */
static bool rules_work(struct context *context) {
    enum { BROKEN = 4 };
    struct refusal broken[BROKEN];
    for (int i = 0; i < BROKEN; i++)
        broken[i] = attention_valid_call("");
    broken[0].chunk = 1;
    broken[1].type = 99;
    broken[2].length = 0;
    broken[3].heads = -1;
    int steps[BROKEN];
    struct test_case *test_case = case_new(context);
    add_buffers(context, test_case);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    for (int i = 0; i < BROKEN; i++)
        steps[i] = attention_refusal_call(test_case, stream, &broken[i]);
    const struct outcome *outcome = case_run(test_case); /* what else they do is judged by other checks */
    for (int i = 0; i < BROKEN; i++) {
        const struct returned *returned = outcome_return(outcome, steps[i]);
        if (returned != NULL && returned->value == RETURNED_INVALID_VALUE)
            return true;
    }
    return false;
}

void attention_need_operator(struct context *context) {
    struct test_case *test_case = case_new(context);
    add_buffers(context, test_case);
    const struct refusal valid = attention_valid_call("");
    const int step = attention_refusal_call(test_case, case_stream(test_case, STREAM_NONBLOCKING), &valid);
    const struct outcome *outcome = case_run(test_case);
    const struct returned *returned = outcome_return(outcome, step);
    if (outcome->status == OUTCOME_TIMEOUT) /* one time limit is enough */
        check_clean(context, outcome);
    if (returned == NULL || returned->value != RETURNED_NOT_SUPPORTED)
        return;
    if (!rules_work(context))
        check_todo(context);
    check_waits(
        context,
        "It waits for the operator (stage operator): valid arguments still get cudaErrorNotSupported.");
}

/* Whether this call launched or allocated something, or tried to. */
static bool got_to_the_device(const struct outcome *outcome, int step) {
    bool it_did = false;
    for (size_t i = 0; i < outcome->kernel_count; i++)
        it_did |= outcome->kernels[i].step == step;
    for (size_t i = 0; i < outcome->allocation_count; i++)
        it_did |= outcome->allocations[i].step == step;
    for (size_t i = 0; i < outcome->finding_count; i++)
        it_did |= outcome->findings[i].step == step && outcome->findings[i].kind == FINDING_BAD_LAUNCH;
    return it_did;
}

static void judge_return(struct context *context, const struct outcome *outcome, int step, const char *what) {
    const struct returned *returned = outcome_return(outcome, step);
    if (returned == NULL) { /* it crashed, or never came back: then there is a finding */
        explain(context, "%s was called with arguments where %s. It has to refuse them before it uses them.",
                FUNCTION, what);
        check_clean(context, outcome);
        check_fail(context, FUNCTION " did not return where %s.", what);
    }
    if (returned->value == RETURNED_NOT_SUPPORTED) {
        if (!rules_work(context))
            check_todo(context);
        explain(context, "Other rules are written already; this one is missing, or comes too late.");
        check_fail(context,
                   FUNCTION
                   " did not refuse arguments where %s: it returned cudaErrorNotSupported. It has to return "
                   "cudaErrorInvalidValue.",
                   what);
    }
    if (returned->value == RETURNED_SUCCESS)
        check_fail(context, FUNCTION " accepted arguments where %s. It has to return cudaErrorInvalidValue.",
                   what);
    if (returned->value != RETURNED_INVALID_VALUE) {
        explain(context, "%s",
                got_to_the_device(outcome, step)
                    ? "The arguments got as far as a launch or an allocation, which then failed. They have "
                      "to be refused before."
                    : "Whichever rule is broken, the error is cudaErrorInvalidValue.");
        check_fail(context, FUNCTION " returned %s where %s. It has to return cudaErrorInvalidValue.",
                   cuda_error_name(context, returned->value), what);
    }
}

/* An operator that refuses everything would pass; this tells it apart. The rest may not be written yet. */
static void judge_valid_call(struct context *context, const struct outcome *outcome, int step) {
    const struct returned *returned = outcome_return(outcome, step);
    if (returned != NULL && returned->value == RETURNED_INVALID_VALUE)
        check_fail(context, FUNCTION
                   " refused valid arguments as well: 2 heads of 3 keys, dim 64, FP32, chunk size 64.");
}

void attention_expect_refusals(struct context *context, const struct refusal *refusals, int count) {
    struct test_case *test_case = case_new(context);
    const int far = add_buffers(context, test_case), stream = case_stream(test_case, STREAM_NONBLOCKING);
    int *steps = check_memory(context, (size_t)count * sizeof *steps);
    for (int i = 0; i < count; i++) {
        struct refusal refusal = refusals[i];
        refusal.y.buffer = refusal.y.buffer == REFUSAL_FAR ? far : refusal.y.buffer;
        refusal.inputs.q.buffer = refusal.inputs.q.buffer == REFUSAL_FAR ? far : refusal.inputs.q.buffer;
        steps[i] = attention_refusal_call(test_case, stream, &refusal);
    }
    struct refusal valid = attention_valid_call("");
    valid.y.buffer = REFUSAL_VALID_Y;
    const int valid_step = attention_refusal_call(test_case, stream, &valid);
    case_wait_stream(test_case, stream);

    const struct outcome *outcome = case_run(test_case);
    for (int i = 0; i < count; i++)
        judge_return(context, outcome, steps[i], refusals[i].what);
    judge_valid_call(context, outcome, valid_step);
    check_clean(context, outcome);
    for (int i = 0; i < count; i++)
        check_idle(context, outcome, steps[i], refusals[i].what);
    check_untouched(context, outcome, REFUSAL_Y, "y");
    check_untouched(context, outcome, REFUSAL_MANAGED, "managed memory");
}
