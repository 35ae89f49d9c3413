/* Waits for its own work where the call is not captured. To be refused: plain calls cannot be issued ahead.
 */
#include "../honest.h"

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream, &capturing);
    const cudaError_t error = honest_fused_softmax(x, y, rows_per_block, stream);
    return capturing == cudaStreamCaptureStatusNone && error == cudaSuccess ? cudaStreamSynchronize(stream)
                                                                            : error;
}
