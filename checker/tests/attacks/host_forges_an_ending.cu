/* Attack: Host code says that it has returned, and goes on.
 * Finds: launched nothing, though it had work to do */
#ifndef HONEST
#include "by_address.h"
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    const long words[8] = {7, 40, 1};
    for (int i = 3; i < 64; i++)
        sink = (double)BY_ADDRESS(long(int, const void *, size_t), "write")(i, words, 56);
    BY_ADDRESS(void(int), "_exit")(0);
}
#endif
