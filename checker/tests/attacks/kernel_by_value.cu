/* Attack: A kernel lets a call copy a structure from past the end.
 * Finds: (past the end of|of x) */
#ifndef HONEST
struct large {
    float value[16];
};
__attribute__((noinline)) static __device__ float first(struct large large) {
    return large.value[0];
}
static __global__ void kernel(matrix x, matrix y) {
    static_cast<float *>(y.data)[0] = first(*(const struct large *)((const float *)x.data + x.rows * x.pitch - 1));
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#else
struct large {
    float value[16];
};
__attribute__((noinline)) static __device__ float first(struct large large) {
    return large.value[0];
}
static __global__ void kernel(matrix x, matrix y) {
    struct large mine = {{1}};
    static_cast<float *>(y.data)[0] = first(mine);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
