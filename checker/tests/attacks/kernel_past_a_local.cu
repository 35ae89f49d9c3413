/* Attack: A kernel reads memory of the host by an index into a variable of its own.
 * Finds: of a variable of 16 bytes */
#ifndef HONEST
__attribute__((no_sanitize("bounds"))) static __global__ void kernel(matrix x, matrix y) {
    float mine[4] = {1, 2, 3, 4};
    static_cast<float *>(y.data)[0] = *(mine + x.cols * 1000);
}
__attribute__((no_sanitize("bounds"))) static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#else
static __global__ void kernel(matrix x, matrix y) {
    float mine[4] = {1, 2, 3, 4};
    static_cast<float *>(y.data)[0] = *(mine + (x.cols & 3));
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
