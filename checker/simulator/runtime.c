/* The simulator behind the runner's interface (checker/link/runtime.h). */
#include "link/runtime.h"
#include "host_memory.h"
#include "image.h"
#include "simulator.h"
#include "watch.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct submission sim_submission;

static record_sink *sink;
static int step = -1;
static int64_t countdown[2]; /* by enum fail_kind; 0: nothing is to fail */

int runtime_open(record_sink *record, struct ready *ready) {
    sink = record;
    memory_open();
    host_memory_open();
    block_open();
    ready->runtime = RUNTIME_SIMULATOR;
    snprintf(ready->device, sizeof ready->device, "CPU simulator of compute capability 9.0");
    return 0;
}

void runtime_submission(void *handle, uintptr_t base, uintptr_t end, const char *path) {
    (void)end; /* accesses come with their place */
    static const struct sim_image no_image;
    const struct sim_image *image = dlsym(handle, "sim_submission_image");
    sim_submission = (struct submission){handle, base, base, path, image ? image : &no_image};
    variable_open();
    shared_open();
}

void runtime_record(uint32_t type, const void *payload, size_t bytes) {
    sink(type, payload, bytes);
}

uint64_t runtime_pc(const void *pc) {
    uintptr_t address = (uintptr_t)pc;
    if (address & HOST_PLACE)
        return address & (uint32_t)-1;
    return address >= sim_submission.base && address < sim_submission.end
               ? PC_OF_DEVICE | (address - sim_submission.base)
               : 0;
}

static const void *caller;

const void *calling_place(const void *returns_to) {
    return caller ? caller : returns_to;
}

void calling_place_is(const void *pc) {
    caller = pc;
}

void runtime_case_begin(uint64_t seed) {
    sim_random_seed(seed);
    step = -1;
    countdown[FAIL_ALLOCATION] = countdown[FAIL_LAUNCH] = 0;
    sample_reset();
    watch_reset();
    memory_reset();
    heap_reset();
    trace_reset();
    stream_reset();
    error_reset();
    finding_reset();
    variable_reset();
    handles_case_begin();
}

void runtime_name_buffer(const void *start, int index, const char *name, int read_only) {
    struct region *region = memory_find((uintptr_t)start);
    if (!region)
        return;
    region->buffer = index;
    region->read_only = read_only;
    snprintf(region->name, sizeof region->name, "%s", name);
}

void runtime_name_stream(cudaStream_t handle, int index) {
    struct stream *stream = stream_of(handle);
    if (stream)
        stream->index = index;
}

void runtime_call_begin(int number, cudaStream_t stream) {
    (void)stream;
    step = number;
}

void runtime_call_end(void) {
    if (error_unchecked()) {
        struct finding finding = finding_new(FINDING_UNCHECKED_ERROR, NULL);
        finding_text(&finding, "a launch failed and the call returned without asking cudaGetLastError()");
        finding_send(&finding);
        cudaGetLastError();
    }
    handles_call_end();
    step = -1;
}

int runtime_step(void) {
    return step;
}

bool runtime_in_call(void) {
    return step >= 0;
}

void runtime_fail(int kind, int64_t number) {
    countdown[kind] = number;
}

bool runtime_should_fail(int kind) {
    return runtime_in_call() && countdown[kind] > 0 && --countdown[kind] == 0;
}

/* Deferred streams need no slow kernel: nothing runs before it is waited for. */
cudaError_t runtime_slow_kernel(cudaStream_t stream) {
    (void)stream;
    return cudaSuccess;
}

static void report_leaks(void) {
    if (finding_faults() || error_sticky() != cudaSuccess)
        return;
    for (size_t i = 0; i < memory_region_count(); i++) {
        const struct region *region = memory_region(i);
        if (!region->by_submission || region->state == REGION_FREED)
            continue;
        struct finding finding = finding_new(FINDING_LEAK, NULL);
        snprintf(finding.buffer, sizeof finding.buffer, "%s", region->name);
        finding.buffer_bytes = region->bytes;
        finding_text(&finding, "%s (%zu bytes) is never freed", region->name, region->bytes);
        finding_send(&finding);
    }
    handles_report();
}

void runtime_case_end(void) {
    stream_wait_all();
    report_leaks();
    trace_send();
}

void runtime_where(struct finding *finding, uintptr_t pc) {
    finding->step = step;
    if (sim_current && sim_block.launch) {
        memcpy(finding->kernel, sim_block.launch->name, sizeof finding->kernel);
        finding->step = sim_block.launch->step;
        finding_thread(&finding->at, block_thread_number(sim_current), sim_block.index, (const void *)pc);
    }
    finding->at.pc = runtime_pc((const void *)pc);
}

/* ---- smaller things that headers ask for ---- */

void sim_trap(const char *text) {
    if (!sim_current) {
        fprintf(stderr, "%s\n", text);
        abort();
    }
    struct finding finding = finding_new(FINDING_DEVICE_ASSERT, __builtin_return_address(0));
    finding_text(&finding, "%s", text);
    finding_send(&finding);
    error_stick(cudaErrorAssert);
    block_abort();
}

uint64_t sim_clock(void) {
    static uint64_t ticks;
    return ticks += 16;
}
