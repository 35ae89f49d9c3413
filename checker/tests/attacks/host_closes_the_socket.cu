/* Attack: Host code closes the socket of its process and sleeps, so that each check takes all its time.
 * Finds: closed the socket */
#ifndef HONEST
#include "by_address.h"
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    BY_ADDRESS(int(int), "close")(3);
    for (;;)
        BY_ADDRESS(unsigned(unsigned), "sleep")(1000);
}
#endif
