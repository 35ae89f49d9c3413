/* Attack: Host code reads device memory by an index into a variable of its own.
 * Finds: eaches 1 bytes at byte .* of a variable of 8 bytes */
#ifndef HONEST
__attribute__((no_sanitize("bounds"))) static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    char mine[8] = {0};
    sink = *(mine + ((const char *)x.data - mine));
}
#else
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    char mine[8] = {0};
    for (int i = 0; i < 8; i++)
        sink = *(mine + i);
}
#endif
