/* Attack: Host code reads device memory by a function of the C library.
 * Finds: Host code reads device memory of x */
#ifndef HONEST
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)y, (void)stream;
    sink = memchr(x.data, 63, 4) != NULL;
}
#else
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    static const char mine[4] = "abc";
    sink = memchr(mine, 63, 4) != NULL;
}
#endif
