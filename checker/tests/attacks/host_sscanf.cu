/* Attack: Host code writes device memory by a function of the C library.
 * Finds: Host code writes device memory of y */
#ifndef HONEST
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)stream;
    sink = sscanf("0.5", "%f", (float *)y.data);
}
#else
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    float mine;
    sink = sscanf("0.5", "%f", &mine);
}
#endif
