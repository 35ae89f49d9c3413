/* Attack: A kernel has printf() write into memory, by a name of a size that CUDA has not.
 * Finds: none of its kernels read x */
#ifndef HONEST
static __global__ void kernel(size_t *to) {
    printf("%d%Zn", 1, to);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(reinterpret_cast<size_t *>(16));
}
#else
static __global__ void kernel(matrix x) {
    printf("%zu%% of %5.2f%c %lld %-4s|%+d %hhd %#x %p %e\n", (size_t)100, 1.5, 'x', (long long)x.cols, "ab", 1, 2, 3u,
           (void *)x.data, 1e10);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)y;
    kernel<<<1, 1, 0, stream>>>(x);
}
#endif
