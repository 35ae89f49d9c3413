/* Attack: A kernel has modf() write into memory of the host.
 * Finds: of host memory */
#ifndef HONEST
static double there;
static __global__ void kernel(double *to) {
    modf(2.5, to);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(&there);
}
#else
static __global__ void kernel(matrix x, matrix y) {
    double whole;
    int exponent;
    static_cast<float *>(y.data)[0] = (float)modf(2.5, &whole) + frexpf(2.0f, &exponent) + (float)whole;
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
