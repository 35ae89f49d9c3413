/* A submission, observed: each of its functions is called once by itself at each setting, with right inputs,
 * so that counts have the names of the contract's buffers; then the operator as a whole.
 *
 * The checker's own machinery does it (suite.h): a crash or an endless loop costs this call only. */
#include "compare.h"
#include "context.h"
#include "document.h"
#include "memory.h"
#include "oracle.h"
#include "perform.h"
#include "runner_process.h"
#include "symbols.h"
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

/* ---- inputs of the stages ---- */

static void put_state(float *max, float *sum, int64_t at, struct oracle_state state) {
    max[at] = (float)state.max;
    sum[at] = (float)state.sum;
}

/* The states of the chunks, [rows, chunks], and of the rows. */
struct states {
    float *partial_max, *partial_sum, *row_max, *row_sum;
    int64_t chunks;
};

static struct states make_states(struct context *context, const struct observation *observation,
                                 const void *values) {
    const struct shape *shape = &observation->setting->shape;
    const int64_t chunk = observation->setting->parameter, chunks = (shape->cols + chunk - 1) / chunk;
    const size_t bytes = sizeof(float) * (size_t)shape->rows;
    struct states states = {check_memory(context, bytes * (size_t)chunks),
                            check_memory(context, bytes * (size_t)chunks), check_memory(context, bytes),
                            check_memory(context, bytes), chunks};
    double *row = check_memory(context, sizeof(double) * (size_t)shape->cols);
    for (int64_t i = 0; i < shape->rows; i++) {
        for (int64_t col = 0; col < shape->cols; col++)
            row[col] = element_get(values, (size_t)(i * shape->pitch + col), observation->setting->type);
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

static struct operand matrix_buffer(struct test_case *test_case, const struct observation *observation,
                                    const char *name, const void *values) {
    const struct shape *shape = &observation->setting->shape;
    const size_t bytes = observation->workload->bytes;
    const int buffer = case_buffer(test_case, name, PLACE_DEVICE, values ? BUFFER_READ_ONLY : BUFFER_RETURN,
                                   bytes, values, values ? bytes : 0);
    return matrix_in(buffer, (int)observation->setting->type, shape->rows, shape->cols, shape->pitch);
}

static struct arguments arguments_of(struct context *context, struct test_case *test_case,
                                     const struct observation *observation) {
    void *values = workload_matrix(observation->workload, 0);
    const struct shape *shape = &observation->setting->shape;
    const int64_t parameter = observation->setting->parameter;
    struct arguments arguments = {.number = {parameter}};
    struct operand *operand = arguments.operand;
    if (observation->function == FUNCTION_SPLIT_PARTIALS || observation->function == FUNCTION_SPLIT_MERGE ||
        observation->function == FUNCTION_SPLIT_NORMALIZE) {
        const struct states states = make_states(context, observation, values);
        const int64_t all = shape->rows * states.chunks;
        if (observation->function == FUNCTION_SPLIT_PARTIALS) {
            operand[0] = matrix_buffer(test_case, observation, "x", values);
            operand[1] = wanted(test_case, "partial_max", all);
            operand[2] = wanted(test_case, "partial_sum", all);
        } else if (observation->function == FUNCTION_SPLIT_MERGE) {
            arguments.number[0] = shape->rows;
            arguments.number[1] = states.chunks;
            operand[0] = given(test_case, "partial_max", states.partial_max, all);
            operand[1] = given(test_case, "partial_sum", states.partial_sum, all);
            operand[2] = wanted(test_case, "row_max", shape->rows);
            operand[3] = wanted(test_case, "row_sum", shape->rows);
        } else {
            operand[0] = matrix_buffer(test_case, observation, "x", values);
            operand[1] = given(test_case, "row_max", states.row_max, shape->rows);
            operand[2] = given(test_case, "row_sum", states.row_sum, shape->rows);
            operand[3] = matrix_buffer(test_case, observation, "y", NULL);
        }
    } else {
        operand[0] = matrix_buffer(test_case, observation, "x", values);
        operand[1] = matrix_buffer(test_case, observation, "y", NULL);
    }
    free(values);
    return arguments;
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
    const struct arguments arguments = arguments_of(context, test_case, observation);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    case_watch(test_case, WATCH_SITES);
    const int step = case_call(test_case, observation->function, stream, arguments);
    case_wait_device(test_case);
    const struct outcome *outcome = case_run(test_case);
    check_success(context, outcome, step, "The function");
    if (outcome->status == OUTCOME_OK) {
        take_counts(context, observation->part, outcome);
        if (is_operator(observation->function))
            compare_numbers(observation, outcome_buffer(context, outcome, arguments.operand[1].buffer));
    }
    check_clean(context, outcome);
}

static const struct function_part {
    const char *exercise, *name;
    enum function function;
} parts[] = {{"split_softmax", "partials", FUNCTION_SPLIT_PARTIALS},
             {"split_softmax", "merge", FUNCTION_SPLIT_MERGE},
             {"split_softmax", "normalize", FUNCTION_SPLIT_NORMALIZE},
             {"split_softmax", "operator", FUNCTION_SPLIT_SOFTMAX},
             {"fused_softmax", "operator", FUNCTION_FUSED_SOFTMAX}};

static void observe_part(const struct session *session, struct runner *runner, struct symbols *symbols,
                         const struct workload *workload, const struct setting *setting,
                         const struct function_part *which, json_t *of_case) {
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
    static const struct suite suite = {.exercise = "compare", .runner = "simulator"};
    const struct session session = {.suite = &suite,
                                    .implementation = side->implementation,
                                    .submission = side->submission,
                                    .source = side->source,
                                    .runner = runner_program,
                                    .seed = seed,
                                    .patience = 1,
                                    .jobs = 1,
                                    .ready.runtime = "simulator"};
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
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (strcmp(parts[k].exercise, exercise) == 0)
                observe_part(&session, &runner, symbols, &workload, setting, &parts[k], of_case);
        json_array_append_new(cases, of_case);
        workload_free(&workload);
    }
    runner_stop(&runner);
    symbols_close(symbols);
    return cases;
}
