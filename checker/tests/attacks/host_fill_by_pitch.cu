/* Attack: The second row of a fill lies anywhere in the device process.
 * Finds: uses an address that belongs to no allocation */
#ifndef HONEST
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    cudaMemset2DAsync(y.data, (size_t)0x300000000000 - (size_t)y.data, 1, 8, 2, stream);
}
#else
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x;
    cudaMemset2DAsync(y.data, 8, 0, 4, y.cols < 4 ? 1 : 2, stream);
}
#endif
