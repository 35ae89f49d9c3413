/* Attack: The same by a second declaration of the function.
 * Says: is called as if it were of another type */
#ifndef HONEST
struct large {
    long word[64];
};
__device__ long takes(large given, int count) __asm__("takes_a_structure");
__device__ long takes_none(int count) __asm__("takes_a_structure");
__attribute__((noinline)) __device__ long takes(large given, int count) {
    given.word[count] = count;
    return given.word[0];
}
static __global__ void kernel(matrix y, int count) {
    static_cast<float *>(y.data)[0] = (float)takes_none(count);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>(y, 64);
}
#endif
