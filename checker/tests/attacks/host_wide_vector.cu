/* Attack: Host code reads device memory 32 bytes at once.
 * Finds: Host code (reads|writes) device memory */
#ifndef HONEST
typedef float eight __attribute__((vector_size(32), aligned(4)));
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    const eight values = *(volatile eight *)x.data;
    sink = values[0];
}
#else
typedef float eight __attribute__((vector_size(32), aligned(4)));
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    static float mine[8];
    const eight values = *(volatile eight *)mine;
    sink = values[0];
}
#endif
