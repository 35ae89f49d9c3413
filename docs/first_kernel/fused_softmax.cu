/* The kernel of lesson 00 (docs/00_first_kernel.md): for each row, exp(x - the row's maximum). Not a softmax
 * yet: the sum is missing, and finding out how to add it is the lesson's exercise. One warp a row, FP32 only.
 */
#include "fused_softmax.h"

#include <math.h>

/* The maximum of the 32 lanes, in every lane. */
__device__ float warp_max(float value) {
    for (int distance = 16; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    return value;
}

/* A block is one warp, and a warp is one row. */
__global__ void shifted_exponentials(const float *x, float *y, int64_t cols, int64_t pitch) {
    const int64_t row = blockIdx.x;
    const int lane = threadIdx.x;

    float max = -INFINITY; /* a lane may get no column at all */
    for (int64_t col = lane; col < cols; col += 32)
        max = fmaxf(max, x[row * pitch + col]);
    max = warp_max(max);

    for (int64_t col = lane; col < cols; col += 32)
        y[row * pitch + col] = expf(x[row * pitch + col] - max);
}

/* The host's part: look at the arguments, launch, return the launch's error. */
cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    if (x.type != CUDA_R_32F || rows_per_block != 1)
        return cudaErrorNotSupported;
    if (x.rows == 0)
        return cudaSuccess;
    const unsigned blocks = (unsigned)x.rows, threads = 32;
    shifted_exponentials<<<blocks, threads, 0, stream>>>((const float *)x.data, (float *)y.data, x.cols,
                                                         x.pitch);
    return cudaGetLastError();
}
