/* A whole call of split_softmax and the verdict on its numbers (see parts.h). */
#include "parts.h"

#include <string.h>

#define FUNCTION "split_softmax"

void split_tolerance(enum element_type type, double *rtol, double *atol) {
    *rtol = type == TYPE_FP32 ? 3e-5 : 1e-2;
    *atol = type == TYPE_FP32 ? 2e-7 : 2e-5;
}

int split_call(struct test_case *test_case, int stream, struct operand x, struct operand y, int chunk) {
    return case_call(test_case, FUNCTION_SPLIT_SOFTMAX, stream,
                     (struct arguments){.number = {chunk}, .operand = {x, y}});
}

const char *split_stream_text(struct context *context, int32_t stream) {
    if (stream == STREAM_INDEX_DEFAULT)
        return "the default stream";
    if (stream == STREAM_INDEX_OTHER)
        return "a stream of its own";
    return check_text(context, "stream %d", (int)stream);
}

size_t split_check_stream(struct context *context, const struct outcome *outcome, int step, int stream) {
    size_t launched = 0;
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const struct kernel_trace *kernel = &outcome->kernels[i];
        if (kernel->step != step)
            continue;
        launched++;
        if (kernel->stream == stream)
            continue;
        locate(context, "Launch %zu of the call, kernel %s.", launched, kernel->name);
        explain(context,
                "The stream is the fourth launch argument: <<<grid, block, 0, stream>>>. Without it a "
                "kernel runs on the default stream, and nothing makes it wait for what the caller queued "
                "before.");
        read_next(context, SPLIT_LESSON, "Scratch and streams");
        check_fail(context, "%s was launched on %s, not on the caller's stream.", kernel->name,
                   split_stream_text(context, kernel->stream));
    }
    return launched;
}

void split_check_scratch_stream(struct context *context, const struct allocation_trace *allocation,
                                int stream) {
    if (!allocation->ordered)
        return;
    if (allocation->stream != stream)
        check_fail(context, FUNCTION " allocated %llu bytes on %s, not on the caller's stream.",
                   (unsigned long long)allocation->bytes, split_stream_text(context, allocation->stream));
    if (allocation->freed == 1 && allocation->freed_stream != stream)
        check_fail(context,
                   FUNCTION
                   " freed its scratch on %s, not on the caller's stream: a stage may still be using it.",
                   split_stream_text(context, allocation->freed_stream));
}

/* Where a kernel runs past the end of scratch, and the call allocated less than the plan says, that is why. */
static void explain_small_scratch(struct context *context, const struct outcome *outcome, int step,
                                  const struct table *x, int chunk) {
    const uint64_t planned = 8 * (uint64_t)x->rows * (uint64_t)(split_chunks(x->cols, chunk) + 1);
    uint64_t bytes = 0;
    bool overrun = false;
    for (size_t i = 0; i < outcome->allocation_count; i++)
        bytes += outcome->allocations[i].step == step ? outcome->allocations[i].bytes : 0;
    for (size_t i = 0; i < outcome->finding_count; i++)
        overrun = overrun ||
                  (outcome->findings[i].kind == FINDING_OUT_OF_BOUNDS && outcome->findings[i].step == step &&
                   strncmp(outcome->findings[i].buffer, "allocation ", 11) == 0);
    if (overrun && bytes < planned)
        explain(
            context,
            "The scratch is too small: for %lld rows of %lld columns and chunk size %d, 8 * M * (T + 1) = "
            "%llu bytes are planned, and the call allocated %llu.",
            (long long)x->rows, (long long)x->cols, chunk, (unsigned long long)planned,
            (unsigned long long)bytes);
}

void split_check_call(struct context *context, const struct outcome *outcome, int step, int stream,
                      const struct table *x, int chunk) {
    split_check_stream(context, outcome, step, stream);
    for (size_t i = 0; i < outcome->allocation_count; i++)
        if (outcome->allocations[i].step == step)
            split_check_scratch_stream(context, &outcome->allocations[i], stream);
    explain_small_scratch(context, outcome, step, x, chunk);
}

static void compare_y(struct context *context, const struct table *x, int chunk, const void *y,
                      bool rounded_once) {
    const struct oracle_state *rows = split_row_states(context, x);
    struct split_view view = {.x = x,
                              .chunk = chunk,
                              .rows = x->rows,
                              .chunks = split_chunks(x->cols, chunk),
                              .row = rows,
                              .y = y,
                              .mistaken = split_mistaken_new(context)};
    struct comparison comparison = {.array = "y",
                                    .col_name = "column",
                                    .type = x->type,
                                    .rows = x->rows,
                                    .cols = x->cols,
                                    .pitch = x->cols,
                                    .expected = split_probabilities(context, x, rows),
                                    .got = y,
                                    .locate_more = split_locate_column,
                                    .suspects = split_suspects_of_probability,
                                    .lesson = SPLIT_LESSON,
                                    .diagnose = split_recognise_probability,
                                    .data = &view};
    /* Half a unit of the last place, and what FP32 adds to it. */
    split_tolerance(rounded_once ? TYPE_FP32 : x->type, &comparison.rtol, &comparison.atol);
    comparison.spacings = rounded_once ? 0.5 : 0;
    compare(context, comparison);
}

void split_compare_y(struct context *context, const struct table *x, int chunk, const void *y) {
    compare_y(context, x, chunk, y, false);
}

void split_compare_rounding(struct context *context, const struct table *x, int chunk, const void *y) {
    compare_y(context, x, chunk, y, true);
}

const struct outcome *split_expect_softmax(struct context *context, const struct table *x, const int *chunks,
                                           int count, size_t guard) {
    enum { MOST = 3 };
    struct test_case *test_case = case_new(context);
    if (x->rows > 65536) /* every block of them: see sampled.h */
        case_limit(test_case, 120);
    int input = table_add(context, test_case, "x", x), stream = case_stream(test_case, STREAM_NONBLOCKING);
    struct guarded y[MOST];
    int step[MOST];
    for (int i = 0; i < count; i++) {
        y[i] = guarded_add(test_case, count > 1 ? check_text(context, "y for chunk size %d", chunks[i]) : "y",
                           x->type, (size_t)(x->rows * x->cols), guard);
        step[i] = split_call(test_case, stream, table_operand(x, input, 0),
                             guarded_matrix(y[i], x->rows, x->cols), chunks[i]);
    }
    case_wait_stream(test_case, stream);

    const struct outcome *outcome = case_run(test_case);
    for (int i = 0; i < count; i++)
        split_check_call(context, outcome, step[i], stream, x, chunks[i]);
    check_clean(context, outcome);
    for (int i = 0; i < count; i++)
        check_success(context, outcome, step[i], FUNCTION);
    table_check_unchanged(context, outcome, x, input, FUNCTION);
    for (int i = 0; i < count; i++)
        split_compare_y(context, x, chunks[i], guarded_elements(context, outcome, y[i], FUNCTION));
    return outcome;
}
