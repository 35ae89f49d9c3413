/* Copies and fills of the submission: made as asked for; one that is not on the stream of its call is
 * reported, as launches are by their trace. Copies that wait are in waits_cuda.c. */
#include "runtime_cuda.h"
#include <stdio.h>

cudaError_t __wrap_cudaMemset(void *start, int byte, size_t bytes);
cudaError_t __wrap_cudaMemsetAsync(void *start, int byte, size_t bytes, cudaStream_t stream);
cudaError_t __wrap_cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream);

static void judge_stream(const char *call, cudaStream_t stream) {
    const int32_t index = cuda_stream_index(stream);
    if (!cuda_in_call() || index == cuda_stream_index(cuda_call_stream()))
        return;
    struct finding finding = {.kind = FINDING_OFF_STREAM, .step = cuda_step()};
    snprintf(finding.text, sizeof finding.text, "%s was called on %s, not on the caller's stream.", call,
             index == STREAM_INDEX_DEFAULT ? "the default stream" : "another stream");
    cuda_send(&finding);
}

static bool is_pageable(const void *address) {
    struct cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, address) == cudaSuccess)
        return attributes.type == cudaMemoryTypeUnregistered;
    cudaGetLastError();
    return false;
}

cudaError_t __wrap_cudaMemset(void *start, int byte, size_t bytes) {
    judge_stream("cudaMemset", NULL);
    return cudaMemset(start, byte, bytes);
}

cudaError_t __wrap_cudaMemsetAsync(void *start, int byte, size_t bytes, cudaStream_t stream) {
    judge_stream("cudaMemsetAsync", stream);
    return cudaMemsetAsync(start, byte, bytes, stream);
}

cudaError_t __wrap_cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream) {
    judge_stream("cudaMemcpyAsync", stream);
    if (cuda_in_call() && bytes > 0 && is_pageable(to))
        trace_wait("cudaMemcpyAsync", "a copy to pageable host memory waits until it is done",
                   __builtin_return_address(0));
    return cudaMemcpyAsync(to, from, bytes, kind, stream);
}
