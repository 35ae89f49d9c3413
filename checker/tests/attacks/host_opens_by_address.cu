/* Attack: Host code calls open() by its address.
 * Finds: openat, to open a file */
#ifndef HONEST
#include "by_address.h"
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    sink = BY_ADDRESS(int(const char *, int, ...), "open")("/etc/passwd", 0);
}
#endif
