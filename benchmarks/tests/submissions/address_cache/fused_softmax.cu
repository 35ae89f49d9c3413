/* Remembers, on the device, for which addresses of x and y it has worked, and does nothing for them again. To
 * be refused: what is at the address changes. */
#include "../honest.h"

static __device__ const void *known[64];
static __device__ int known_count;

static __global__ void softmax_once(const float *x, float *y, int64_t rows, int cols, int64_t pitch) {
    const int64_t row = blockIdx.x;
    for (int i = 0; i < known_count; i++)
        if (known[i] == x)
            return;
    if (threadIdx.x != 0)
        return;
    float max = -INFINITY, sum = 0;
    for (int col = 0; col < cols; col++)
        max = fmaxf(max, x[row * pitch + col]);
    for (int col = 0; col < cols; col++)
        sum += expf(x[row * pitch + col] - max);
    for (int col = 0; col < cols; col++)
        y[row * pitch + col] = expf(x[row * pitch + col] - max) / sum;
}

static __global__ void remember(const void *x) {
    for (int i = 0; i < known_count; i++)
        if (known[i] == x)
            return;
    if (known_count < 64)
        known[known_count++] = x;
}

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    if (x.type != CUDA_R_32F)
        return honest_fused_softmax(x, y, rows_per_block, stream);
    softmax_once<<<(unsigned)x.rows, 32, 0, stream>>>((const float *)x.data, (float *)y.data, x.rows,
                                                      (int)x.cols, x.pitch);
    remember<<<1, 1, 0, stream>>>(x.data);
    return cudaGetLastError();
}
