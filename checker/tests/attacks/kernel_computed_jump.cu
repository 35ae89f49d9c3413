/* Attack: A kernel jumps to a computed label.
 * Says: jump to a computed label */
#ifndef HONEST
static __global__ void kernel(matrix x, matrix y) {
    void *to = (char *)&&away + (long)x.cols;
    goto *to;
away:
    static_cast<float *>(y.data)[0] = 1;
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
