/* Attack: Host code asks for memory that it could execute.
 * Finds: [(]mmap[)] */
#ifndef HONEST
#include "by_address.h"
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    sink = BY_ADDRESS(void *(void *, size_t, int, int, int, long), "mmap")(NULL, 4096, 7, 0x22, -1, 0) == NULL;
}
#endif
