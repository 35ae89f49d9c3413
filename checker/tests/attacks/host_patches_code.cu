/* Attack: Host code makes a function of the C library writable, to replace it.
 * Finds: [(]mprotect[)] */
#ifndef HONEST
#include "by_address.h"
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    sink = BY_ADDRESS(int(void *, size_t, int), "mprotect")((void *)((uintptr_t)&lldiv & ~(uintptr_t)4095), 4096, 7);
}
#endif
