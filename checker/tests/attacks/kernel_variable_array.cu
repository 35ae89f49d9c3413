/* Attack: The same with an array whose size is an argument.
 * Finds: more than the 512 KB */
static __global__ void kernel(matrix y, long bytes) {
    char local[bytes];
    for (int i = 0; i < 64; i++)
        local[i] = (char)i;
    static_cast<float *>(y.data)[0] = local[1];
}
#ifndef HONEST
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>(y, 4 << 20);
}
#else
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>(y, 4 << 10);
}
#endif
