/* Does not return from its thirtieth call on. To end in a sentence. */
#include "../honest.h"
#include <unistd.h>

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    static int calls;
    while (++calls >= 30)
        pause();
    return honest_fused_softmax(x, y, rows_per_block, stream);
}
