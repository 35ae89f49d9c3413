/* What the calls of the submission did on a real device: kept while the case runs, sent when it ends. */
#include "runtime_cuda.h"
#include <stdio.h>
#include <string.h>

enum { MAX_KERNELS = 1024, MAX_WAITS = 64, MAX_ALLOCATIONS = 256, LAST_KERNELS = 4 };

static struct kernel_trace kernels[MAX_KERNELS];
static struct allocation_trace allocations[MAX_ALLOCATIONS];
static struct wait_trace waits[MAX_WAITS];
static int kernel_count, allocation_count, wait_count;
static struct counts counts;

void trace_reset(void) {
    kernel_count = allocation_count = wait_count = 0;
}

void counts_reset(void) {
    counts = (struct counts){0};
}

struct counts counts_now(void) {
    return counts;
}

void trace_launch(const char *name, dim3 grid, dim3 block, size_t dynamic_shared, cudaStream_t stream) {
    counts.kernels++;
    if (!cuda_in_call() || kernel_count == MAX_KERNELS)
        return;
    struct kernel_trace *kernel = &kernels[kernel_count++];
    *kernel = (struct kernel_trace){.step = cuda_step(),
                                    .stream = cuda_stream_index(stream),
                                    .grid = {grid.x, grid.y, grid.z},
                                    .block = {block.x, block.y, block.z},
                                    .dynamic_shared = dynamic_shared,
                                    .blocks_run = (uint64_t)grid.x * grid.y * grid.z};
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
}

int trace_allocation(size_t bytes, bool ordered, bool failed, cudaStream_t stream) {
    counts.allocations += !failed;
    if (!cuda_in_call() || allocation_count == MAX_ALLOCATIONS)
        return -1;
    allocations[allocation_count] =
        (struct allocation_trace){.step = cuda_step(),
                                  .stream = ordered ? cuda_stream_index(stream) : STREAM_INDEX_DEFAULT,
                                  .bytes = bytes,
                                  .ordered = ordered,
                                  .failed = failed};
    return allocation_count++;
}

void trace_free(int allocation, bool by_waiting, cudaStream_t stream) {
    if (allocation < 0)
        return;
    allocations[allocation].freed = by_waiting ? 2 : 1;
    allocations[allocation].freed_stream = by_waiting ? STREAM_INDEX_DEFAULT : cuda_stream_index(stream);
}

void trace_wait(const char *call, const char *reason, const void *pc) {
    if (!cuda_in_call() || wait_count == MAX_WAITS)
        return;
    struct wait_trace *wait = &waits[wait_count++];
    *wait = (struct wait_trace){.step = cuda_step(), .pc = cuda_pc(pc)};
    snprintf(wait->call, sizeof wait->call, "%s", call);
    snprintf(wait->reason, sizeof wait->reason, "%s", reason);
}

bool trace_is_plain(int step, int32_t stream) {
    for (int i = 0; i < wait_count; i++)
        if (waits[i].step == step)
            return false;
    for (int i = 0; i < kernel_count; i++)
        if (kernels[i].step == step && kernels[i].stream != stream)
            return false;
    for (int i = 0; i < allocation_count; i++)
        if (allocations[i].step == step &&
            (!allocations[i].ordered || allocations[i].stream != stream || allocations[i].freed != 1 ||
             allocations[i].freed_stream != stream))
            return false;
    return true;
}

const char *trace_last_kernels(void) {
    static char text[TEXT_BYTES];
    size_t length = 0;
    text[0] = '\0';
    for (int i = kernel_count > LAST_KERNELS ? kernel_count - LAST_KERNELS : 0; i < kernel_count; i++) {
        if (strstr(text, kernels[i].name) != NULL)
            continue;
        const int added =
            snprintf(text + length, sizeof text - length, "%s%s", length ? ", " : "", kernels[i].name);
        if (added < 0 || (size_t)added >= sizeof text - length)
            break; /* cut short, and ended */
        length += (size_t)added;
    }
    return text;
}

void trace_send(void) {
    for (int i = 0; i < kernel_count; i++)
        cuda_record(RECORD_KERNEL, &kernels[i], sizeof kernels[i]);
    for (int i = 0; i < allocation_count; i++)
        cuda_record(RECORD_ALLOCATION, &allocations[i], sizeof allocations[i]);
    for (int i = 0; i < wait_count; i++)
        cuda_record(RECORD_WAIT, &waits[i], sizeof waits[i]);
}
