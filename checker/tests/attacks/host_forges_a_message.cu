/* Attack: Host code writes to the socket of its own process.
 * Finds: wrote to the socket by which the runner.s processes speak */
#ifndef HONEST
#include "by_address.h"
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    const long words[64] = {99, 8};
    for (int i = 3; i < 64; i++)
        sink = (double)BY_ADDRESS(long(int, const void *, size_t), "write")(i, words, sizeof words);
}
#endif
