/* Attack: The second row of a copy of pinned memory lies anywhere in the device process.
 * Finds: returned cudaErrorInvalidValue */
static void rows(size_t pitch, cudaStream_t stream) {
    static char *pinned;
    if (!pinned)
        cudaMallocHost((void **)&pinned, 4096);
    if (pinned)
        cudaMemcpy2DAsync(pinned, pitch, pinned + 2048, 64, 8, 2, cudaMemcpyHostToHost, stream);
}
#ifndef HONEST
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    rows((size_t)1 << 40, stream);
}
#else
__attribute__((used)) static void twin(cudaStream_t stream) {
    rows(64, stream);
}
#endif
