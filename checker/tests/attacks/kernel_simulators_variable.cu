/* Attack: A kernel says itself which thread it is.
 * Says: belongs to the simulator */
#ifndef HONEST
extern __device__ unsigned place __asm__("sim_thread_x");
static __global__ void kernel(matrix x, matrix y) {
    place = 7;
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
