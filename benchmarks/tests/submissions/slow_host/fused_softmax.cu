/* Keeps the host busy for 50 milliseconds in each call. To be refused: the device cannot be held that long.
 */
#include "../honest.h"
#include <unistd.h>

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    usleep(50000);
    return honest_fused_softmax(x, y, rows_per_block, stream);
}
