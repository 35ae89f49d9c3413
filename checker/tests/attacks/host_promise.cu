/* Attack: An index is promised to be small, so that no check of it is left.
 * Finds: (SIGILL|of a variable of 16 bytes) */
#ifndef HONEST
__attribute__((noinline)) __attribute__((no_sanitize("bounds"))) static int chosen(long index) {
    int mine[4] = {1, 2, 3, 4};
    if (index < 0 || index > 3)
        __builtin_unreachable();
    __builtin_assume(index < 4);
    return *(mine + index);
}
__attribute__((no_sanitize("bounds"))) static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    sink = chosen((long)x.cols + 100000);
}
#else
__attribute__((noinline)) static int chosen(long index) {
    int mine[4] = {1, 2, 3, 4};
    if (index < 0 || index > 3)
        __builtin_unreachable();
    __builtin_assume(index < 4);
    return *(mine + index);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    sink = chosen((long)(x.cols & 3));
}
#endif
