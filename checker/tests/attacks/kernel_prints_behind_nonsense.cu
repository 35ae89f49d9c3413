/* Attack: A kernel has printf() write into memory, by a %n behind what is no conversion.
 * Finds: none of its kernels read x */
#ifndef HONEST
static __global__ void kernel(int *to) {
    printf("%d%$%n", 1, to);
    printf("%d%t'%n", 1, to);
    printf("%d%hh;%n", 1, to);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(reinterpret_cast<int *>(16));
}
#endif
