/* What a call of the submission did: kernels, traffic, allocations, waits. Kept while the case runs, sent
 * when it ends. */
#include "simulator.h"
#include "watch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WAITS = 64, MAX_ALLOCATIONS = 256 };

static struct kernel_trace **kernels; /* they live in their launches */
static struct traffic *traffics;
static size_t kernel_count, kernel_room, traffic_count, traffic_room;
static struct allocation_trace allocations[MAX_ALLOCATIONS];
static struct wait_trace waits[MAX_WAITS];
static int allocation_count, wait_count;

void trace_reset(void) {
    kernel_count = traffic_count = 0;
    allocation_count = wait_count = 0;
}

void runtime_trace_launch(struct launch *launch, const struct stream *stream) {
    launch->number = -1;
    if (!runtime_in_call())
        return;
    if (kernel_count == kernel_room) {
        kernel_room = kernel_room ? 2 * kernel_room : 64;
        kernels = realloc(kernels, kernel_room * sizeof *kernels);
    }
    launch->number = (int)kernel_count;
    kernels[kernel_count++] = &launch->trace;
    struct kernel_trace *trace = &launch->trace;
    memcpy(trace->name, launch->name, sizeof trace->name);
    trace->step = launch->step;
    trace->stream = stream->index;
    memcpy(trace->grid, launch->grid, sizeof trace->grid);
    memcpy(trace->block, launch->block, sizeof trace->block);
    trace->dynamic_shared = launch->dynamic_shared;
}

static void note_traffic(const struct launch *launch, const struct region *region) {
    if (traffic_count == traffic_room) {
        traffic_room = traffic_room ? 2 * traffic_room : 64;
        traffics = realloc(traffics, traffic_room * sizeof *traffics);
    }
    struct traffic *traffic = &traffics[traffic_count++];
    *traffic = (struct traffic){.kernel = (uint32_t)launch->number,
                                .buffer = region->buffer,
                                .bytes_read = region->bytes_read,
                                .bytes_written = region->bytes_written,
                                .bytes_atomic = region->bytes_atomic,
                                .blocks_read = region->blocks_read,
                                .blocks_written = region->blocks_written,
                                .most_written = region->most_written};
    snprintf(traffic->name, sizeof traffic->name, "%.*s", NAME_BYTES - 1, region->name);
}

void runtime_trace_traffic(struct launch *launch) {
    if (launch->number < 0)
        return;
    for (size_t i = 0; i < memory_region_count(); i++)
        if (memory_region(i)->touched_by == sim_block.operation->issued)
            note_traffic(launch, memory_region(i));
    for (size_t i = 0; i < variable_number(); i++)
        if (variable_at(i)->touched_by == sim_block.operation->issued)
            note_traffic(launch, variable_at(i));
    watch_launch_ends(launch);
}

int runtime_trace_allocation(size_t bytes, bool ordered, bool failed, const struct stream *stream) {
    if (!runtime_in_call() || allocation_count == MAX_ALLOCATIONS)
        return -1;
    allocations[allocation_count] =
        (struct allocation_trace){.step = runtime_step(),
                                  .stream = stream ? stream->index : STREAM_INDEX_DEFAULT,
                                  .bytes = bytes,
                                  .ordered = ordered,
                                  .failed = failed};
    return allocation_count++;
}

void runtime_trace_free(int trace, bool stalls, const struct stream *stream) {
    if (trace < 0)
        return;
    allocations[trace].freed = stalls ? 2 : 1;
    allocations[trace].freed_stream = stream ? stream->index : STREAM_INDEX_DEFAULT;
}

void runtime_trace_wait(const char *call, const char *reason, const void *pc) {
    if (!runtime_in_call() || wait_count == MAX_WAITS)
        return;
    struct wait_trace *wait = &waits[wait_count++];
    *wait = (struct wait_trace){.step = runtime_step(), .pc = (uint32_t)runtime_pc(pc)};
    snprintf(wait->call, sizeof wait->call, "%s", call);
    snprintf(wait->reason, sizeof wait->reason, "%s", reason);
}

void trace_send(void) {
    for (size_t i = 0; i < kernel_count; i++)
        runtime_record(RECORD_KERNEL, kernels[i], sizeof *kernels[i]);
    for (size_t i = 0; i < traffic_count; i++)
        runtime_record(RECORD_TRAFFIC, &traffics[i], sizeof traffics[i]);
    for (int i = 0; i < allocation_count; i++)
        runtime_record(RECORD_ALLOCATION, &allocations[i], sizeof allocations[i]);
    for (int i = 0; i < wait_count; i++)
        runtime_record(RECORD_WAIT, &waits[i], sizeof waits[i]);
    watch_send();
}
