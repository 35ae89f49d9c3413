/* Buffers of a case in the simulator, which watches them by itself. What they allocate on the device is freed
 * by runtime_case_end(). Those of the host lie where the host process has them too. */
#include "../simulator/host_memory.h"
#include "runner.h"
#include <string.h>

static void *host_buffer(const struct buffer_spec *spec) {
    const size_t bytes = spec->bytes ? spec->bytes : 1;
    void *start = NULL;
    if (spec->place == PLACE_HOST)
        return host_memory_take(bytes);
    return cudaMallocHost(&start, bytes) == cudaSuccess ? start : NULL;
}

void *device_buffer(const struct buffer_spec *spec, const void *content, bool poison) {
    void *start = NULL;
    if (device_is_on_host(spec)) {
        start = host_buffer(spec);
        if (start != NULL)
            memset(start, 0xff, spec->bytes);
        if (start != NULL && spec->content_bytes > 0)
            memcpy(start, content, spec->content_bytes);
        return start;
    }
    const cudaError_t error =
        spec->place == PLACE_MANAGED
            ? cudaMallocManaged(&start, spec->bytes ? spec->bytes : 1, cudaMemAttachGlobal)
            : cudaMalloc(&start, spec->bytes ? spec->bytes : 1);
    if (error != cudaSuccess || start == NULL)
        return NULL;
    if (poison && cudaMemset(start, 0xff, spec->bytes) != cudaSuccess)
        return NULL;
    if (spec->content_bytes > 0 &&
        cudaMemcpy(start, content, spec->content_bytes, cudaMemcpyHostToDevice) != cudaSuccess)
        return NULL;
    return start;
}

void device_wait_stream(cudaStream_t stream) {
    cudaStreamSynchronize(stream);
}

const char *device_wait(void) {
    const cudaError_t error = cudaDeviceSynchronize();
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

void device_release(const struct buffer_spec *spec, void *start) {
    if (spec->place == PLACE_HOST)
        host_memory_give(start);
    else if (spec->place == PLACE_PINNED)
        cudaFreeHost(start);
}
