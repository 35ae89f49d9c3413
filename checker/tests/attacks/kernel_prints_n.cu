/* Attack: A kernel has printf() write into memory.
 * Finds: does not take %n */
#ifndef HONEST
static int there;
static __global__ void kernel(int *to) {
    printf("%d%n", 1, to);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(&there);
}
#else
static __global__ void kernel(matrix x, matrix y) {
    printf("%d %%n %s\n", 1, "n");
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
