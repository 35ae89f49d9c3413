/* Attack: A kernel writes past a local variable, over where the function returns to.
 * Finds: past a local variable */
#ifndef HONEST
__attribute__((noinline)) static __device__ void fill(long *to, int count, long value) {
    for (int i = 0; i < count; i++)
        to[i] = value;
}
static __global__ void kernel(matrix x, matrix y) {
    long mine[2] = {1, 2};
    fill(mine, 64, (long)y.data);
    static_cast<float *>(y.data)[0] = (float)mine[x.cols & 1];
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#else
__attribute__((noinline)) static __device__ void fill(long *to, int count, long value) {
    for (int i = 0; i < count; i++)
        to[i] = value;
}
static __global__ void kernel(matrix x, matrix y) {
    long mine[2] = {1, 2};
    fill(mine, 2, x.cols);
    __syncthreads();
    fill(mine, 1, x.rows);
    if (threadIdx.x == 0)
        static_cast<float *>(y.data)[0] = (float)mine[x.cols & 1];
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    kernel<<<1, 64, 0, stream>>>(x, y);
}
#endif
