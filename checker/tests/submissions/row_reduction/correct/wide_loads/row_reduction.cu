/* Correct: float4 loads and stores up to the last whole group of four where the pitch is a multiple of 4, scalars
 * for the rest and for every other pitch; one warp a row, several rows a warp one after the other. */
#include "row_reduction.h"

#include <math.h>

enum { WARPS = 4, MOST_BLOCKS = 4096 };

struct span {
    int64_t quads, cols; /* whole groups of four; the columns of the row */
};

static __device__ span span_of(const float *row, int64_t cols) {
    const bool aligned = reinterpret_cast<uintptr_t>(row) % sizeof(float4) == 0;
    return {aligned ? cols / 4 : 0, cols};
}

static __global__ void scale(const float *x, float factor, float *y, int64_t rows, int64_t cols,
                             int64_t pitch) {
    for (int64_t row = (int64_t)blockIdx.x * WARPS + threadIdx.y; row < rows;
         row += (int64_t)gridDim.x * WARPS) {
        const float *from = x + row * pitch;
        float *to = y + row * pitch;
        const span span = span_of(from, cols);
        for (int64_t q = threadIdx.x; q < span.quads; q += 32) {
            float4 four = reinterpret_cast<const float4 *>(from)[q];
            four.x *= factor, four.y *= factor, four.z *= factor, four.w *= factor;
            reinterpret_cast<float4 *>(to)[q] = four;
        }
        for (int64_t col = span.quads * 4 + threadIdx.x; col < span.cols; col += 32)
            to[col] = from[col] * factor;
    }
}

static __global__ void max_of(const float *x, float *max, int64_t rows, int64_t cols, int64_t pitch) {
    for (int64_t row = (int64_t)blockIdx.x * WARPS + threadIdx.y; row < rows;
         row += (int64_t)gridDim.x * WARPS) {
        const float *from = x + row * pitch;
        const span span = span_of(from, cols);
        float value = -INFINITY;
        for (int64_t q = threadIdx.x; q < span.quads; q += 32) {
            const float4 four = reinterpret_cast<const float4 *>(from)[q];
            value = fmaxf(value, fmaxf(fmaxf(four.x, four.y), fmaxf(four.z, four.w)));
        }
        for (int64_t col = span.quads * 4 + threadIdx.x; col < span.cols; col += 32)
            value = fmaxf(value, from[col]);
        for (int distance = 1; distance < 32; distance *= 2)
            value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance));
        if (threadIdx.x == 0)
            max[row] = value;
    }
}

static __global__ void sum_of(const float *x, float *sum, int64_t rows, int64_t cols, int64_t pitch) {
    for (int64_t row = (int64_t)blockIdx.x * WARPS + threadIdx.y; row < rows;
         row += (int64_t)gridDim.x * WARPS) {
        const float *from = x + row * pitch;
        const span span = span_of(from, cols);
        float value = 0;
        for (int64_t q = threadIdx.x; q < span.quads; q += 32) {
            const float4 four = reinterpret_cast<const float4 *>(from)[q];
            value += (four.x + four.y) + (four.z + four.w);
        }
        for (int64_t col = span.quads * 4 + threadIdx.x; col < span.cols; col += 32)
            value += from[col];
        for (int distance = 1; distance < 32; distance *= 2)
            value += __shfl_xor_sync(0xffffffffu, value, distance);
        if (threadIdx.x == 0)
            sum[row] = value;
    }
}

static unsigned blocks_of(matrix x) {
    const int64_t blocks = (x.rows + WARPS - 1) / WARPS;
    return (unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

cudaError_t row_scale(matrix x, float factor, matrix y, cudaStream_t stream) {
    scale<<<blocks_of(x), dim3(32, WARPS), 0, stream>>>((const float *)x.data, factor, (float *)y.data,
                                                        x.rows, x.cols, x.pitch);
    return cudaGetLastError();
}

cudaError_t row_max(matrix x, float *max, cudaStream_t stream) {
    max_of<<<blocks_of(x), dim3(32, WARPS), 0, stream>>>((const float *)x.data, max, x.rows, x.cols, x.pitch);
    return cudaGetLastError();
}

cudaError_t row_sum(matrix x, float *sum, cudaStream_t stream) {
    sum_of<<<blocks_of(x), dim3(32, WARPS), 0, stream>>>((const float *)x.data, sum, x.rows, x.cols, x.pitch);
    return cudaGetLastError();
}
