/* Attack: A function jumps to another whose arguments lie over where it returns to.
 * Says: does not jump to a function */
struct large {
    long word[8];
};
__attribute__((noinline)) static __device__ long second(large given) {
    given.word[0] = 5;
    return given.word[0];
}
__attribute__((noinline)) static __device__ long first(large given) {
    given.word[1] = 2;
#ifndef HONEST
    [[clang::musttail]]
#else
#endif
    return second(given);
}
static __global__ void kernel(matrix y) {
    large mine = {};
    static_cast<float *>(y.data)[0] = (float)first(mine);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>(y);
}
