/* Correct: blocks of 1024 threads, a shuffle in each warp, the warps' results through 32 words of shared memory,
 * and a compensated sum (Kahan) in each thread. */
#include "row_reduction.h"

#include <math.h>

#define THREADS 1024
#define FULL 0xffffffffu

__device__ static float warp_max(float v) {
    for (int offset = 16; offset; offset >>= 1)
        v = fmaxf(v, __shfl_down_sync(FULL, v, offset));
    return v;
}

__device__ static float warp_sum(float v) {
    for (int offset = 16; offset; offset >>= 1)
        v += __shfl_down_sync(FULL, v, offset);
    return v;
}

__global__ static void scale_block(const float *x, float factor, float *y, int64_t cols, int64_t pitch) {
    const int64_t start = (int64_t)blockIdx.x * pitch;
    for (int64_t col = threadIdx.x; col < cols; col += blockDim.x)
        y[start + col] = factor * x[start + col];
}

__global__ static void max_block(const float *x, float *max, int64_t cols, int64_t pitch) {
    __shared__ float of_warp[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    x += (int64_t)blockIdx.x * pitch;
    float v = -INFINITY;
    for (int64_t col = threadIdx.x; col < cols; col += blockDim.x)
        v = fmaxf(v, x[col]);
    v = warp_max(v);
    if (lane == 0)
        of_warp[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = warp_max(of_warp[lane]);
        if (lane == 0)
            max[blockIdx.x] = v;
    }
}

__global__ static void sum_block(const float *x, float *sum, int64_t cols, int64_t pitch) {
    __shared__ float of_warp[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    x += (int64_t)blockIdx.x * pitch;
    float v = 0, lost = 0; /* lost: what rounding cut off the last addition */
    for (int64_t col = threadIdx.x; col < cols; col += blockDim.x) {
        const float next = x[col] - lost, larger = v + next;
        lost = (larger - v) - next;
        v = larger;
    }
    v = warp_sum(v);
    if (lane == 0)
        of_warp[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = warp_sum(of_warp[lane]);
        if (lane == 0)
            sum[blockIdx.x] = v;
    }
}

extern "C" cudaError_t row_scale(matrix x, float factor, matrix y, cudaStream_t stream) {
    scale_block<<<dim3((unsigned)x.rows), dim3(THREADS), 0, stream>>>((const float *)x.data, factor,
                                                                      (float *)y.data, x.cols, x.pitch);
    return cudaGetLastError();
}

extern "C" cudaError_t row_max(matrix x, float *max, cudaStream_t stream) {
    max_block<<<dim3((unsigned)x.rows), dim3(THREADS), 0, stream>>>((const float *)x.data, max, x.cols,
                                                                    x.pitch);
    return cudaPeekAtLastError() == cudaSuccess ? cudaSuccess : cudaGetLastError();
}

extern "C" cudaError_t row_sum(matrix x, float *sum, cudaStream_t stream) {
    sum_block<<<dim3((unsigned)x.rows), dim3(THREADS), 0, stream>>>((const float *)x.data, sum, x.cols,
                                                                    x.pitch);
    return cudaGetLastError();
}
