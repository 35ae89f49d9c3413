/* Keeps the result of the first call and copies it out in all later ones. To be refused: the inputs change.
 */
#include "../honest.h"

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    static void *kept;
    static int64_t kept_rows, kept_cols;
    static cudaDataType_t kept_type;
    const size_t bytes = (size_t)(y.rows * y.pitch) * (y.type == CUDA_R_32F ? 4 : 2);
    if (kept && kept_rows == x.rows && kept_cols == x.cols && kept_type == x.type)
        return cudaMemcpyAsync(y.data, kept, bytes, cudaMemcpyDeviceToDevice, stream);
    const cudaError_t error = honest_fused_softmax(x, y, rows_per_block, stream);
    cudaMalloc(&kept, bytes);
    cudaMemcpyAsync(kept, y.data, bytes, cudaMemcpyDeviceToDevice, stream);
    kept_rows = x.rows, kept_cols = x.cols, kept_type = x.type;
    return error;
}
