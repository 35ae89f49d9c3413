/* Attack: The same by a truth value that is neither true nor false.
 * Finds: of a variable of 8 bytes */
#ifndef HONEST
__attribute__((no_sanitize("bounds"))) static __global__ void kernel(matrix x, matrix y) {
    float mine[2] = {1, 2};
    unsigned char many = 255;
    unsigned char *through = &many;
    static_cast<float *>(y.data)[0] = *(mine + 4 * (long)*(bool *)through);
}
__attribute__((no_sanitize("bounds"))) static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#else
static __global__ void kernel(matrix x, matrix y) {
    float mine[2] = {1, 2};
    bool one = x.cols > 0;
    static_cast<float *>(y.data)[0] = mine[one];
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
