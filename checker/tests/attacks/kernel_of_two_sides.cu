/* Attack: A kernel takes a structure on the device side, and on the host side an address, from which it is copied.
 * Says: has parameters that the simulator cannot pass */
struct large {
    long word[64];
};
#ifndef HONEST
#ifdef __CUDA_ARCH__
extern "C" __global__ void kernel_of_two_sides(large given, float *to) {
    to[0] = (float)given.word[60];
}
#else
extern "C" __global__ void kernel_of_two_sides(long given, float *to) {}
#endif
static void attack(matrix x, matrix y, cudaStream_t stream) {
    void *arguments[] = {&x.data, &y.data};
    cudaLaunchKernel((const void *)kernel_of_two_sides, 1, 1, arguments, 0, stream);
}
#else
static __global__ void kernel(large given, float *to) {
    to[0] = (float)given.word[60];
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>({}, (float *)y.data);
}
#endif
