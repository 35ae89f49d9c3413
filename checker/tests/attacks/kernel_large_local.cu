/* Attack: A local variable larger than the stack, so that an index inside of it leads to any memory below.
 * Finds: more than the 512 KB */
static __global__ void kernel(matrix y, int at, int count) {
#ifndef HONEST
    char local[4 << 20];
#else
    char local[64 << 10];
#endif
    for (int i = 0; i < count; i++)
        local[at + i] = (char)i;
    static_cast<float *>(y.data)[0] = local[at];
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    kernel<<<1, 1, 0, stream>>>(y, 64, 64);
}
