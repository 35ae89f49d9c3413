/* CUDA runtime calls: allocation. */
#include "host_memory.h"
#include "simulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLER calling_place(__builtin_return_address(0))

enum { MAX_HOST_ALLOCATIONS = 256 };

static struct {
    char *start;
    size_t bytes;
} host_allocations[MAX_HOST_ALLOCATIONS];

static const size_t DEVICE_BYTES = (size_t)8 << 30;

/* The nth allocation of the submission is spoken of as "allocation n". */
static struct region *allocate(size_t bytes, enum region_kind kind, bool ordered,
                               const struct stream *stream) {
    /* The buffers of a case are given: one of them may be a matrix of which only the rows are touched. */
    const size_t used = memory_in_use();
    bool fail = runtime_should_fail(FAIL_ALLOCATION) ||
                (runtime_in_call() && bytes > (used < DEVICE_BYTES ? DEVICE_BYTES - used : 0));
    struct region *region = fail ? NULL : memory_allocate(bytes, kind);
    int trace = runtime_trace_allocation(bytes, ordered, !region, stream);
    if (!region)
        return NULL;
    region->trace = trace;
    region->ordered = ordered;
    region->by_submission = runtime_in_call();
    if (trace >= 0)
        snprintf(region->name, sizeof region->name, "allocation %d", trace + 1);
    else
        snprintf(region->name, sizeof region->name, "an allocation");
    return region;
}

static cudaError_t allocate_now(void **pointer, size_t bytes, enum region_kind kind) {
    if (!pointer)
        return error_set(cudaErrorInvalidValue);
    *pointer = NULL;
    if (error_sticky())
        return error_sticky();
    if (!bytes)
        return cudaSuccess;
    struct region *region = allocate(bytes, kind, false, NULL);
    if (!region)
        return error_set(cudaErrorMemoryAllocation);
    *pointer = (void *)region->start;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    runtime_trace_wait("cudaMalloc", "it may wait for the device", CALLER);
    return allocate_now(pointer, bytes, REGION_DEVICE);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    (void)flags;
    runtime_trace_wait("cudaMallocManaged", "it may wait for the device", CALLER);
    cudaError_t error = allocate_now(pointer, bytes, REGION_MANAGED);
    if (error == cudaSuccess && *pointer)
        memory_touch(memory_find((uintptr_t)*pointer), (uintptr_t)*pointer, bytes);
    return error;
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t handle) {
    struct stream *stream = stream_of(handle);
    if (!pointer)
        return error_set(cudaErrorInvalidValue);
    *pointer = NULL;
    if (!stream)
        return error_set(cudaErrorInvalidResourceHandle);
    if (error_sticky())
        return error_sticky();
    if (!bytes)
        return cudaSuccess;
    struct region *region = allocate(bytes, REGION_DEVICE, true, stream);
    if (!region)
        return error_set(cudaErrorMemoryAllocation);
    region->state = REGION_PENDING;
    region->born = stream_issue(stream, OPERATION_ALLOCATE);
    region->born->region = region;
    *pointer = (void *)region->start;
    return cudaSuccess;
}

/* in_kernel: by free() in a kernel, which knows what malloc() there gave and nothing else. */
static struct region *to_free(void *pointer, bool in_kernel, const void *pc) {
    struct region *region = memory_find((uintptr_t)pointer);
    if (region && region->start == (uintptr_t)pointer && region->state != REGION_FREED &&
        region->of_heap == in_kernel)
        return region;
    struct finding finding = finding_new(FINDING_INVALID_FREE, pc);
    if (region)
        snprintf(finding.buffer, sizeof finding.buffer, "%s", region->name);
    finding_text(
        &finding, "%s",
        region && region->state == REGION_FREED ? "memory is freed a second time"
        : region && region->start == (uintptr_t)pointer && in_kernel
            ? "free() in a kernel takes what malloc() in a kernel gave, and this was allocated by the host"
        : region && region->start == (uintptr_t)pointer
            ? "this was allocated by malloc() in a kernel, and only free() in a kernel takes it"
            : "this address was not allocated");
    finding_send(&finding);
    return NULL;
}

cudaError_t cudaFree(void *pointer) {
    const void *pc = CALLER;
    if (!pointer)
        return cudaSuccess;
    runtime_trace_wait("cudaFree", "it waits until the device is idle", CALLER);
    stream_wait_all();
    struct region *region = to_free(pointer, false, pc);
    if (!region)
        return error_set(cudaErrorInvalidValue);
    runtime_trace_free(region->trace, true, NULL);
    memory_release(region);
    return error_set(error_sticky());
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) {
    const void *pc = CALLER;
    struct stream *stream = stream_of(handle);
    if (!stream)
        return error_set(cudaErrorInvalidResourceHandle);
    if (!pointer)
        return error_set(cudaErrorInvalidValue);
    if (error_sticky())
        return error_sticky();
    struct region *region = to_free(pointer, false, pc);
    if (!region)
        return error_set(cudaErrorInvalidValue);
    runtime_trace_free(region->trace, false, stream);
    stream_issue(stream, OPERATION_FREE)->region = region;
    return cudaSuccess;
}

static cudaError_t allocate_pinned(void **pointer, size_t bytes, const char *call, const void *pc) {
    runtime_trace_wait(call, "it may wait for the device", pc);
    if (!pointer)
        return error_set(cudaErrorInvalidValue);
    for (int i = 0; i < MAX_HOST_ALLOCATIONS; i++)
        if (!host_allocations[i].start) {
            host_allocations[i].start = host_memory_take(bytes);
            host_allocations[i].bytes = bytes;
            if (!host_allocations[i].start)
                break;
            *pointer = host_allocations[i].start;
            return cudaSuccess;
        }
    return error_set(cudaErrorMemoryAllocation);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    (void)flags;
    return allocate_pinned(pointer, bytes, "cudaHostAlloc", CALLER);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return allocate_pinned(pointer, bytes, "cudaMallocHost", CALLER);
}

cudaError_t cudaFreeHost(void *pointer) {
    if (!pointer)
        return cudaSuccess;
    runtime_trace_wait("cudaFreeHost", "it waits until the device is idle", CALLER);
    stream_wait_all();
    for (int i = 0; i < MAX_HOST_ALLOCATIONS; i++)
        if (host_allocations[i].start == pointer) {
            host_memory_give(pointer);
            host_allocations[i].start = NULL;
            return cudaSuccess;
        }
    return error_set(cudaErrorInvalidValue);
}

bool host_memory_is_pinned(uintptr_t address) {
    for (int i = 0; i < MAX_HOST_ALLOCATIONS; i++)
        if (host_allocations[i].start &&
            address - (uintptr_t)host_allocations[i].start < host_allocations[i].bytes)
            return true;
    return false;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
    if (!attributes)
        return error_set(cudaErrorInvalidValue);
    if (error_sticky())
        return error_sticky();
    const struct region *region = memory_find((uintptr_t)pointer);
    if (!region)
        region = variable_find((uintptr_t)pointer);
    memset(attributes, 0, sizeof *attributes);
    if (region && region->state != REGION_FREED) {
        attributes->type = region->kind == REGION_MANAGED ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
        attributes->devicePointer = (void *)(uintptr_t)pointer;
        if (region->kind == REGION_MANAGED)
            attributes->hostPointer = attributes->devicePointer;
    } else if (host_memory_is_pinned((uintptr_t)pointer)) {
        attributes->type = cudaMemoryTypeHost;
        attributes->hostPointer = attributes->devicePointer = (void *)(uintptr_t)pointer;
    } else {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = cudaInvalidDeviceId;
        attributes->hostPointer = (void *)(uintptr_t)pointer;
    }
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    if (!free_bytes || !total_bytes)
        return error_set(cudaErrorInvalidValue);
    *total_bytes = DEVICE_BYTES;
    *free_bytes = DEVICE_BYTES - memory_in_use();
    return cudaSuccess;
}

/* ---- pools: the default one, whose attributes are kept by no one ---- */

static char the_pool;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    if (!pool || device != 0)
        return error_set(pool ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = (cudaMemPool_t)&the_pool;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
    (void)attribute;
    return error_set(pool && value ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
    if (!pool || !value)
        return error_set(cudaErrorInvalidValue);
    if (attribute >= cudaMemPoolAttrReleaseThreshold)
        *(uint64_t *)value =
            attribute == cudaMemPoolAttrReleaseThreshold ? UINT64_MAX : (uint64_t)memory_in_use();
    else
        *(int *)value = 1;
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep) {
    (void)bytes_to_keep;
    return error_set(pool ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- malloc and free of device code ---- */

/* A kernel may allocate in each of thousands of blocks. So what it has freed is used again, the oldest first,
 * but not before many others have been freed: until then a pointer that outlives its memory is recognised. */
enum { HEAP_REST = 256, HEAP_PIECES = 16384 /* that live at once: the process has few mappings */ };

static const size_t HEAP_BYTES = (size_t)8 << 20; /* cudaLimitMallocHeapSize, unless it is set */

static struct region *freed[2 * HEAP_REST]; /* the oldest first */
static int freed_count;
static size_t heap_used, heap_pieces;

void heap_reset(void) {
    freed_count = 0;
    heap_used = heap_pieces = 0;
}

/* A freed region of this size that has rested; NULL: none. */
static struct region *rested(size_t bytes) {
    for (int i = 0; i + HEAP_REST < freed_count; i++)
        if (freed[i]->bytes == bytes) {
            struct region *region = freed[i];
            memmove(&freed[i], &freed[i + 1], (size_t)(--freed_count - i) * sizeof *freed);
            return region;
        }
    return NULL;
}

void *sim_malloc(size_t bytes) {
    if (!bytes || bytes > HEAP_BYTES - heap_used || heap_pieces == HEAP_PIECES)
        return NULL;
    struct region *region = rested(bytes);
    if (region)
        memory_renew(region);
    else
        region = memory_allocate(bytes, REGION_DEVICE);
    if (!region)
        return NULL;
    heap_used += bytes;
    heap_pieces++;
    region->trace = -1;
    region->of_heap = true;
    region->by_submission = true;
    snprintf(region->name, sizeof region->name, "memory from malloc()");
    return (void *)region->start;
}

void sim_free(void *pointer) {
    struct region *region = pointer ? to_free(pointer, true, __builtin_return_address(0)) : NULL;
    if (!region)
        return;
    memory_release(region);
    heap_used -= region->bytes;
    heap_pieces--;
    if (freed_count == 2 * HEAP_REST)
        memmove(freed, freed + 1, (size_t)--freed_count * sizeof *freed);
    freed[freed_count++] = region;
}
