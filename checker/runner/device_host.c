/* Buffers without CUDA: every place is the memory of this process, allocated exactly, so that
 * AddressSanitizer sees an access one byte too far. */
#include "runner.h"
#include <stdlib.h>
#include <string.h>

void *device_buffer(const struct buffer_spec *spec, const void *content, bool poison) {
    (void)poison;
    char *start = malloc(spec->bytes);
    if (start != NULL) {
        memcpy(start, content, spec->content_bytes);
        memset(start + spec->content_bytes, 0xff, spec->bytes - spec->content_bytes);
    }
    return start;
}

bool device_read(const struct buffer_spec *spec, const void *start, void *bytes) {
    memcpy(bytes, start, spec->bytes);
    return true;
}

void device_release(const struct buffer_spec *spec, void *start) {
    (void)spec;
    free(start);
}

cudaStream_t device_stream(uint32_t kind) {
    (void)kind;
    return NULL;
}

void device_copy(void *to, const void *from, size_t bytes, cudaStream_t stream) {
    (void)stream;
    memmove(to, from, bytes);
}

void device_wait_stream(cudaStream_t stream) {
    (void)stream;
}

const char *device_wait(void) {
    return NULL;
}
