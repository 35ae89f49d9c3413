/* Attack: A launch configuration is fetched into device memory.
 * Says: __cudaPopCallConfiguration is called by */
#ifndef HONEST
extern "C" cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    __cudaPopCallConfiguration((dim3 *)y.data, (dim3 *)y.data, (size_t *)y.data, y.data);
}
#endif
