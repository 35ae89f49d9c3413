/* make bench EX=split_attention without a GPU: what the simulator can count of a call (bytes of k and v, bytes that are
 * written, sectors, blocks), for each shape, type and chunk. No times: the simulator is no timing model. */
#include "base/memory.h"
#include "check/context.h"
#include "check/source_lines.h"
#include "grading/run_check.h"
#include "link/runner_process.h"
#include "shapes.h"
#include "suites/split_attention/parts.h"
#include <stdio.h>
#include <string.h>

/* A check that counts instead of judging. The check comes first: its run() gets at the rest by it. */
struct counting {
    struct check check;
    const struct attention_shape *shape;
    enum element_type type;
    json_t *variants;
};

/* Bytes, and what moves them, over all kernels of a call. */
struct counts {
    uint64_t k, v, others_read, y, states, sectors, barriers, shuffles, bank_conflicts, scratch;
    uint64_t launches, blocks; /* of the widest launch */
};

static struct counts add_up(const struct outcome *outcome) {
    struct counts counts = {0};
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const struct kernel_trace *kernel = &outcome->kernels[i];
        counts.launches++;
        counts.sectors += kernel->sectors_read + kernel->sectors_written;
        counts.barriers += kernel->barriers;
        counts.shuffles += kernel->shuffles;
        counts.bank_conflicts += kernel->bank_conflicts;
        counts.blocks = kernel->blocks_run > counts.blocks ? kernel->blocks_run : counts.blocks;
    }
    for (size_t i = 0; i < outcome->traffic_count; i++) {
        const struct traffic *traffic = &outcome->traffic[i];
        const uint64_t read = traffic->bytes_read + traffic->bytes_atomic,
                       written = traffic->bytes_written + traffic->bytes_atomic;
        if (strcmp(traffic->name, "k") == 0)
            counts.k += read;
        else if (strcmp(traffic->name, "v") == 0)
            counts.v += read;
        else
            counts.others_read += read;
        if (strcmp(traffic->name, "y") == 0)
            counts.y += written;
        else
            counts.states += written;
    }
    for (size_t i = 0; i < outcome->allocation_count; i++)
        counts.scratch += outcome->allocations[i].bytes;
    return counts;
}

static json_t *counts_to_json(const struct counts *c, uint64_t least) {
    const uint64_t bytes = c->k + c->v + c->others_read + c->y + c->states;
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f}", "launches", (json_int_t)c->launches,
        "most_blocks", (json_int_t)c->blocks, "k_bytes_read", (json_int_t)c->k, "v_bytes_read",
        (json_int_t)c->v, "y_bytes_written", (json_int_t)c->y, "other_bytes_written", (json_int_t)c->states,
        "scratch_bytes", (json_int_t)c->scratch, "barriers", (json_int_t)c->barriers, "shuffles",
        (json_int_t)c->shuffles, "bank_conflicts", (json_int_t)c->bank_conflicts, "bytes_over_least",
        (double)bytes / (double)least, "sectors_over_least", 32.0 * (double)c->sectors / (double)least);
}

/* One draw of the inputs for all chunks: drawing takes longer than counting. */
static void run_counting(struct context *context) {
    struct counting *counting = (struct counting *)(void *)(uintptr_t)context->check;
    const struct attention_shape *shape = counting->shape;
    struct problem problem = attention_drawn(context, counting->type, shape->heads, shape->keys, shape->dim,
                                             attention_bench_chunks[0]);
    attention_without_bias(&problem);
    const uint64_t least = attention_floor_bytes(shape, counting->type) +
                           (uint64_t)(shape->heads * shape->dim) * element_bytes(counting->type);
    for (int i = 0; i < ATTENTION_CHUNKS; i++) {
        problem.chunk = attention_bench_chunks[i];
        problem.chunks = (problem.length + problem.chunk - 1) / problem.chunk;
        const struct counts counts = add_up(attention_expect(context, &problem, NO_GUARD));
        json_array_append_new(counting->variants,
                              json_pack("{s:i, s:s, s:o}", "chunk", problem.chunk, "status", "counted",
                                        "counts", counts_to_json(&counts, least)));
    }
}

/* Prints the lines of a case. Returns whether something was counted. */
static bool count_case(const struct attention_settings *settings, struct runner *runner, json_t *record,
                       const struct attention_shape *shape, enum element_type type) {
    static const struct suite suite = {.exercise = "bench"};
    const struct session session = {.suite = &suite,
                                    .implementation = settings->implementation,
                                    .submission = settings->submission,
                                    .runner = settings->runner,
                                    .seed = settings->seed,
                                    .patience = 1,
                                    .jobs = 1,
                                    .ready.runtime = RUNTIME_SIMULATOR};
    json_t *variants = json_object_get(attention_case(record, shape, type), "variants"), *variant;
    struct counting counting = {
        .check = {.id = "bench.count", .title = "", .run = run_counting, .seconds = 100},
        .shape = shape,
        .type = type,
        .variants = variants};
    struct symbols *symbols = symbols_open(settings->submission, "");
    const struct verdict verdict = perform(&session, &counting.check, runner, symbols);
    symbols_close(symbols);
    size_t i;
    json_array_foreach(variants, i, variant) {
        const json_t *counts = json_object_get(variant, "counts");
        const double k_and_v = (double)attention_floor_bytes(shape, type);
        printf("%4lld x %-7lld %4d  %-5s %5lld %9lld %12.6f %12.4f %14lld %12lld\n", (long long)shape->heads,
               (long long)shape->keys, shape->dim, element_name(type),
               json_integer_value(json_object_get(variant, "chunk")),
               json_integer_value(json_object_get(counts, "most_blocks")),
               (double)(json_integer_value(json_object_get(counts, "k_bytes_read")) +
                        json_integer_value(json_object_get(counts, "v_bytes_read"))) /
                   k_and_v,
               json_real_value(json_object_get(counts, "sectors_over_least")),
               json_integer_value(json_object_get(counts, "other_bytes_written")),
               json_integer_value(json_object_get(counts, "scratch_bytes")));
    }
    if (verdict.status != STATUS_PASS)
        printf("%4lld x %-7lld %4d  %-5s %s\n", (long long)shape->heads, (long long)shape->keys, shape->dim,
               element_name(type), verdict.status == STATUS_TODO ? "not written yet" : verdict.found);
    fflush(stdout);
    return json_array_size(variants) > 0;
}

int main(int count, char **arguments) {
    const struct attention_settings settings = attention_settings_read(count, arguments, "8x4096");
    static struct runner runner;
    json_t *record = attention_record(&settings, "counts");
    bool counted = false;
    runner.program = settings.runner;
    runner.submission = settings.submission;
    printf("\nk and v / once: bytes of k and v that were read, over the bytes that they have. sectors / "
           "least: 32-byte\n"
           "sectors that warps asked for, over the bytes of k, v and y. written: bytes to memory other than "
           "y.\n\n"
           "%4s x %-7s %4s  %-5s %5s %9s %12s %12s %14s %12s\n",
           "heads", "keys", "dim", "type", "chunk", "blocks", "k,v / once", "sectors/least", "written",
           "scratch");
    for (size_t i = 0; i < settings.shape_count; i++)
        for (int type = 0; type < 3; type++)
            counted |= count_case(&settings, &runner, record, &settings.shapes[i], supported_types[type]);
    runner_stop(&runner);
    attention_record_write(record, settings.output);
    json_decref(record);
    if (!counted)
        fprintf(stderr, "\nNothing was counted: the lines above say why.\n");
    return counted ? 0 : 3;
}
