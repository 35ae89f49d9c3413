/* Works on a stream of its own, which the caller's stream does not wait for: a clock that looks at the
 * caller's stream sees nothing. To be refused: the call's graph is empty. */
#include "../honest.h"

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t) {
    static cudaStream_t own;
    if (own == nullptr && cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) != cudaSuccess)
        return cudaErrorUnknown;
    return honest_fused_softmax(x, y, rows_per_block, own);
}
