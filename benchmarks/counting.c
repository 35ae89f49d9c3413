/* One call in the simulator, by the checker's own machinery (check.h): the submission runs in a runner, so a
 * crash or an endless loop costs this variant only. */
#include "counting.h"
#include "base/memory.h"
#include "check/context.h"
#include "check/source_lines.h"
#include "grading/run_check.h"
#include <string.h>

enum { SECTOR_BYTES = 32 };

/* What is counted over all kernels of the call. */
struct counts {
    uint64_t launches, blocks, threads, barriers, shuffles, atomics;
    uint64_t read, written;     /* bytes, of every buffer */
    uint64_t x_read, y_written; /* of these, bytes of x read and of y written */
    uint64_t scratch_traffic; /* bytes read and written elsewhere: partial and row states, and their merge */
    uint64_t sectors;         /* of 32 bytes, that the requests of warps touch */
    uint64_t bank_conflicts;
    uint64_t scratch_bytes; /* allocated */
    uint64_t most_blocks;   /* of the widest launch: how much of a GPU it can fill */
};

/* A check that counts instead of judging. The check comes first: its run() gets at the rest by it. */
struct counting {
    struct check check;
    const struct workload *workload;
    const struct bench_exercise *exercise;
    int parameter;
    struct counts counts;
    json_t *kernels; /* of the call, in the order of their launches */
    bool compared;   /* agreement holds */
    struct agreement agreement;
};

static struct counts add_up(const struct outcome *outcome, int x, int y) {
    struct counts counts = {0};
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const struct kernel_trace *kernel = &outcome->kernels[i];
        counts.launches++;
        counts.blocks += kernel->blocks_run;
        counts.threads += kernel->blocks_run * kernel->block[0] * kernel->block[1] * kernel->block[2];
        counts.barriers += kernel->barriers;
        counts.shuffles += kernel->shuffles;
        counts.atomics += kernel->atomics;
        counts.sectors += kernel->sectors_read + kernel->sectors_written;
        counts.bank_conflicts += kernel->bank_conflicts;
        if (kernel->blocks_run > counts.most_blocks)
            counts.most_blocks = kernel->blocks_run;
    }
    for (size_t i = 0; i < outcome->traffic_count; i++) {
        const struct traffic *traffic = &outcome->traffic[i];
        const uint64_t read = traffic->bytes_read + traffic->bytes_atomic,
                       written = traffic->bytes_written + traffic->bytes_atomic;
        counts.read += read;
        counts.written += written;
        if (traffic->buffer == x)
            counts.x_read += read;
        else if (traffic->buffer == y)
            counts.y_written += written;
        else
            counts.scratch_traffic += read + written;
    }
    for (size_t i = 0; i < outcome->allocation_count; i++)
        counts.scratch_bytes += outcome->allocations[i].failed ? 0 : outcome->allocations[i].bytes;
    return counts;
}

static json_t *kernels_to_json(const struct outcome *outcome) {
    json_t *kernels = json_array();
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const struct kernel_trace *kernel = &outcome->kernels[i];
        json_array_append_new(kernels,
                              json_pack("{s:s, s:I, s:I, s:I}", "name", kernel->name, "blocks",
                                        (json_int_t)kernel->blocks_run, "threads",
                                        (json_int_t)kernel->block[0] * kernel->block[1] * kernel->block[2],
                                        "barriers", (json_int_t)kernel->barriers));
    }
    return kernels;
}

static void run_counting(struct context *context) {
    /* The check was given to perform() as part of a struct counting, which is not const. */
    struct counting *counting = (struct counting *)(void *)(uintptr_t)context->check;
    const struct workload *workload = counting->workload;
    const struct shape *shape = &workload->shape;
    const bool split = strcmp(counting->exercise->name, "split_softmax") == 0;
    struct test_case *test_case = case_new(context);
    void *values = workload_matrix(workload, 0);
    const int x =
        case_buffer(test_case, "x", PLACE_DEVICE, BUFFER_READ_ONLY, workload->bytes, values, workload->bytes);
    free(values);
    const int y = case_buffer(test_case, "y", PLACE_DEVICE, BUFFER_RETURN, workload->bytes, NULL, 0);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    const int step = case_call(
        test_case, split ? FUNCTION_SPLIT_SOFTMAX : FUNCTION_FUSED_SOFTMAX, stream,
        (struct arguments){
            .number = {counting->parameter},
            .operand = {matrix_in(x, (int)workload->type, shape->rows, shape->cols, shape->pitch),
                        matrix_in(y, (int)workload->type, shape->rows, shape->cols, shape->pitch)}});
    case_wait_device(test_case);
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    check_success(context, outcome, step, counting->exercise->name);
    const void *output = outcome_buffer(context, outcome, y);
    counting->agreement = workload_check(workload, output, 0, INT64_MAX, 0);
    counting->compared = true;
    if (!counting->agreement.right)
        check_fail(context, "The numbers are wrong.");
    counting->counts = add_up(outcome, x, y);
    counting->kernels = kernels_to_json(outcome);
}

static void set_count(json_t *counts, const char *name, uint64_t count) {
    json_object_set_new(counts, name, json_integer((json_int_t)count));
}

static json_t *counts_to_json(const struct counting *counting) {
    const struct counts *counts = &counting->counts;
    const struct shape *shape = &counting->workload->shape;
    const uint64_t least = 2 * shape_bytes(shape, counting->workload->type);
    json_t *json = json_object();
    set_count(json, "launches", counts->launches);
    set_count(json, "blocks", counts->blocks);
    set_count(json, "most_blocks", counts->most_blocks);
    set_count(json, "threads", counts->threads);
    set_count(json, "partials",
              (uint64_t)(shape->rows * shape_chunks(counting->exercise, shape, counting->parameter)));
    set_count(json, "barriers", counts->barriers);
    set_count(json, "shuffles", counts->shuffles);
    set_count(json, "atomics", counts->atomics);
    set_count(json, "bytes_read", counts->read);
    set_count(json, "bytes_written", counts->written);
    set_count(json, "x_bytes_read", counts->x_read);
    set_count(json, "y_bytes_written", counts->y_written);
    set_count(json, "sectors", counts->sectors);
    set_count(json, "bank_conflicts", counts->bank_conflicts);
    set_count(json, "scratch_traffic", counts->scratch_traffic);
    set_count(json, "scratch_bytes", counts->scratch_bytes);
    json_object_set_new(json, "bytes_over_minimum",
                        json_real((double)(counts->read + counts->written) / (double)least));
    json_object_set_new(json, "sectors_over_minimum",
                        json_real((double)(SECTOR_BYTES * counts->sectors) / (double)least));
    return json;
}

void count_call(const struct settings *settings, struct runner *runner, const struct workload *workload,
                int parameter, json_t *variant) {
    static const struct suite suite = {.exercise = "bench"};
    const struct session session = {.suite = &suite,
                                    .implementation = settings->implementation,
                                    .submission = settings->submission,
                                    .runner = settings->runner,
                                    .seed = settings->seed,
                                    .patience = 1,
                                    .jobs = 1,
                                    .ready.runtime = RUNTIME_SIMULATOR};
    struct counting counting = {
        .check = {.id = "bench.count", .title = "", .run = run_counting, .seconds = 100},
        .workload = workload,
        .exercise = settings->exercise,
        .parameter = parameter};
    struct symbols *symbols = symbols_open(settings->submission, "");
    const struct verdict verdict = perform(&session, &counting.check, runner, symbols);
    symbols_close(symbols);
    char *reason = copy_text("");
    const char *status = "counted";
    if (verdict.status == STATUS_TODO) {
        status = "todo";
    } else if (counting.compared && !counting.agreement.right) {
        status = "wrong";
        free(reason);
        reason = agreement_words(&counting.agreement);
    } else if (verdict.status != STATUS_PASS) {
        status = "failed";
        free(reason);
        reason = copy_text(verdict.found);
    }
    json_object_set_new(variant, "status", json_string(status));
    json_object_set_new(variant, "reason", json_string(reason));
    free(reason);
    if (verdict.status == STATUS_PASS) {
        json_object_set_new(variant, "error", json_real(counting.agreement.worst_error));
        json_object_set_new(variant, "counts", counts_to_json(&counting));
        json_object_set_new(json_object_get(variant, "counts"), "kernels", counting.kernels);
    }
}
