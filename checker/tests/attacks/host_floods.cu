/* Attack: Host code prints without end: it hardly computes, so the time limit is long in coming.
 * Finds: printed more than 64 MB */
#ifndef HONEST
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    for (;;)
        printf("%0100000d\n", 1);
}
#else
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    printf("%01000d\n", 1);
}
#endif
