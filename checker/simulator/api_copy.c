/* CUDA runtime calls: copies and fills. All are queued; those without Async in their name then wait. */
#include "simulator.h"
#include <stdlib.h>
#include <string.h>

#define CALLER calling_place(__builtin_return_address(0))

struct copy {
    uintptr_t to, from;
    size_t to_pitch, from_pitch, width, rows;
    enum cudaMemcpyKind kind;
    const void *pc; /* of the submission's call */
};

static bool is_device(uintptr_t address) {
    return memory_is_device(address) || variable_find(address);
}

static bool managed(uintptr_t address) {
    const struct region *region = memory_find(address);
    return region && region->kind == REGION_MANAGED;
}

/* Do the addresses lie where the kind of copy says? */
static bool direction_fits(const struct copy *copy) {
    bool to_device = is_device(copy->to), from_device = is_device(copy->from);
    switch (copy->kind) {
    case cudaMemcpyHostToHost:
        return !to_device && !from_device;
    case cudaMemcpyHostToDevice:
        return to_device && (!from_device || managed(copy->from));
    case cudaMemcpyDeviceToHost:
        return from_device && (!to_device || managed(copy->to));
    case cudaMemcpyDeviceToDevice:
        return to_device && from_device;
    default:
        return true;
    }
}

/* Pageable host memory is read before the call returns. */
static void keep_source(struct operation *operation, const struct copy *copy) {
    if (is_device(copy->from) || host_memory_is_pinned(copy->from))
        return;
    operation->staging = malloc(copy->width * copy->rows + 1);
    for (size_t row = 0; row < copy->rows; row++)
        memcpy((char *)operation->staging + row * copy->width,
               (const void *)(copy->from + row * copy->from_pitch), copy->width);
    operation->source_pitch = copy->width;
}

static cudaError_t issue(const struct copy *copy, struct stream *stream) {
    if (!stream)
        return error_set(cudaErrorInvalidResourceHandle);
    if (error_sticky())
        return error_sticky();
    if (!copy->width || !copy->rows)
        return cudaSuccess;
    if (!copy->to || !copy->from || copy->width > copy->to_pitch || copy->width > copy->from_pitch)
        return error_set(cudaErrorInvalidValue);
    if (!direction_fits(copy))
        return error_set(cudaErrorInvalidValue);
    host_work_copy(copy->to, copy->from, copy->width * copy->rows, is_device(copy->to), is_device(copy->from),
                   copy->pc);
    struct operation *operation = stream_issue(stream, OPERATION_COPY);
    operation->destination = copy->to;
    operation->source = copy->from;
    operation->destination_pitch = copy->to_pitch;
    operation->source_pitch = copy->from_pitch;
    operation->width = copy->width;
    operation->rows = copy->rows;
    operation->pc = copy->pc;
    keep_source(operation, copy);
    return cudaSuccess;
}

static cudaError_t copy_now(const struct copy *copy, const char *call) {
    runtime_trace_wait(call, "it waits until the copy is done", copy->pc);
    cudaError_t error = issue(copy, stream_of(NULL));
    if (error == cudaSuccess)
        stream_wait(stream_of(NULL));
    return error == cudaSuccess ? error_set(error_sticky()) : error;
}

static cudaError_t copy_later(const struct copy *copy, cudaStream_t handle, const char *call) {
    struct stream *stream = stream_of(handle);
    cudaError_t error = issue(copy, stream);
    if (error == cudaSuccess && copy->width && !is_device(copy->to) && !host_memory_is_pinned(copy->to)) {
        runtime_trace_wait(call, "a copy to pageable host memory waits until it is done", copy->pc);
        stream_wait(stream);
    }
    return error;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    return copy_now(&(struct copy){(uintptr_t)to, (uintptr_t)from, bytes, bytes, bytes, 1, kind, CALLER},
                    "cudaMemcpy");
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return copy_later(&(struct copy){(uintptr_t)to, (uintptr_t)from, bytes, bytes, bytes, 1, kind, CALLER},
                      stream, "cudaMemcpyAsync");
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
    return copy_now(
        &(struct copy){(uintptr_t)to, (uintptr_t)from, to_pitch, from_pitch, width, height, kind, CALLER},
        "cudaMemcpy2D");
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_later(
        &(struct copy){(uintptr_t)to, (uintptr_t)from, to_pitch, from_pitch, width, height, kind, CALLER},
        stream, "cudaMemcpy2DAsync");
}

static cudaError_t fill(void *pointer, size_t pitch, int value, size_t width, size_t rows,
                        struct stream *stream, const void *pc) {
    if (!stream)
        return error_set(cudaErrorInvalidResourceHandle);
    if (error_sticky())
        return error_sticky();
    if (!width || !rows)
        return cudaSuccess;
    if (!is_device((uintptr_t)pointer) || width > pitch)
        return error_set(cudaErrorInvalidValue);
    struct operation *operation = stream_issue(stream, OPERATION_FILL);
    operation->destination = (uintptr_t)pointer;
    operation->destination_pitch = pitch;
    operation->width = width;
    operation->rows = rows;
    operation->value = value;
    operation->pc = pc;
    return cudaSuccess;
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
    return fill(pointer, bytes, value, bytes, 1, stream_of(NULL), CALLER);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
    return fill(pointer, bytes, value, bytes, 1, stream_of(stream), CALLER);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
    return fill(pointer, pitch, value, width, height, stream_of(NULL), CALLER);
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return fill(pointer, pitch, value, width, height, stream_of(stream), CALLER);
}

/* ---- __device__ and __constant__ variables ---- */

/* Where a variable has `bytes` from an offset on; 0: it is no variable of the device, or has not so many. The symbol is
 * the host's shadow of it. */
static uintptr_t in_symbol(const void *symbol, size_t offset, size_t bytes) {
    const struct region *region = variable_of_shadow(symbol);
    const bool fits = region && offset <= region->bytes && bytes <= region->bytes - offset;
    return fits ? region->start + offset : 0;
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
    const uintptr_t start = in_symbol(symbol, 0, 0);
    if (!pointer || !start)
        return error_set(pointer ? cudaErrorInvalidSymbol : cudaErrorInvalidValue);
    *pointer = (void *)start;
    return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
    const struct region *region = variable_of_shadow(symbol);
    if (!bytes || !region)
        return error_set(bytes ? cudaErrorInvalidSymbol : cudaErrorInvalidValue);
    *bytes = region->bytes;
    return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
    const uintptr_t to = in_symbol(symbol, offset, bytes);
    return to ? copy_now(&(struct copy){to, (uintptr_t)from, bytes, bytes, bytes, 1, kind, CALLER},
                         "cudaMemcpyToSymbol")
              : error_set(cudaErrorInvalidSymbol);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
    const uintptr_t to = in_symbol(symbol, offset, bytes);
    return to ? copy_later(&(struct copy){to, (uintptr_t)from, bytes, bytes, bytes, 1, kind, CALLER}, stream,
                           "cudaMemcpyToSymbolAsync")
              : error_set(cudaErrorInvalidSymbol);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind) {
    const uintptr_t from = in_symbol(symbol, offset, bytes);
    return from ? copy_now(&(struct copy){(uintptr_t)to, from, bytes, bytes, bytes, 1, kind, CALLER},
                           "cudaMemcpyFromSymbol")
                : error_set(cudaErrorInvalidSymbol);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
    const uintptr_t from = in_symbol(symbol, offset, bytes);
    return from ? copy_later(&(struct copy){(uintptr_t)to, from, bytes, bytes, bytes, 1, kind, CALLER},
                             stream, "cudaMemcpyFromSymbolAsync")
                : error_set(cudaErrorInvalidSymbol);
}
