/* Allocations and frees of the submission. Scratch is filled with poison (0xFF, a NaN in each type) on its
 * stream as soon as it is there, so that what reads it too early shows in the numbers.
 *
 * What reads it too late shows because a free in the scratch's own stream is put off to the end of the call:
 * until then the memory is filled with poison again before each launch.
 *
 * Behind each stream-ordered allocation lies a guard of the same poison. Its bytes are put aside on the
 * stream when the memory is freed, and looked at when the case ends: so nothing waits for the device. */
#include "runtime_cuda.h"
#include <stdint.h>
#include <stdio.h>

enum { MAX_ALLOCATIONS = 1024, GUARD = 512, MAX_GUARDS = 2048, POISON = 0xff };

static struct allocation {
    void *start;
    size_t bytes;
    int trace;
    cudaStream_t stream; /* where it was allocated, when ordered */
    bool ordered, of_graph, freed;
    bool guarded; /* followed by a guard */
} allocations[MAX_ALLOCATIONS];
static int allocation_count;
static bool capturing;

/* The guards that were put aside in this case, and what they lay behind. */
static struct {
    size_t bytes;
    int trace, step;
} guards[MAX_GUARDS];
static int guard_count;
static char *guard_bytes; /* on the device: GUARD for each; NULL: none are kept */

void memory_begin_case(void) {
    guard_count = 0;
    if (guard_bytes == NULL && !cuda_is_watched() &&
        cudaMalloc((void **)&guard_bytes, (size_t)MAX_GUARDS * GUARD) != cudaSuccess)
        guard_bytes = NULL;
}

/* How many bytes lie behind an allocation that is made now. A graph's memory has no guard: the graph runs
 * later. */
static size_t guard_size(size_t bytes) {
    return guard_bytes == NULL || capturing || bytes == 0 || bytes > SIZE_MAX - GUARD ? 0 : GUARD;
}

static void keep_guard(const struct allocation *allocation, cudaStream_t stream) {
    if (!allocation->guarded || capturing || guard_count == MAX_GUARDS ||
        cudaMemcpyAsync(guard_bytes + (size_t)guard_count * GUARD,
                        (char *)allocation->start + allocation->bytes, GUARD, cudaMemcpyDeviceToDevice,
                        stream) != cudaSuccess)
        return;
    guards[guard_count].bytes = allocation->bytes;
    guards[guard_count].trace = allocation->trace;
    guards[guard_count++].step = cuda_step();
}

/* False: something was written there, and is told. */
static bool judge_guard(int index, const unsigned char *bytes) {
    int at = 0;
    while (at < GUARD && bytes[at] == POISON)
        at++;
    if (at == GUARD)
        return true;
    struct finding finding = {.kind = FINDING_OUT_OF_BOUNDS,
                              .step = guards[index].step,
                              .write = 1,
                              .offset = (int64_t)guards[index].bytes + at,
                              .bytes = 1,
                              .buffer_bytes = guards[index].bytes};
    if (guards[index].trace >= 0)
        snprintf(finding.buffer, sizeof finding.buffer, "allocation %d", guards[index].trace + 1);
    else
        snprintf(finding.buffer, sizeof finding.buffer, "an allocation");
    snprintf(finding.text, sizeof finding.text, "A kernel wrote %d bytes past the end of %s (%zu bytes).", at,
             finding.buffer, guards[index].bytes);
    cuda_send(&finding);
    return false;
}

/* All work of the case is done. One write is told: each call makes it again. */
static void judge_guards(void) {
    static unsigned char bytes[MAX_GUARDS * GUARD];
    const size_t whole = (size_t)guard_count * GUARD;
    if (guard_count > 0 && cudaMemcpy(bytes, guard_bytes, whole, cudaMemcpyDeviceToHost) == cudaSuccess)
        for (int i = 0; i < guard_count && judge_guard(i, bytes + (size_t)i * GUARD); i++)
            ;
    guard_count = 0;
}

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
    cudaMemsetAsync(allocation->start, POISON, allocation->bytes, allocation->stream);
}

void memory_before_launch(cudaStream_t stream) {
    for (int i = 0; i < allocation_count; i++)
        if (allocations[i].freed && allocations[i].stream == stream)
            poison(&allocations[i]);
}

void memory_end_call(void) {
    for (int i = allocation_count; i-- > 0;)
        if (allocations[i].freed) {
            keep_guard(&allocations[i], allocations[i].stream);
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
    judge_guards();
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
        cudaMemsetAsync(*start, POISON, bytes + guard_size(bytes), stream);
    note(error, start, bytes, true, stream);
    struct allocation *noted = error == cudaSuccess && bytes > 0 ? find(*start) : NULL;
    if (noted != NULL)
        noted->guarded = guard_size(bytes) > 0;
    return error;
}

cudaError_t __wrap_cudaMallocAsync(void **start, size_t bytes, cudaStream_t stream) {
    return poisoned(cuda_should_fail(FAIL_ALLOCATION)
                        ? out_of_memory(start)
                        : cudaMallocAsync(start, bytes + guard_size(bytes), stream),
                    start, bytes, stream);
}

cudaError_t __wrap_cudaMallocFromPoolAsync(void **start, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
    return poisoned(cuda_should_fail(FAIL_ALLOCATION)
                        ? out_of_memory(start)
                        : cudaMallocFromPoolAsync(start, bytes + guard_size(bytes), pool, stream),
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
    if (allocation != NULL)
        keep_guard(allocation, stream);
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
