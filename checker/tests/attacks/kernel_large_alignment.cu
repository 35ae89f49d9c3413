/* Attack: Small local variables that are aligned to 1 MiB, call after call.
 * Finds: (more than the 512 KB|accessed memory that is not there) */
__attribute__((noinline)) static __device__ int call(int depth) {
#ifndef HONEST
    alignas(1 << 20) volatile char local[4];
#else
    alignas(64) volatile char local[4];
#endif
    local[depth & 3] = (char)depth;
    return depth == 20 ? 0 : call(depth + 1) + local[depth & 3];
}
static __global__ void kernel(matrix y) {
    static_cast<float *>(y.data)[0] = (float)call(0);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>(y);
}
