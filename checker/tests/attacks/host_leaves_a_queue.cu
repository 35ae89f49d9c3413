/* Attack: Host code makes something of the system that outlives its process.
 * Finds: [(]msgget[)] */
#ifndef HONEST
#include "by_address.h"
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    sink = BY_ADDRESS(int(int, int), "msgget")(0, 0666);
}
#endif
