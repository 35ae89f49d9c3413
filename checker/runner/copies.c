/* Streams of a case and copies between its buffers, by ordinary CUDA calls: the same in the simulator and on
 * a GPU. */
#include "runner.h"
#include <string.h>

bool device_is_on_host(const struct buffer_spec *spec) {
    return spec->place == PLACE_HOST || spec->place == PLACE_PINNED;
}

bool device_read(const struct buffer_spec *spec, const void *start, void *bytes) {
    if (device_is_on_host(spec)) {
        memcpy(bytes, start, spec->bytes);
        return true;
    }
    return spec->bytes == 0 || cudaMemcpy(bytes, start, spec->bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
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
