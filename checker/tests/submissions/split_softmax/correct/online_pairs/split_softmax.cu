/* Correct: each thread keeps an online state (max, sum) as a float2; half2 and bfloat162 where a pair is aligned; the
 * block merges states through shared memory, one warp reading what all warps wrote. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define THREADS 96 /* three warps: no power of two */

static __device__ __forceinline__ void include(float2 &state, float value) {
    if (value > state.x) {
        state.y = state.y * expf(state.x - value) + 1.0f; /* expf(-inf) is 0, and so was the sum */
        state.x = value;
        if (isinf(value))
            state.y = NAN;
    } else if (value != -INFINITY) {
        state.y += expf(value - state.x); /* a NaN comes here, and stays */
    }
}

static __device__ __forceinline__ float2 merged(float2 a, float2 b) {
    if (b.x > a.x) {
        float2 c = a;
        a = b;
        b = c;
    }
    a.y += b.x == -INFINITY ? b.y : b.y * expf(b.x - a.x);
    return a;
}

static __device__ void scan(float2 &state, const float *values, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        include(state, values[i]);
}

static __device__ void scan(float2 &state, const __half *values, int count) {
    int head = (uintptr_t)values % sizeof(__half2) ? 1 : 0, pairs = (count - head) / 2;
    const __half2 *pair = (const __half2 *)(values + head);
    for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
        float2 two = __half22float2(pair[i]);
        include(state, two.x);
        include(state, two.y);
    }
    if (threadIdx.x == 0 && head)
        include(state, __half2float(values[0]));
    if (threadIdx.x == 1 && head + 2 * pairs < count)
        include(state, __half2float(values[count - 1]));
}

static __device__ void scan(float2 &state, const __nv_bfloat16 *values, int count) {
    int head = (uintptr_t)values % sizeof(__nv_bfloat162) ? 1 : 0, pairs = (count - head) / 2;
    const __nv_bfloat162 *pair = (const __nv_bfloat162 *)(values + head);
    for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
        __nv_bfloat162 two = pair[i];
        include(state, __low2float(two));
        include(state, __high2float(two));
    }
    if (threadIdx.x == 0 && head)
        include(state, __bfloat162float(values[0]));
    if (threadIdx.x == 1 && head + 2 * pairs < count)
        include(state, __bfloat162float(values[count - 1]));
}

static __device__ float2 warp_merged(float2 state, int lanes) {
    for (int offset = lanes / 2; offset > 0; offset /= 2) {
        float2 other = make_float2(__shfl_down_sync(0xffffffffu, state.x, offset),
                                   __shfl_down_sync(0xffffffffu, state.y, offset));
        state = merged(state, other);
    }
    return state;
}

/* The result is right in thread 0. */
static __device__ float2 block_merged(float2 state) {
    __shared__ float2 of_warp[32];
    state = warp_merged(state, 32);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = state;
    __syncthreads();
    if (threadIdx.x < 32) {
        state = threadIdx.x < (blockDim.x + 31) / 32 ? of_warp[threadIdx.x] : make_float2(-INFINITY, 0.0f);
        state = warp_merged(state, 32);
    }
    return state;
}

template <typename T>
__global__ void partials_kernel(const T *x, int cols, int chunk, int chunks, float *partial_max, float *partial_sum) {
    int row = blockIdx.x / chunks, first = blockIdx.x % chunks * chunk;
    float2 state = make_float2(-INFINITY, 0.0f);
    scan(state, x + (int64_t)row * cols + first, min(chunk, cols - first));
    state = block_merged(state);
    if (threadIdx.x == 0) {
        partial_max[blockIdx.x] = state.x;
        partial_sum[blockIdx.x] = state.y;
    }
}

__global__ void merge_kernel(const float *partial_max, const float *partial_sum, int chunks, float *row_max,
                             float *row_sum) {
    float2 state = make_float2(-INFINITY, 0.0f);
    for (int i = threadIdx.x; i < chunks; i += blockDim.x)
        state = merged(state, make_float2(partial_max[(int64_t)blockIdx.x * chunks + i],
                                          partial_sum[(int64_t)blockIdx.x * chunks + i]));
    state = block_merged(state);
    if (threadIdx.x == 0) {
        row_max[blockIdx.x] = state.x;
        row_sum[blockIdx.x] = state.y;
    }
}

template <typename T>
__global__ void normalize_kernel(const T *x, int cols, int chunk, int chunks, const float *row_max,
                                 const float *row_sum, T *y) {
    int row = blockIdx.x / chunks, first = blockIdx.x % chunks * chunk;
    int64_t start = (int64_t)row * cols + first;
    for (int i = threadIdx.x; i < min(chunk, cols - first); i += blockDim.x)
        y[start + i] = T(expf(float(x[start + i]) - row_max[row]) / row_sum[row]);
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum, cudaStream_t stream) {
    int cols = (int)x.cols, chunks = (int)split_softmax_chunks(x.cols, chunk);
    dim3 grid((unsigned)(x.rows * chunks)), block(THREADS);
    if (x.type == CUDA_R_32F)
        partials_kernel<<<grid, block, 0, stream>>>((float *)x.data, cols, chunk, chunks, partial_max, partial_sum);
    else if (x.type == CUDA_R_16F)
        partials_kernel<<<grid, block, 0, stream>>>((__half *)x.data, cols, chunk, chunks, partial_max, partial_sum);
    else
        partials_kernel<<<grid, block, 0, stream>>>((__nv_bfloat16 *)x.data, cols, chunk, chunks, partial_max,
                                                    partial_sum);
    return cudaGetLastError();
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows, int64_t chunks,
                                float *row_max, float *row_sum, cudaStream_t stream) {
    merge_kernel<<<dim3((unsigned)rows), dim3(32), 0, stream>>>(partial_max, partial_sum, (int)chunks, row_max,
                                                                row_sum);
    return cudaGetLastError();
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    int cols = (int)x.cols, chunks = (int)split_softmax_chunks(x.cols, chunk);
    dim3 grid((unsigned)(x.rows * chunks)), block(THREADS);
    if (x.type == CUDA_R_32F)
        normalize_kernel<<<grid, block, 0, stream>>>((const float *)x.data, cols, chunk, chunks, row_max, row_sum,
                                                     (float *)y.data);
    else if (x.type == CUDA_R_16F)
        normalize_kernel<<<grid, block, 0, stream>>>((const __half *)x.data, cols, chunk, chunks, row_max, row_sum,
                                                     (__half *)y.data);
    else
        normalize_kernel<<<grid, block, 0, stream>>>((const __nv_bfloat16 *)x.data, cols, chunk, chunks, row_max,
                                                     row_sum, (__nv_bfloat16 *)y.data);
    return cudaGetLastError();
}
