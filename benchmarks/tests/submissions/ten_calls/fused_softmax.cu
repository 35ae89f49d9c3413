/* Right in its first ten calls, and does nothing after them. Wrong, and not to be timed. */
#include "../honest.h"

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    static int calls;
    return calls++ < 10 ? honest_fused_softmax(x, y, rows_per_block, stream) : cudaSuccess;
}
