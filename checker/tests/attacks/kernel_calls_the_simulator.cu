/* Attack: A kernel calls a function of the simulator that is not for kernels.
 * Says: device code calls finding_reset */
#ifndef HONEST
extern "C" __device__ void forget() __asm__("finding_reset");
static __global__ void kernel(matrix x, matrix y) {
    forget();
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
