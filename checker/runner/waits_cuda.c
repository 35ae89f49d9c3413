/* Calls of the submission that wait for the device: made as asked for, and noted with the reason. Allocations
 * that may wait are in memory_cuda.c. */
#include "runtime_cuda.h"

cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t __wrap_cudaDeviceSynchronize(void);
cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event);
cudaError_t __wrap_cudaDeviceReset(void);
cudaError_t __wrap_cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                        enum cudaMemcpyKind kind);
cudaError_t __wrap_cudaHostAlloc(void **start, size_t bytes, unsigned flags);
cudaError_t __wrap_cudaMallocHost(void **start, size_t bytes);
cudaError_t __wrap_cudaFreeHost(void *start);

static const char copy_waits[] = "it waits until the copy is done";

cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) {
    trace_wait("cudaStreamSynchronize", "it waits until the stream is idle");
    return cudaStreamSynchronize(stream);
}

cudaError_t __wrap_cudaDeviceSynchronize(void) {
    trace_wait("cudaDeviceSynchronize", "it waits until the whole device is idle");
    return cudaDeviceSynchronize();
}

cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event) {
    trace_wait("cudaEventSynchronize", "it waits until the event has happened");
    return cudaEventSynchronize(event);
}

/* Not made: it would destroy the buffers of the case and the runner's own streams. */
cudaError_t __wrap_cudaDeviceReset(void) {
    trace_wait("cudaDeviceReset", "it waits for the device and destroys everything on it");
    return cudaDeviceSynchronize();
}

cudaError_t __wrap_cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    trace_wait("cudaMemcpy", copy_waits);
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t __wrap_cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) {
    trace_wait("cudaMemcpy2D", copy_waits);
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t __wrap_cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind) {
    trace_wait("cudaMemcpyToSymbol", copy_waits);
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t __wrap_cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                        enum cudaMemcpyKind kind) {
    trace_wait("cudaMemcpyFromSymbol", copy_waits);
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError_t __wrap_cudaHostAlloc(void **start, size_t bytes, unsigned flags) {
    trace_wait("cudaHostAlloc", "it may wait for the device");
    return cudaHostAlloc(start, bytes, flags);
}

cudaError_t __wrap_cudaMallocHost(void **start, size_t bytes) {
    trace_wait("cudaMallocHost", "it may wait for the device");
    return cudaMallocHost(start, bytes);
}

cudaError_t __wrap_cudaFreeHost(void *start) {
    trace_wait("cudaFreeHost", "it waits until the device is idle");
    return cudaFreeHost(start);
}
