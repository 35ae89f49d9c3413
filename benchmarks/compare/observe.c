/* A submission, observed: each of its functions is called once by itself at each setting, with right inputs,
 * so that counts have the names of the contract's buffers; then the operator as a whole.
 *
 * The checker's own machinery does it (check.h): a crash or an endless loop costs this call only. */
#include "base/memory.h"
#include "check/context.h"
#include "check/source_lines.h"
#include "compare.h"
#include "document.h"
#include "grading/run_check.h"
#include "link/runner_process.h"
#include "workload.h"
#include <math.h>
#include <string.h>

/* One wide row: can a GPU be filled? Few and odd rows: alignment, a tail of one column. Many short rows: what
 * a launch and a state cost. */
#define SPLIT(type)                                                                                          \
    {{1, 131072, 131072}, type, 1024}, {{4, 32769, 32769}, type, 1024}, {                                    \
        {64, 1025, 1025}, type, 256                                                                          \
    }
static const struct setting split[] = {SPLIT(TYPE_FP32), SPLIT(TYPE_FP16), SPLIT(TYPE_BF16)};
/* Tutorial 02's row with its padding, the widest row, a row of few columns; the last block holds fewer rows. */
#define FUSED(type)                                                                                          \
    {{133, 781, 784}, type, 4}, {{65, 1024, 1024}, type, 1}, {                                               \
        {67, 33, 36}, type, 8                                                                                \
    }
static const struct setting fused[] = {FUSED(TYPE_FP32), FUSED(TYPE_FP16), FUSED(TYPE_BF16)};

const struct setting *settings_of(const char *exercise, size_t *count) {
    const bool is_split = strcmp(exercise, "split_softmax") == 0,
               is_fused = strcmp(exercise, "fused_softmax") == 0;
    *count = is_split ? sizeof split / sizeof *split : is_fused ? sizeof fused / sizeof *fused : 0;
    return is_split ? split : is_fused ? fused : NULL;
}

/* A check that observes instead of judging; run() gets at the rest by the check, which comes first. */
struct observation {
    struct check check;
    const struct workload *workload;
    const struct setting *setting;
    enum function function;
    json_t *part;  /* filled in */
    json_t *error; /* of the operator, or null */
};

static void set(json_t *object, const char *name, uint64_t count) {
    json_object_set_new(object, name, json_integer((json_int_t)count));
}

static void add(json_t *object, const char *name, uint64_t count) {
    set(object, name, (uint64_t)json_integer_value(json_object_get(object, name)) + count);
}

/* ---- from an outcome to counts ---- */

static uint64_t threads_of(const struct kernel_trace *kernel) {
    return (uint64_t)kernel->block[0] * kernel->block[1] * kernel->block[2];
}

static json_t *kernels_to_json(const struct outcome *outcome) {
    json_t *kernels = json_array();
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const struct kernel_trace *kernel = &outcome->kernels[i];
        uint64_t bytes = 0;
        for (size_t k = 0; k < outcome->traffic_count; k++)
            if (outcome->traffic[k].kernel == i)
                bytes += outcome->traffic[k].bytes_read + outcome->traffic[k].bytes_written +
                         outcome->traffic[k].bytes_atomic;
        json_t *json = json_pack("{s:s}", "name", kernel->name);
        set(json, "blocks", kernel->blocks_run);
        set(json, "threads", threads_of(kernel));
        set(json, "shared_bytes", kernel->dynamic_shared);
        set(json, "barriers", kernel->barriers);
        set(json, "shuffles", kernel->shuffles);
        set(json, "atomics", kernel->atomics);
        set(json, "bytes", bytes);
        json_array_append_new(kernels, json);
    }
    return kernels;
}

static json_t *named(json_t *array, const char *name) {
    json_t *item;
    size_t i;
    json_array_foreach(array, i, item) {
        if (strcmp(text_in(item, "name"), name) == 0)
            return item;
    }
    json_array_append_new(array, item = json_pack("{s:s}", "name", name));
    static const char *const counts[] = {"read",     "written", "atomic", "sectors_read", "sectors_written",
                                         "requests", "lanes"};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        set(item, counts[k], 0);
    return item;
}

/* Scratch of the submission's own is one buffer: how many allocations it makes is another count. */
static const char *buffer_name(int32_t buffer, const char *name) {
    return buffer < 0 && strncmp(name, "allocation", 10) == 0 ? "scratch" : name;
}

static json_t *buffers_to_json(const struct outcome *outcome) {
    json_t *buffers = json_array();
    for (size_t i = 0; i < outcome->traffic_count; i++) {
        const struct traffic *traffic = &outcome->traffic[i];
        json_t *buffer = named(buffers, buffer_name(traffic->buffer, traffic->name));
        add(buffer, "read", traffic->bytes_read);
        add(buffer, "written", traffic->bytes_written);
        add(buffer, "atomic", traffic->bytes_atomic);
    }
    for (size_t i = 0; i < outcome->site_count; i++) {
        const struct site_trace *site = &outcome->sites[i];
        if (site->shared)
            continue;
        json_t *buffer = named(buffers, buffer_name(site->buffer, site->name));
        add(buffer, site->kind == TOUCH_READ ? "sectors_read" : "sectors_written", site->sectors);
        add(buffer, "requests", site->requests);
        add(buffer, "lanes", site->lanes);
    }
    return buffers;
}

/* Instructions of one source line are one: a loop may be unrolled, a function inlined many times. */
static json_t *line_like(json_t *lines, const char *where, const char *buffer, const char *kind) {
    json_t *line;
    size_t i;
    json_array_foreach(lines, i, line) {
        if (strcmp(text_in(line, "where"), where) == 0 && strcmp(text_in(line, "buffer"), buffer) == 0 &&
            strcmp(text_in(line, "kind"), kind) == 0)
            return line;
    }
    return NULL;
}

static json_t *lines_to_json(struct context *context, const struct outcome *outcome) {
    static const char *const kinds[] = {"read", "write", "atomic"};
    json_t *lines = json_array();
    for (size_t i = 0; i < outcome->site_count; i++) {
        const struct site_trace *site = &outcome->sites[i];
        const struct source_line *source = symbols_find(context->symbols, site->pc);
        const char *buffer = site->shared ? "shared memory" : buffer_name(site->buffer, site->name);
        json_t *line = line_like(lines, source->from, buffer, kinds[site->kind]);
        if (line == NULL) {
            line =
                json_pack("{s:s, s:s, s:s, s:s, s:s}", "where", source->from, "in", source->where, "buffer",
                          buffer, "kind", kinds[site->kind], "kernel", outcome->kernels[site->kernel].name);
            json_array_append_new(lines, line);
        }
        add(line, "accesses", site->accesses);
        add(line, "bytes", site->bytes);
        add(line, "requests", site->requests);
        add(line, "lanes", site->lanes);
        add(line, "sectors", site->sectors);
        add(line, "bank_conflicts", site->bank_conflicts);
    }
    return lines;
}

static void take_counts(struct context *context, json_t *part, const struct outcome *outcome) {
    set(part, "launches", outcome->kernel_count);
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const struct kernel_trace *kernel = &outcome->kernels[i];
        add(part, "blocks", kernel->blocks_run);
        add(part, "barriers", kernel->barriers);
        add(part, "shuffles", kernel->shuffles);
        add(part, "atomics", kernel->atomics);
        add(part, "bank_conflicts", kernel->bank_conflicts);
        add(part, "sectors", kernel->sectors_read + kernel->sectors_written);
    }
    set(part, "allocations", outcome->allocation_count);
    set(part, "scratch_bytes", 0);
    for (size_t i = 0; i < outcome->allocation_count; i++)
        add(part, "scratch_bytes", outcome->allocations[i].failed ? 0 : outcome->allocations[i].bytes);
    json_object_set_new(part, "kernels", kernels_to_json(outcome));
    json_object_set_new(part, "buffers", buffers_to_json(outcome));
    json_object_set_new(part, "lines", lines_to_json(context, outcome));
}

/* ---- a call ---- */

static bool is_operator(enum function function) {
    return function == FUNCTION_SPLIT_SOFTMAX || function == FUNCTION_FUSED_SOFTMAX;
}

static void compare_numbers(struct observation *observation, const void *y) {
    const struct agreement agreement = workload_check(observation->workload, y, 0, INT64_MAX, 0);
    observation->error = json_pack("{s:b, s:f, s:f}", "right", agreement.right, "share",
                                   isfinite(agreement.worst_share) ? agreement.worst_share : 1e9, "ulp",
                                   isfinite(agreement.worst_ulp) ? agreement.worst_ulp : 1e9);
}

static void run_observation(struct context *context) {
    struct observation *observation = (struct observation *)(void *)(uintptr_t)context->check;
    struct test_case *test_case = case_new(context);
    const struct arguments arguments = call_arguments(context, test_case, observation->workload,
                                                      observation->setting, observation->function);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    case_watch(test_case, WATCH_SITES);
    const int step = case_call(test_case, observation->function, stream, arguments);
    case_wait_device(test_case);
    const struct outcome *outcome = case_run(test_case);
    check_success(context, outcome, step, "The function");
    if (outcome->status == OUTCOME_OK)
        take_counts(context, observation->part, outcome);
    check_clean(context, outcome); /* after a finding there is no output to look at */
    if (is_operator(observation->function))
        compare_numbers(observation, outcome_buffer(context, outcome, arguments.operand[1].buffer));
}

static void observe_part(const struct session *session, struct runner *runner, struct symbols *symbols,
                         const struct workload *workload, const struct setting *setting,
                         const struct operator_part *which, json_t *of_case) {
    static const char *const statuses[] = {
        [STATUS_SKIP] = "skipped", [STATUS_PASS] = "counted", [STATUS_FAIL] = "failed",
        [STATUS_TODO] = "todo",    [STATUS_CRASH] = "failed", [STATUS_TIMEOUT] = "failed"};
    struct observation observation = {
        .check = {.id = "compare.count", .title = "", .run = run_observation, .seconds = 60},
        .workload = workload,
        .setting = setting,
        .function = which->function,
        .part = json_object()};
    struct verdict verdict = perform(session, &observation.check, runner, symbols);
    json_object_set_new(observation.part, "status", json_string(statuses[verdict.status]));
    json_object_set_new(observation.part, "reason",
                        json_string(verdict.status == STATUS_PASS ? "" : verdict.found));
    json_object_set_new(json_object_get(of_case, "parts"), which->name, observation.part);
    if (observation.error)
        json_object_set_new(of_case, "error", observation.error);
    verdict_free(&verdict);
}

json_t *observe(const char *exercise, const struct side *side, const char *runner_program, uint64_t seed) {
    static const struct suite suite = {.exercise = "compare"};
    const struct session session = {.suite = &suite,
                                    .implementation = side->implementation,
                                    .submission = side->submission,
                                    .source = side->source,
                                    .runner = runner_program,
                                    .seed = seed,
                                    .patience = 1,
                                    .jobs = 1,
                                    .ready.runtime = RUNTIME_SIMULATOR};
    static struct runner runner;
    size_t count;
    const struct setting *settings = settings_of(exercise, &count);
    struct symbols *symbols = symbols_open(side->submission, side->source);
    json_t *cases = json_array();
    runner.program = runner_program;
    runner.submission = side->submission;
    for (size_t i = 0; i < count; i++) {
        const struct setting *setting = &settings[i];
        struct workload workload = workload_new(&setting->shape, setting->type, seed);
        json_t *of_case =
            json_pack("{s:I, s:I, s:I, s:s, s:i, s:{}}", "rows", (json_int_t)setting->shape.rows, "cols",
                      (json_int_t)setting->shape.cols, "pitch", (json_int_t)setting->shape.pitch, "type",
                      element_name(setting->type), "parameter", setting->parameter, "parts");
        for (const struct operator_part *part = operator_parts; part->exercise; part++)
            if (strcmp(part->exercise, exercise) == 0)
                observe_part(&session, &runner, symbols, &workload, setting, part, of_case);
        json_array_append_new(cases, of_case);
        workload_free(&workload);
    }
    runner_stop(&runner);
    symbols_close(symbols);
    return cases;
}
