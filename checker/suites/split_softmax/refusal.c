/* Calls that split_softmax has to refuse, with everything but one rule in order (see parts.h).
 *
 * What a call returned is judged before what it did to memory: "it accepted cols = 0" says more than the
 * access out of bounds that follows from it. */
#include "parts.h"
#include "suites/shared/launchable.h"

#define FUNCTION "split_softmax"

/* The operands are 2 x 6; room for more, so that an overlap or a longer row stays inside the buffers. */
enum { ROWS = 2, COLS = 6, CHUNK = 256, BUFFER_BYTES = 4096 };

struct refusal split_valid_call(const char *what) {
    return (struct refusal){what, matrix_in(REFUSAL_X, TYPE_FP32, ROWS, COLS, COLS),
                            matrix_in(REFUSAL_Y, TYPE_FP32, ROWS, COLS, COLS), CHUNK};
}

/* In the order of enum refusal_buffer, but for the one that lies far away. Returns that one's index. */
static int add_buffers(struct context *context, struct test_case *test_case) {
    float *values = check_memory(context, BUFFER_BYTES);
    for (size_t i = 0; i < BUFFER_BYTES / sizeof *values; i++)
        values[i] = (float)check_normal(context);
    case_buffer(test_case, "x", PLACE_DEVICE, BUFFER_READ_ONLY, BUFFER_BYTES, values, BUFFER_BYTES);
    case_buffer(test_case, "y", PLACE_DEVICE, BUFFER_RETURN, BUFFER_BYTES, NULL, 0);
    case_buffer(test_case, "host memory", PLACE_HOST, 0, BUFFER_BYTES, values, BUFFER_BYTES);
    case_buffer(test_case, "managed memory", PLACE_MANAGED, BUFFER_RETURN, BUFFER_BYTES, NULL, 0);
    case_buffer(test_case, "y of a valid call", PLACE_DEVICE, BUFFER_RETURN, BUFFER_BYTES, NULL, 0);
    case_buffer(test_case, "pinned host memory", PLACE_PINNED, 0, BUFFER_BYTES, values, BUFFER_BYTES);
    return far_buffer(context, test_case, "y far from x", BUFFER_BYTES);
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
    struct refusal broken[4];
    for (int i = 0; i < 4; i++)
        broken[i] = split_valid_call("");
    broken[0].chunk = 1;
    broken[1].x.type = broken[1].y.type = 99;
    broken[2].x.cols = broken[2].y.cols = broken[2].x.pitch = broken[2].y.pitch = 0;
    broken[3].x.rows = broken[3].y.rows = -1;
    int steps[4];
    struct test_case *test_case = case_new(context);
    add_buffers(context, test_case);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    for (int i = 0; i < 4; i++)
        steps[i] = split_call(test_case, stream, broken[i].x, broken[i].y, broken[i].chunk);
    const struct outcome *outcome = case_run(test_case); /* what else they do is judged by other checks */
    for (int i = 0; i < 4; i++) {
        const struct returned *returned = outcome_return(outcome, steps[i]);
        if (returned != NULL && returned->value == RETURNED_INVALID_VALUE)
            return true;
    }
    return false;
}

void split_need_operator(struct context *context) {
    struct test_case *test_case = case_new(context);
    add_buffers(context, test_case);
    const struct refusal valid = split_valid_call("");
    const int step =
        split_call(test_case, case_stream(test_case, STREAM_NONBLOCKING), valid.x, valid.y, valid.chunk);
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
        check_fail(context,
                   FUNCTION " refused valid arguments as well: 2 rows of 6 columns in FP32, chunk size 256.");
}

void split_expect_refusals(struct context *context, const struct refusal *refusals, int count) {
    struct test_case *test_case = case_new(context);
    const int far = add_buffers(context, test_case);
    int stream = case_stream(test_case, STREAM_NONBLOCKING);
    int *steps = check_memory(context, (size_t)count * sizeof *steps);
    for (int i = 0; i < count; i++) {
        struct operand y = refusals[i].y;
        y.buffer = y.buffer == REFUSAL_FAR ? far : y.buffer;
        steps[i] = split_call(test_case, stream, refusals[i].x, y, refusals[i].chunk);
    }
    struct refusal valid = split_valid_call("");
    valid.y.buffer = REFUSAL_VALID_Y;
    int valid_step = split_call(test_case, stream, valid.x, valid.y, valid.chunk);
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
