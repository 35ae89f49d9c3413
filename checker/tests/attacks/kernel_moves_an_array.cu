/* Attack: A function writes all around a variable of its caller, to where that keeps the address of an array.
 * Finds: none of its kernels read x */
__attribute__((noinline)) static __device__ void put(volatile long *at, int from, int to) {
    for (int i = from; i < to; i++)
        at[i] = 0x4242424242;
}
__attribute__((noinline)) static __device__ long use(volatile long *beside, int count) {
    char array[count];
    volatile long mine[2] = {1, 2};
    array[0] = 1;
#ifndef HONEST
    put(mine, -4, 0);
    put(mine, 0, 4);
#else
    put(mine, 0, 2);
#endif
    put(beside, 0, 1);
    array[1] = 1;
    return mine[0] + array[0];
}
static __global__ void kernel(matrix y, int count) {
    volatile long beside[8] = {1, 2};
    static_cast<float *>(y.data)[0] = (float)use(beside, count);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>(y, 100);
}
