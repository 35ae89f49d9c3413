/* Attack: memcpy by a version of its symbol, which no --wrap turns aside.
 * Says: a label that is no name */
#ifndef HONEST
extern "C" void *copy(void *, const void *, size_t) __asm__("memcpy@GLIBC_2.2.5");
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    float mine[4];
    copy(mine, x.data, 16);
}
#endif
