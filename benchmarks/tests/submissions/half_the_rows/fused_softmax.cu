/* Leaves the second half of the rows out. Wrong, and not to be timed. */
#include "../honest.h"

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    x.rows = y.rows = (x.rows + 1) / 2;
    return honest_fused_softmax(x, y, rows_per_block, stream);
}
