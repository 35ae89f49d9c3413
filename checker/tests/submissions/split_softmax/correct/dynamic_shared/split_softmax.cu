/* Correct: reductions in dynamic shared memory, whose size is given with the launch. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define THREADS 64

__device__ inline float load(const float *p) { return *p; }
__device__ inline float load(const __half *p) { return __half2float(*p); }
__device__ inline float load(const __nv_bfloat16 *p) { return __bfloat162float(*p); }
__device__ inline void save(float *p, float v) { *p = v; }
__device__ inline void save(__half *p, float v) { *p = __float2half(v); }
__device__ inline void save(__nv_bfloat16 *p, float v) { *p = __float2bfloat16(v); }

__device__ float tree_max(float *shared, float mine) {
    shared[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned width = blockDim.x / 2; width >= 1; width >>= 1) {
        if (threadIdx.x < width)
            shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + width]);
        __syncthreads();
    }
    float result = shared[0];
    __syncthreads();
    return result;
}

__device__ float tree_sum(float *shared, float mine) {
    shared[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned width = blockDim.x / 2; width >= 1; width >>= 1) {
        if (threadIdx.x < width)
            shared[threadIdx.x] += shared[threadIdx.x + width];
        __syncthreads();
    }
    float result = shared[0];
    __syncthreads();
    return result;
}

template <typename T>
__global__ void partials(const T *__restrict__ x, long long cols, int chunk, long long chunks,
                         float *__restrict__ partial_max, float *__restrict__ partial_sum) {
    extern __shared__ float shared[];
    long long row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    long long first = index * chunk, last = first + chunk < cols ? first + chunk : cols;

    float max = -INFINITY;
    for (long long col = first + threadIdx.x; col < last; col += blockDim.x)
        max = fmaxf(max, load(x + row * cols + col));
    max = tree_max(shared, max);

    float sum = 0;
    for (long long col = first + threadIdx.x; col < last; col += blockDim.x) {
        float value = load(x + row * cols + col);
        if (value != -INFINITY)
            sum += expf(value - max);
    }
    sum = tree_sum(shared, sum);

    if (threadIdx.x == 0) {
        partial_max[row * chunks + index] = max;
        partial_sum[row * chunks + index] = sum;
    }
}

__global__ void merge(const float *partial_max, const float *partial_sum, long long chunks, float *row_max,
                      float *row_sum) {
    extern __shared__ float shared[];
    long long row = blockIdx.x;
    float max = -INFINITY;
    for (long long i = threadIdx.x; i < chunks; i += blockDim.x)
        max = fmaxf(max, partial_max[row * chunks + i]);
    max = tree_max(shared, max);
    float sum = 0;
    for (long long i = threadIdx.x; i < chunks; i += blockDim.x) {
        float scale = partial_max[row * chunks + i] == -INFINITY ? 0.0f : expf(partial_max[row * chunks + i] - max);
        sum += partial_sum[row * chunks + i] * scale;
    }
    sum = tree_sum(shared, sum);
    if (threadIdx.x == 0) {
        row_max[row] = max;
        row_sum[row] = sum;
    }
}

template <typename T>
__global__ void normalize(const T *__restrict__ x, long long cols, int chunk, long long chunks,
                          const float *__restrict__ row_max, const float *__restrict__ row_sum, T *__restrict__ y) {
    long long row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    long long first = index * chunk, last = first + chunk < cols ? first + chunk : cols;
    float max = row_max[row], sum = row_sum[row];
    for (long long col = first + threadIdx.x; col < last; col += blockDim.x)
        save(y + row * cols + col, expf(load(x + row * cols + col) - max) / sum);
}

extern "C" cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                                              cudaStream_t stream) {
    long long chunks = split_softmax_chunks(x.cols, chunk);
    dim3 grid((unsigned)(x.rows * chunks)), block(THREADS);
    if (x.type == CUDA_R_32F)
        partials<<<grid, block, THREADS * sizeof(float), stream>>>((const float *)x.data, x.cols, chunk, chunks, partial_max, partial_sum);
    else if (x.type == CUDA_R_16F)
        partials<<<grid, block, THREADS * sizeof(float), stream>>>((const __half *)x.data, x.cols, chunk, chunks, partial_max, partial_sum);
    else
        partials<<<grid, block, THREADS * sizeof(float), stream>>>((const __nv_bfloat16 *)x.data, x.cols, chunk, chunks, partial_max,
                                             partial_sum);
    return cudaGetLastError();
}

extern "C" cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows,
                                           int64_t chunks, float *row_max, float *row_sum, cudaStream_t stream) {
    merge<<<(unsigned)rows, 32, 32 * sizeof(float), stream>>>(partial_max, partial_sum, chunks, row_max, row_sum);
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
