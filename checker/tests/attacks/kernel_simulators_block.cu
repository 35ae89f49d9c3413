/* Attack: A kernel reads what the simulator knows of its block.
 * Says: belongs to the simulator */
#ifndef HONEST
extern "C" __device__ const int inside[100] __asm__("sim_block");
static __global__ void kernel(matrix x, matrix y) {
    static_cast<float *>(y.data)[0] = (float)inside[x.cols];
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
