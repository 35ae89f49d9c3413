/* A whole call of split_attention and the verdict on its numbers (see parts.h). */
#include "parts.h"

#include <string.h>

#define FUNCTION "split_attention"

enum { MOST_RETURNED = 1 << 20 /* elements of an input that comes back to be compared */ };

static struct operand add_table(struct context *context, struct test_case *test_case, const char *name,
                                const struct table *table) {
    const size_t bytes = table_bytes(table);
    const bool small = table->rows * table->cols <= MOST_RETURNED;
    const int buffer =
        case_buffer(test_case, name, PLACE_DEVICE, BUFFER_READ_ONLY | (small ? BUFFER_RETURN : 0), bytes,
                    table_layout(context, table), bytes);
    return table_operand(table, buffer, 0);
}

struct inputs attention_inputs_add(struct context *context, struct test_case *test_case,
                                   const struct problem *problem, const char *number) {
    struct inputs inputs = {.bias = no_operand()};
    inputs.k = add_table(context, test_case, check_text(context, "k%s", number), &problem->k);
    inputs.v = add_table(context, test_case, check_text(context, "v%s", number), &problem->v);
    inputs.q = add_table(context, test_case, check_text(context, "q%s", number), &problem->q);
    if (problem->has_bias)
        inputs.bias = add_table(context, test_case, check_text(context, "bias%s", number), &problem->bias);
    return inputs;
}

static void check_unchanged(struct context *context, const struct outcome *outcome, const struct table *table,
                            const char *name, int buffer, const char *function) {
    if (buffer < 0 || table->rows * table->cols > MOST_RETURNED)
        return;
    const char *before = table_layout(context, table), *after = outcome_buffer(context, outcome, buffer);
    if (memcmp(before, after, table_bytes(table)) == 0)
        return;
    explain(context,
            "Inputs belong to the caller, who may still need them. Scratch is there for what lies between "
            "them and y.");
    check_fail(context, "%s changed its input %s.", function, name);
}

void attention_inputs_check_unchanged(struct context *context, const struct outcome *outcome,
                                      const struct problem *problem, const struct inputs *inputs,
                                      const char *function) {
    check_unchanged(context, outcome, &problem->k, "k", inputs->k.buffer, function);
    check_unchanged(context, outcome, &problem->v, "v", inputs->v.buffer, function);
    check_unchanged(context, outcome, &problem->q, "q", inputs->q.buffer, function);
    check_unchanged(context, outcome, &problem->bias, "bias", inputs->bias.buffer, function);
}

struct arguments attention_arguments(const struct problem *problem, const struct inputs *inputs,
                                     struct operand y) {
    return (struct arguments){.number = {problem->heads, problem->length, problem->dim, problem->chunk},
                              .operand = {inputs->k, inputs->v, inputs->q, inputs->bias, y, no_operand(),
                                          no_operand(), no_operand()}};
}

int attention_call(struct test_case *test_case, int stream, const struct problem *problem,
                   const struct inputs *inputs, struct operand y) {
    return case_call(test_case, FUNCTION_SPLIT_ATTENTION, stream, attention_arguments(problem, inputs, y));
}

const char *attention_text(struct context *context, const struct problem *problem) {
    return check_text(context, "%lld head%s of %lld key%s, dim %d, chunk size %d, %s%s",
                      (long long)problem->heads, problem->heads == 1 ? "" : "s", (long long)problem->length,
                      problem->length == 1 ? "" : "s", problem->dim, problem->chunk,
                      element_name(problem->type), problem->has_bias ? "" : ", bias null");
}

/* A stream of the trace in words: "the default stream". */
static const char *stream_text(struct context *context, int32_t stream) {
    if (stream == STREAM_INDEX_DEFAULT)
        return "the default stream";
    if (stream == STREAM_INDEX_OTHER)
        return "a stream of its own";
    return check_text(context, "stream %d", (int)stream);
}

size_t attention_check_stream(struct context *context, const struct outcome *outcome, int step, int stream) {
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
        read_next(context, ATTENTION_LESSON, SECTION_STREAMS);
        check_fail(context, "%s was launched on %s, not on the caller's stream.", kernel->name,
                   stream_text(context, kernel->stream));
    }
    return launched;
}

void attention_check_scratch_stream(struct context *context, const struct allocation_trace *allocation,
                                    int stream) {
    if (!allocation->ordered)
        return;
    if (allocation->stream != stream)
        check_fail(context, FUNCTION " allocated %llu bytes on %s, not on the caller's stream.",
                   (unsigned long long)allocation->bytes, stream_text(context, allocation->stream));
    if (allocation->freed == 1 && allocation->freed_stream != stream)
        check_fail(context,
                   FUNCTION
                   " freed its scratch on %s, not on the caller's stream: a stage may still be using it.",
                   stream_text(context, allocation->freed_stream));
}

uint64_t attention_planned(const struct problem *problem) {
    return 4 * (uint64_t)problem->heads * (uint64_t)problem->chunks * (uint64_t)(problem->dim + 2);
}

/* Where a kernel runs past the end of scratch, and the call allocated less than the plan says, that is why. */
static void explain_small_scratch(struct context *context, const struct outcome *outcome, int step,
                                  const struct problem *problem) {
    uint64_t bytes = 0;
    bool overrun = false;
    for (size_t i = 0; i < outcome->allocation_count; i++)
        bytes += outcome->allocations[i].step == step ? outcome->allocations[i].bytes : 0;
    for (size_t i = 0; i < outcome->finding_count; i++)
        overrun = overrun ||
                  (outcome->findings[i].kind == FINDING_OUT_OF_BOUNDS && outcome->findings[i].step == step &&
                   strncmp(outcome->findings[i].buffer, "allocation ", 11) == 0);
    if (overrun && bytes < attention_planned(problem))
        explain(context,
                "The scratch is too small: for %s, 4 * heads * T * (dim + 2) = %llu bytes are planned, and "
                "the call "
                "allocated %llu.",
                attention_text(context, problem), (unsigned long long)attention_planned(problem),
                (unsigned long long)bytes);
}

void attention_check_call(struct context *context, const struct outcome *outcome, int step, int stream,
                          const struct problem *problem) {
    attention_check_stream(context, outcome, step, stream);
    for (size_t i = 0; i < outcome->allocation_count; i++)
        if (outcome->allocations[i].step == step)
            attention_check_scratch_stream(context, &outcome->allocations[i], stream);
    explain_small_scratch(context, outcome, step, problem);
}

void attention_compare_y(struct context *context, const struct problem *problem, const void *y) {
    const struct truth truth = attention_truth(context, problem);
    const struct view view = {.problem = problem,
                              .truth = &truth,
                              .heads = problem->heads,
                              .chunks = problem->chunks,
                              .dim = problem->dim,
                              .chunk = problem->chunk,
                              .type = problem->type,
                              .states = truth.states,
                              .values = truth.values};
    compare(context, (struct comparison){.array = "y",
                                         .row_name = "head",
                                         .col_name = "column",
                                         .type = problem->type,
                                         .rows = problem->heads,
                                         .cols = problem->dim,
                                         .pitch = problem->dim,
                                         .expected = truth.y,
                                         .allowed_each =
                                             attention_tolerance(context, problem->type, truth.y,
                                                                 truth.largest, problem->heads, problem->dim),
                                         .got = y,
                                         .locate_more = attention_locate_y,
                                         .diagnose = attention_recognise_y,
                                         .data = &view});
}

const struct outcome *attention_expect(struct context *context, const struct problem *problem, size_t guard) {
    struct test_case *test_case = case_new(context);
    const struct inputs inputs = attention_inputs_add(context, test_case, problem, "");
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    const struct guarded y =
        guarded_add(test_case, "y", problem->type, (size_t)(problem->heads * problem->dim), guard);
    const int step =
        attention_call(test_case, stream, problem, &inputs, guarded_matrix(y, problem->heads, problem->dim));
    case_wait_stream(test_case, stream);

    const struct outcome *outcome = case_run(test_case);
    attention_check_call(context, outcome, step, stream, problem);
    check_clean(context, outcome);
    check_success(context, outcome, step, FUNCTION);
    attention_inputs_check_unchanged(context, outcome, problem, &inputs, FUNCTION);
    attention_compare_y(context, problem, guarded_elements(context, outcome, y, FUNCTION));
    return outcome;
}
