/* Attack: Host code sends the checker a signal, by a call that is seldom thought of.
 * Finds: rt_tgsigqueueinfo */
#ifndef HONEST
#include "by_address.h"
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    const int checker = BY_ADDRESS(int(void), "getppid")();
    int what[32] = {9, 0, -1};
    sink = (double)BY_ADDRESS(long(long, ...), "syscall")(297, checker, checker, 9, what);
}
#endif
