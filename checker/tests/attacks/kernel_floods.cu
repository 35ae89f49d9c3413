/* Attack: Warnings without end before the fault.
 * Finds: no barrier lies between */
#ifndef HONEST
static __global__ void kernel(matrix x, matrix y) {
    __shared__ int shared[64];
#define ONE shared[0] = 1;
#define FOUR ONE ONE ONE ONE
#define SIXTEEN FOUR FOUR FOUR FOUR
    SIXTEEN SIXTEEN SIXTEEN SIXTEEN
    shared[threadIdx.x % 32] = (int)threadIdx.x;
    static_cast<float *>(y.data)[0] = (float)shared[(threadIdx.x + 1) % 32];
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 64, 0, stream>>>(x, y);
}
#endif
