/* Attack: A variable of a thread of the CPU in device code.
 * Says: thread.local */
#ifndef HONEST
static __device__ __thread int mine;
static __global__ void kernel(matrix x, matrix y) {
    mine = 1;
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
