/* Allocations and frees of the submission. Scratch is filled with poison (0xFF, a NaN in each type) on its
 * stream as soon as it is there, so that what reads it too early shows in the numbers.
 *
 * What reads it too late shows because a free in the scratch's own stream is put off to the end of the call:
 * until then the memory is filled with poison again before each launch. */
#include "runtime_cuda.h"
#include <stdio.h>

enum { MAX_ALLOCATIONS = 1024 };

static struct allocation {
    void *start;
    size_t bytes;
    int trace;
    cudaStream_t stream; /* where it was allocated, when ordered */
    bool ordered, of_graph, freed;
} allocations[MAX_ALLOCATIONS];
static int allocation_count;
static bool capturing;

void memory_capture(bool now) {
    capturing = now;
    if (now)
        return;
    int kept = 0;
    for (int i = 0; i < allocation_count; i++)
        if (!allocations[i].of_graph)
            allocations[kept++] = allocations[i];
    allocation_count = kept;
}

static struct allocation *find(const void *start) {
    for (int i = allocation_count; i-- > 0;)
        if (allocations[i].start == start)
            return &allocations[i];
    return NULL;
}

static void forget(struct allocation *allocation) {
    *allocation = allocations[--allocation_count];
}

static void poison(const struct allocation *allocation) {
    cudaMemsetAsync(allocation->start, 0xff, allocation->bytes, allocation->stream);
}

void memory_before_launch(cudaStream_t stream) {
    for (int i = 0; i < allocation_count; i++)
        if (allocations[i].freed && allocations[i].stream == stream)
            poison(&allocations[i]);
}

void memory_end_call(void) {
    for (int i = allocation_count; i-- > 0;)
        if (allocations[i].freed) {
            cudaFreeAsync(allocations[i].start, allocations[i].stream);
            forget(&allocations[i]);
        }
}

/* Fails as CUDA does: with an error that cudaGetLastError() knows. */
static cudaError_t out_of_memory(void **start) {
    void *never = NULL;
    cudaMalloc(&never, (size_t)1 << 60);
    if (start != NULL)
        *start = NULL;
    return cudaErrorMemoryAllocation;
}

static cudaError_t note(cudaError_t error, void **start, size_t bytes, bool ordered, cudaStream_t stream) {
    const int trace = bytes > 0 ? trace_allocation(bytes, ordered, error != cudaSuccess, stream) : -1;
    if (error == cudaSuccess && bytes > 0 && allocation_count < MAX_ALLOCATIONS)
        allocations[allocation_count++] = (struct allocation){.start = *start,
                                                              .bytes = bytes,
                                                              .trace = trace,
                                                              .stream = stream,
                                                              .ordered = ordered,
                                                              .of_graph = capturing};
    return error;
}

void memory_end_case(bool report) {
    while (allocation_count > 0) {
        struct allocation *left = &allocations[allocation_count - 1];
        if (report) {
            struct finding finding = {.kind = FINDING_LEAK, .step = -1, .buffer_bytes = left->bytes};
            snprintf(finding.text, sizeof finding.text, "An allocation of %zu bytes is never freed.",
                     left->bytes);
            cuda_send(&finding);
        }
        cudaFree(left->start);
        forget(left);
    }
    cudaGetLastError();
}

/* ---- stream-ordered ---- */

cudaError_t __wrap_cudaMallocAsync(void **start, size_t bytes, cudaStream_t stream);
cudaError_t __wrap_cudaMallocFromPoolAsync(void **start, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream);
cudaError_t __wrap_cudaFreeAsync(void *start, cudaStream_t stream);

static cudaError_t poisoned(cudaError_t error, void **start, size_t bytes, cudaStream_t stream) {
    if (error == cudaSuccess && bytes > 0 && !cuda_is_watched())
        cudaMemsetAsync(*start, 0xff, bytes, stream);
    return note(error, start, bytes, true, stream);
}

cudaError_t __wrap_cudaMallocAsync(void **start, size_t bytes, cudaStream_t stream) {
    return poisoned(cuda_should_fail(FAIL_ALLOCATION) ? out_of_memory(start)
                                                      : cudaMallocAsync(start, bytes, stream),
                    start, bytes, stream);
}

cudaError_t __wrap_cudaMallocFromPoolAsync(void **start, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
    return poisoned(cuda_should_fail(FAIL_ALLOCATION) ? out_of_memory(start)
                                                      : cudaMallocFromPoolAsync(start, bytes, pool, stream),
                    start, bytes, stream);
}

static void report_bad_free(void) {
    struct finding finding = {.kind = FINDING_INVALID_FREE, .step = cuda_step()};
    snprintf(finding.text, sizeof finding.text, "cudaFreeAsync was given an address that is not allocated.");
    if (cuda_in_call())
        cuda_send(&finding);
}

cudaError_t __wrap_cudaFreeAsync(void *start, cudaStream_t stream) {
    struct allocation *allocation = find(start);
    if (allocation != NULL && allocation->freed) {
        report_bad_free();
        return cudaErrorInvalidValue;
    }
    if (allocation != NULL && allocation->ordered && allocation->stream == stream && !cuda_is_watched()) {
        trace_free(allocation->trace, false, stream);
        poison(allocation);
        allocation->freed = true;
        return cudaSuccess;
    }
    const cudaError_t error = cudaFreeAsync(start, stream);
    if (allocation != NULL && error == cudaSuccess) {
        trace_free(allocation->trace, false, stream);
        forget(allocation);
    } else if (error == cudaErrorInvalidValue && start != NULL)
        report_bad_free();
    return error;
}

/* ---- calls that may wait ---- */

cudaError_t __wrap_cudaMalloc(void **start, size_t bytes);
cudaError_t __wrap_cudaMallocManaged(void **start, size_t bytes, unsigned flags);
cudaError_t __wrap_cudaFree(void *start);

cudaError_t __wrap_cudaMalloc(void **start, size_t bytes) {
    trace_wait("cudaMalloc", "it may wait for the device", __builtin_return_address(0));
    return note(cuda_should_fail(FAIL_ALLOCATION) ? out_of_memory(start) : cudaMalloc(start, bytes), start,
                bytes, false, NULL);
}

cudaError_t __wrap_cudaMallocManaged(void **start, size_t bytes, unsigned flags) {
    trace_wait("cudaMallocManaged", "it may wait for the device", __builtin_return_address(0));
    return note(cuda_should_fail(FAIL_ALLOCATION) ? out_of_memory(start)
                                                  : cudaMallocManaged(start, bytes, flags),
                start, bytes, false, NULL);
}

cudaError_t __wrap_cudaFree(void *start) {
    if (start == NULL)
        return cudaFree(start);
    trace_wait("cudaFree", "it waits until the device is idle", __builtin_return_address(0));
    struct allocation *allocation = find(start);
    const cudaError_t error = cudaFree(start);
    if (allocation != NULL && error == cudaSuccess) {
        trace_free(allocation->trace, true, NULL);
        forget(allocation);
    }
    return error;
}
