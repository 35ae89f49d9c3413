/* Correct: one warp a row and eight rows a block, shuffles by xor, no shared memory; a two-dimensional block for
 * row_scale, too. */
#include "row_reduction.h"

#include <math.h>

enum { WARP = 32, ROWS = 8 /* of a block */ };
static const unsigned ALL_LANES = 0xffffffffu;

static __global__ void scale_rows(matrix x, float factor, matrix y) {
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= x.rows)
        return;
    const float *from = (const float *)x.data + row * x.pitch;
    float *to = (float *)y.data + row * y.pitch;
    for (int64_t col = threadIdx.x; col < x.cols; col += WARP)
        to[col] = from[col] * factor;
}

static __global__ void max_rows(matrix x, float *max) {
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= x.rows) /* a whole warp: no shuffle below misses a lane */
        return;
    const float *from = (const float *)x.data + row * x.pitch;
    float value = -INFINITY;
    for (int64_t col = threadIdx.x; col < x.cols; col += WARP)
        value = from[col] > value ? from[col] : value;
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(ALL_LANES, value, distance));
    if (threadIdx.x == 0)
        max[row] = value;
}

static __global__ void sum_rows(matrix x, float *sum) {
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= x.rows)
        return;
    const float *from = (const float *)x.data + row * x.pitch;
    float value = 0.0f;
    for (int64_t col = threadIdx.x; col < x.cols; col += WARP)
        value += from[col];
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, distance);
    if (threadIdx.x == 0)
        sum[row] = value;
}

static unsigned blocks_of(matrix x) {
    return (unsigned)((x.rows + ROWS - 1) / ROWS);
}

cudaError_t row_scale(matrix x, float factor, matrix y, cudaStream_t stream) {
    scale_rows<<<blocks_of(x), dim3(WARP, ROWS), 0, stream>>>(x, factor, y);
    return cudaGetLastError();
}

cudaError_t row_max(matrix x, float *max, cudaStream_t stream) {
    max_rows<<<blocks_of(x), dim3(WARP, ROWS), 0, stream>>>(x, max);
    return cudaGetLastError();
}

cudaError_t row_sum(matrix x, float *sum, cudaStream_t stream) {
    sum_rows<<<blocks_of(x), dim3(WARP, ROWS), 0, stream>>>(x, sum);
    return cudaGetLastError();
}
