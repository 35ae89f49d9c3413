/* Attack: Host code reads device memory by an index into a constant.
 * Finds: eaches 4 bytes at byte .* of a variable of 8 bytes */
#ifndef HONEST
static const int table[] = {1, 2};
__attribute__((no_sanitize("bounds"))) static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    const int *start = table;
    sink = *(table + ((const int *)x.data - start));
}
#else
static const int table[] = {1, 2};
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    for (int i = 0; i < 2; i++)
        sink = table[i];
}
#endif
