/* Buffers and streams of a case, by ordinary CUDA calls: the same for the simulator and for a GPU. What they
 * allocate on the device is freed by runtime_case_end(). */
#include "runner.h"
#include <stdlib.h>
#include <string.h>

static bool is_on_host(const struct buffer_spec *spec) {
    return spec->place == PLACE_HOST || spec->place == PLACE_PINNED;
}

static void *host_buffer(const struct buffer_spec *spec) {
    const size_t bytes = spec->bytes ? spec->bytes : 1;
    void *start = NULL;
    if (spec->place == PLACE_HOST)
        return malloc(bytes);
    return cudaMallocHost(&start, bytes) == cudaSuccess ? start : NULL;
}

void *device_buffer(const struct buffer_spec *spec, const void *content, bool poison) {
    void *start = NULL;
    if (is_on_host(spec)) {
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

bool device_read(const struct buffer_spec *spec, const void *start, void *bytes) {
    if (is_on_host(spec)) {
        memcpy(bytes, start, spec->bytes);
        return true;
    }
    return spec->bytes == 0 || cudaMemcpy(bytes, start, spec->bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
}

void device_release(const struct buffer_spec *spec, void *start) {
    if (spec->place == PLACE_HOST)
        free(start);
    else if (spec->place == PLACE_PINNED)
        cudaFreeHost(start);
}

cudaStream_t device_stream(uint32_t kind) {
    cudaStream_t stream = NULL;
    if (kind == STREAM_BLOCKING)
        cudaStreamCreate(&stream);
    else if (kind == STREAM_NONBLOCKING)
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
}

void device_copy(void *to, const void *from, size_t bytes, cudaStream_t stream) {
    cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}

void device_wait_stream(cudaStream_t stream) {
    cudaStreamSynchronize(stream);
}

const char *device_wait(void) {
    const cudaError_t error = cudaDeviceSynchronize();
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}
