/* Attack: A kernel has strcpy() write into memory of the host.
 * Finds: of host memory */
#ifndef HONEST
static char there[8];
static __global__ void kernel(char *to) {
    strcpy(to, "x");
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(there);
}
#else
static __global__ void kernel(matrix x, matrix y) {
    char mine[8];
    strcpy(mine, "abc");
    static_cast<float *>(y.data)[0] = (float)(strlen(mine) + (size_t)strcmp(mine, "abc") + (size_t)memcmp(mine, "abc", 3));
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
