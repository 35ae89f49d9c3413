/* Attack: The second row of a copy to device memory lies behind it, in the device process.
 * Finds: uses an address that belongs to no allocation */
#ifndef HONEST
static void attack(matrix x, matrix y, cudaStream_t stream) {
    cudaMemcpy2DAsync(y.data, (size_t)1 << 44, x.data, 8, 8, 2, cudaMemcpyDeviceToDevice, stream);
}
#else
static void attack(matrix x, matrix y, cudaStream_t stream) {
    cudaMemcpy2DAsync(y.data, 16, x.data, 16, x.cols < 4 ? 4 : 8, 1, cudaMemcpyDeviceToDevice, stream);
}
#endif
