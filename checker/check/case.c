/* Building a case. A suite that asks for more than a case can hold is a fault of the kit and fails its check. */
#include "check/case.h"
#include <string.h>

struct test_case *case_new(struct context *context) {
    context_forget_case(context);
    struct test_case *test_case = check_memory(context, sizeof *test_case);
    const double limit = context->check->seconds > 0 ? context->check->seconds : 10;
    test_case->context = context;
    test_case->header = (struct case_header){
        .version = PROTOCOL_VERSION,
        .seed = context->session->seed,
        .time_limit_ms = (uint64_t)(limit * 1000 * context->session->patience),
    };
    return test_case;
}

void case_limit(struct test_case *test_case, double seconds) {
    test_case->header.time_limit_ms = (uint64_t)(seconds * 1000 * test_case->context->session->patience);
}

static uint32_t next_index(struct test_case *test_case, uint32_t *count, uint32_t max, const char *what) {
    if (*count == max)
        check_fail(test_case->context, "This check is broken: a case holds at most %u %s.", (unsigned)max,
                   what);
    return (*count)++;
}

int case_buffer(struct test_case *test_case, const char *name, enum place place, unsigned flags, size_t bytes,
                const void *content, size_t content_bytes) {
    const uint32_t index = next_index(test_case, &test_case->header.buffers, CASE_MAX_BUFFERS, "buffers");
    struct buffer_spec *spec = &test_case->buffers[index];
    if (content_bytes > bytes || (content == NULL && content_bytes > 0))
        check_fail(test_case->context, "This check is broken: buffer %s is smaller than its content.", name);
    *spec = (struct buffer_spec){
        .place = (uint32_t)place, .flags = flags, .bytes = bytes, .content_bytes = content_bytes};
    strncpy(spec->name, name, sizeof spec->name - 1);
    void *copy = check_memory(test_case->context, content_bytes);
    if (content_bytes > 0)
        memcpy(copy, content, content_bytes);
    test_case->contents[index] = copy;
    return (int)index;
}

int case_stream(struct test_case *test_case, enum stream_kind kind) {
    const uint32_t index = next_index(test_case, &test_case->header.streams, CASE_MAX_STREAMS, "streams");
    test_case->streams[index].kind = (uint32_t)kind;
    return (int)index;
}

static int add_step(struct test_case *test_case, struct step step) {
    const uint32_t index = next_index(test_case, &test_case->header.steps, CASE_MAX_STEPS, "steps");
    test_case->steps[index] = step;
    return (int)index;
}

int case_call(struct test_case *test_case, enum function function, int stream, struct arguments arguments) {
    struct step step = {.kind = STEP_CALL, .function = (uint32_t)function, .stream = stream};
    memcpy(step.number, arguments.number, sizeof step.number);
    memcpy(step.real, arguments.real, sizeof step.real);
    memcpy(step.operand, arguments.operand, sizeof step.operand);
    return add_step(test_case, step);
}

static int copy_step(struct test_case *test_case, enum step_kind kind, int stream, int to, int from,
                     size_t bytes) {
    return add_step(test_case, (struct step){
                                   .kind = (uint32_t)kind,
                                   .stream = stream,
                                   .number = {(int64_t)bytes},
                                   .operand = {at_buffer(to, 0), at_buffer(from, 0)},
                               });
}

int case_fill_slowly(struct test_case *test_case, int stream, int to, int from, size_t bytes) {
    return copy_step(test_case, STEP_FILL_SLOWLY, stream, to, from, bytes);
}

int case_copy(struct test_case *test_case, int stream, int to, int from, size_t bytes) {
    return copy_step(test_case, STEP_COPY, stream, to, from, bytes);
}

int case_copy_part(struct test_case *test_case, int stream, struct operand to, struct operand from,
                   size_t bytes) {
    return add_step(test_case, (struct step){.kind = STEP_COPY,
                                             .stream = stream,
                                             .number = {(int64_t)bytes},
                                             .operand = {to, from}});
}

int case_wait_stream(struct test_case *test_case, int stream) {
    return add_step(test_case, (struct step){.kind = STEP_WAIT_STREAM, .stream = stream});
}

int case_wait_device(struct test_case *test_case) {
    return add_step(test_case, (struct step){.kind = STEP_WAIT_DEVICE});
}

int case_fail(struct test_case *test_case, enum fail_kind kind, int countdown) {
    return add_step(test_case, (struct step){.kind = STEP_FAIL, .number = {(int64_t)kind, countdown}});
}

int case_sample(struct test_case *test_case, int64_t rows) {
    return add_step(test_case, (struct step){.kind = STEP_SAMPLE, .number = {rows}});
}

void case_watch(struct test_case *test_case, unsigned what) {
    test_case->header.watch |= what;
}

struct operand at_buffer(int buffer, int64_t byte_offset) {
    return (struct operand){.buffer = buffer, .offset = byte_offset};
}

struct operand matrix_in(int buffer, int type, int64_t rows, int64_t cols, int64_t pitch) {
    return (struct operand){
        .buffer = buffer, .type = (uint32_t)type, .rows = rows, .cols = cols, .pitch = pitch};
}

struct operand vector_in(int buffer, int type, int64_t count, int64_t byte_offset) {
    return (struct operand){
        .buffer = buffer, .type = (uint32_t)type, .offset = byte_offset, .cols = count, .pitch = count};
}

struct operand no_operand(void) {
    return (struct operand){.buffer = -1};
}
