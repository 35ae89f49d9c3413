/* Works on a stream of its own that begins after the caller's and that the caller's waits for. Against the
 * lesson, but honest: to be timed in full. */
#include "../honest.h"

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    static cudaStream_t own;
    static cudaEvent_t before, after;
    if (own == nullptr) {
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
        cudaEventCreateWithFlags(&after, cudaEventDisableTiming);
    }
    cudaEventRecord(before, stream);
    cudaStreamWaitEvent(own, before, 0);
    const cudaError_t error = honest_fused_softmax(x, y, rows_per_block, own);
    cudaEventRecord(after, own);
    cudaStreamWaitEvent(stream, after, 0);
    return error;
}
