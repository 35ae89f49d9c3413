/* Attack: Host code has modf() write into device memory.
 * Finds: Host code (reads|writes) device memory */
#ifndef HONEST
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    sink = modf(2.5, (double *)y.data);
}
#else
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    double whole;
    sink = modf(2.5, &whole);
    sink = whole;
}
#endif
