/* Attack: A fill that is larger than its whole allocation, over what is known of the memory behind.
 * Finds: runs past the end of its allocation */
static void fill(size_t bytes, cudaStream_t stream) {
    void *scratch = nullptr;
    if (cudaMallocAsync(&scratch, 256, stream) == cudaSuccess) {
        cudaMemsetAsync(scratch, 0, bytes, stream);
        cudaFreeAsync(scratch, stream);
    }
}
#ifndef HONEST
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y;
    fill(260, stream);
}
#else
__attribute__((used)) static void twin(cudaStream_t stream) {
    fill(256, stream);
}
#endif
