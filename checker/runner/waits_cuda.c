/* Calls of the submission that wait for the device: made as asked for, and noted with the reason. Allocations
 * that may wait are in memory_cuda.c. */
#include "runtime_cuda.h"

#define HERE __builtin_return_address(0)

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

cudaError_t __wrap_cudaStreamQuery(cudaStream_t stream);
cudaError_t __wrap_cudaEventQuery(cudaEvent_t event);

static const char copy_waits[] = "it waits until the copy is done";

cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) {
    trace_wait("cudaStreamSynchronize", "it waits until the stream is idle", HERE);
    return cudaStreamSynchronize(stream);
}

cudaError_t __wrap_cudaDeviceSynchronize(void) {
    trace_wait("cudaDeviceSynchronize", "it waits until the whole device is idle", HERE);
    return cudaDeviceSynchronize();
}

cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event) {
    trace_wait("cudaEventSynchronize", "it waits until the event has happened", HERE);
    return cudaEventSynchronize(event);
}

/* Not made: it would destroy the buffers of the case and the runner's own streams. */
cudaError_t __wrap_cudaDeviceReset(void) {
    trace_wait("cudaDeviceReset", "it waits for the device and destroys everything on it", HERE);
    return cudaDeviceSynchronize();
}

cudaError_t __wrap_cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    trace_wait("cudaMemcpy", copy_waits, HERE);
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t __wrap_cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) {
    trace_wait("cudaMemcpy2D", copy_waits, HERE);
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t __wrap_cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind) {
    trace_wait("cudaMemcpyToSymbol", copy_waits, HERE);
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t __wrap_cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                        enum cudaMemcpyKind kind) {
    trace_wait("cudaMemcpyFromSymbol", copy_waits, HERE);
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError_t __wrap_cudaHostAlloc(void **start, size_t bytes, unsigned flags) {
    trace_wait("cudaHostAlloc", "it may wait for the device", HERE);
    return cudaHostAlloc(start, bytes, flags);
}

cudaError_t __wrap_cudaMallocHost(void **start, size_t bytes) {
    trace_wait("cudaMallocHost", "it may wait for the device", HERE);
    return cudaMallocHost(start, bytes);
}

cudaError_t __wrap_cudaFreeHost(void *start) {
    trace_wait("cudaFreeHost", "it waits until the device is idle", HERE);
    return cudaFreeHost(start);
}

/* Who asks again and again in one call, after cudaErrorNotReady, is in a loop that waits. */
static void note_question(const void *asked, cudaError_t answer, const char *call, const void *pc) {
    enum { PATIENCE = 3 };
    static struct {
        int step;
        const void *asked; /* a stream or an event */
        unsigned times;    /* since it was not ready for the first time */
    } last = {.step = -1};
    if (last.step != cuda_step() || last.asked != asked) {
        last.step = cuda_step();
        last.asked = asked;
        last.times = 0;
    }
    if ((answer == cudaErrorNotReady || last.times > 0) && last.times++ == PATIENCE)
        trace_wait(call, "asked again and again after cudaErrorNotReady, it is a wait", pc);
    if (answer == cudaSuccess)
        last.times = 0;
}

cudaError_t __wrap_cudaStreamQuery(cudaStream_t stream) {
    const cudaError_t answer = cudaStreamQuery(stream);
    note_question(stream, answer, "cudaStreamQuery", HERE);
    return answer;
}

cudaError_t __wrap_cudaEventQuery(cudaEvent_t event) {
    const cudaError_t answer = cudaEventQuery(event);
    note_question(event, answer, "cudaEventQuery", HERE);
    return answer;
}
