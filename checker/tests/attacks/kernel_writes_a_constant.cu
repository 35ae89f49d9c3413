/* Attack: A kernel writes to the place where it reads which thread it is.
 * Finds: (host memory|SIGSEGV) */
#ifndef HONEST
static __global__ void kernel(matrix x, matrix y) {
    *(unsigned *)&sim_thread_x = 7;
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
