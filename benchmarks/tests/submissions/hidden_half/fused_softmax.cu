/* Does its work on the caller's stream, and 200 microseconds more on one of its own while it is not captured.
 * The plain calls are to be timed to the end of that. */
#include "../honest.h"

static __global__ void linger(void) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < 200000);
}

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    static cudaStream_t own;
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    if (own == nullptr)
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaStreamIsCapturing(stream, &capturing);
    if (capturing == cudaStreamCaptureStatusNone)
        linger<<<1, 1, 0, own>>>();
    return honest_fused_softmax(x, y, rows_per_block, stream);
}
