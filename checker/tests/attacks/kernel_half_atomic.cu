/* Attack: Half an atomic operation: one byte is begun, eight are written.
 * Finds: riting 8 bytes */
#ifndef HONEST
static __global__ void kernel(matrix x, matrix y) {
    char *last = (char *)y.data + y.rows * y.pitch * 4 - 1;
    sim_atomic_begin(last, 1);
    sim_atomic_end(last, 0, 8);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#else
static __global__ void kernel(matrix x, matrix y) {
    atomicExch((int *)y.data, 1);
    atomicAdd((float *)y.data, 1.0f);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    kernel<<<1, 1, 0, stream>>>(x, y);
}
#endif
