/* Correct: one thread for each chunk and for each row, plain loops, declarations first as in C89: slow, and right. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define THREADS 1

__device__ inline float load(const float *p) { return *p; }
__device__ inline float load(const __half *p) { return __half2float(*p); }
__device__ inline float load(const __nv_bfloat16 *p) { return __bfloat162float(*p); }
__device__ inline void save(float *p, float v) { *p = v; }
__device__ inline void save(__half *p, float v) { *p = __float2half(v); }
__device__ inline void save(__nv_bfloat16 *p, float v) { *p = __float2bfloat16(v); }

template <typename T>
__global__ void partials(const T *x, long long cols, int chunk, long long chunks, float *partial_max,
                         float *partial_sum) {
    long long row, index, first, last, col;
    float max, sum;
    row = blockIdx.x / chunks;
    index = blockIdx.x % chunks;
    first = row * cols + index * chunk;
    last = index == chunks - 1 ? row * cols + cols : first + chunk;
    max = load(x + first);
    for (col = first + 1; col < last; col++)
        if (load(x + col) > max || isnan(max))
            max = load(x + col);
    sum = 0;
    for (col = first; col < last; col++)
        if (!isinf(load(x + col)) || load(x + col) > 0)
            sum += expf(load(x + col) - max);
    partial_max[blockIdx.x] = max;
    partial_sum[blockIdx.x] = sum;
}

__global__ void merge(const float *partial_max, const float *partial_sum, long long chunks, float *row_max,
                      float *row_sum) {
    long long i, row;
    float max, sum;
    row = blockIdx.x;
    max = -INFINITY;
    sum = 0;
    for (i = row * chunks; i < (row + 1) * chunks; i++)
        if (partial_max[i] > max)
            max = partial_max[i];
    for (i = row * chunks; i < (row + 1) * chunks; i++)
        if (partial_sum[i] != 0)
            sum += partial_sum[i] * (isinf(partial_max[i]) && partial_max[i] < 0 ? 1 : expf(partial_max[i] - max));
    row_max[row] = max;
    row_sum[row] = sum;
}

template <typename T>
__global__ void normalize(const T *x, long long cols, int chunk, long long chunks, const float *row_max,
                          const float *row_sum, T *y) {
    long long row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    long long first = index * chunk, last = first + chunk < cols ? first + chunk : cols, col;
    for (col = first; col < last; col++)
        save(y + row * cols + col, expf(load(x + row * cols + col) - row_max[row]) / row_sum[row]);
}

extern "C" cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                                              cudaStream_t stream) {
    long long chunks = split_softmax_chunks(x.cols, chunk);
    dim3 grid((unsigned)(x.rows * chunks)), block(THREADS);
    if (x.type == CUDA_R_32F)
        partials<<<grid, block, 0, stream>>>((const float *)x.data, x.cols, chunk, chunks, partial_max, partial_sum);
    else if (x.type == CUDA_R_16F)
        partials<<<grid, block, 0, stream>>>((const __half *)x.data, x.cols, chunk, chunks, partial_max, partial_sum);
    else
        partials<<<grid, block, 0, stream>>>((const __nv_bfloat16 *)x.data, x.cols, chunk, chunks, partial_max,
                                             partial_sum);
    return cudaGetLastError();
}

extern "C" cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows,
                                           int64_t chunks, float *row_max, float *row_sum, cudaStream_t stream) {
    merge<<<(unsigned)rows, 1, 0, stream>>>(partial_max, partial_sum, chunks, row_max, row_sum);
    return cudaGetLastError();
}

extern "C" cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum,
                                               matrix y, cudaStream_t stream) {
    long long chunks = split_softmax_chunks(x.cols, chunk);
    dim3 grid((unsigned)(x.rows * chunks)), block(THREADS);
    if (x.type == CUDA_R_32F)
        normalize<<<grid, block, 0, stream>>>((const float *)x.data, x.cols, chunk, chunks, row_max, row_sum,
                                              (float *)y.data);
    else if (x.type == CUDA_R_16F)
        normalize<<<grid, block, 0, stream>>>((const __half *)x.data, x.cols, chunk, chunks, row_max, row_sum,
                                              (__half *)y.data);
    else
        normalize<<<grid, block, 0, stream>>>((const __nv_bfloat16 *)x.data, x.cols, chunk, chunks, row_max, row_sum,
                                              (__nv_bfloat16 *)y.data);
    return cudaGetLastError();
}
