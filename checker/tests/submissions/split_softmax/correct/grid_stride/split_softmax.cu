/* Correct: a grid of fixed size; each block walks over chunks, and each warp of the merge over rows. Block-wide
 * barriers inside the walk are reached by all threads of a block alike. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

static const int kThreads = 64;
static const int kGrid = 24;

template <typename T> struct convert;
template <> struct convert<float> {
    static __device__ float in(float v) { return v; }
    static __device__ float out(float v) { return v; }
};
template <> struct convert<__half> {
    static __device__ float in(__half v) { return __half2float(v); }
    static __device__ __half out(float v) { return __float2half(v); }
};
template <> struct convert<__nv_bfloat16> {
    static __device__ float in(__nv_bfloat16 v) { return __bfloat162float(v); }
    static __device__ __nv_bfloat16 out(float v) { return __float2bfloat16(v); }
};

template <typename T>
__global__ void partials(const T *x, int64_t rows, int64_t cols, int chunk, int64_t chunks, float *pm, float *ps) {
    __shared__ float low[2], high[2];
    for (int64_t work = blockIdx.x; work < rows * chunks; work += gridDim.x) {
        const T *row = x + work / chunks * cols;
        int64_t begin = work % chunks * chunk, end = begin + chunk > cols ? cols : begin + chunk;
        float m = -INFINITY, s = 0;
        for (int64_t c = begin + threadIdx.x; c < end; c += blockDim.x)
            m = fmaxf(m, convert<T>::in(row[c]));
        m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, 1));
        m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, 2));
        m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, 4));
        m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, 8));
        m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, 16));
        if ((threadIdx.x & 31) == 0)
            low[threadIdx.x >> 5] = m;
        __syncthreads();
        m = fmaxf(low[0], low[1]);
        for (int64_t c = begin + threadIdx.x; c < end; c += blockDim.x) {
            float v = convert<T>::in(row[c]);
            s += v == -INFINITY ? 0.0f : expf(v - m);
        }
        for (int d = 1; d < 32; d *= 2)
            s += __shfl_xor_sync(0xffffffff, s, d);
        if ((threadIdx.x & 31) == 0)
            high[threadIdx.x >> 5] = s;
        __syncthreads();
        if (threadIdx.x == 0) {
            pm[work] = m;
            ps[work] = high[0] + high[1];
        }
        __syncthreads(); /* low and high are written again in the next round */
    }
}

__global__ void merge(const float *pm, const float *ps, int64_t rows, int64_t chunks, float *rm, float *rs) {
    int lane = threadIdx.x % warpSize;
    int64_t warp = (blockIdx.x * (int64_t)blockDim.x + threadIdx.x) / warpSize;
    int64_t warps = gridDim.x * (int64_t)blockDim.x / warpSize;
    for (int64_t row = warp; row < rows; row += warps) {
        float m = -INFINITY, s = 0;
        for (int64_t i = lane; i < chunks; i += warpSize)
            m = fmaxf(m, pm[row * chunks + i]);
        for (int d = 16; d > 0; d >>= 1)
            m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
        for (int64_t i = lane; i < chunks; i += warpSize) {
            float pmax = pm[row * chunks + i];
            s = fmaf(ps[row * chunks + i], pmax == -INFINITY ? 0.0f : expf(pmax - m), s);
        }
        for (int d = 16; d > 0; d >>= 1)
            s += __shfl_xor_sync(0xffffffff, s, d);
        if (lane == 0) {
            rm[row] = m;
            rs[row] = s;
        }
    }
}

template <typename T>
__global__ void normalize(const T *x, int64_t rows, int64_t cols, const float *rm, const float *rs, T *y) {
    int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < rows * cols; i += stride) {
        int64_t row = i / cols;
        y[i] = convert<T>::out(expf(convert<T>::in(x[i]) - rm[row]) / rs[row]);
    }
}

#define FOR_TYPE(type, ...)                                                                                      \
    do {                                                                                                               \
        if ((type) == CUDA_R_32F) {                                                                                    \
            typedef float T;                                                                                           \
            __VA_ARGS__;                                                                                                \
        } else if ((type) == CUDA_R_16F) {                                                                             \
            typedef __half T;                                                                                          \
            __VA_ARGS__;                                                                                                \
        } else {                                                                                                       \
            typedef __nv_bfloat16 T;                                                                                   \
            __VA_ARGS__;                                                                                                \
        }                                                                                                              \
    } while (0)

cudaError_t split_softmax_partials(matrix x, int chunk, float *pm, float *ps, cudaStream_t stream) {
    int64_t chunks = split_softmax_chunks(x.cols, chunk);
    FOR_TYPE(x.type, partials<T><<<kGrid, kThreads, 0, stream>>>((const T *)x.data, x.rows, x.cols, chunk, chunks, pm,
                                                                  ps));
    return cudaGetLastError();
}

cudaError_t split_softmax_merge(const float *pm, const float *ps, int64_t rows, int64_t chunks, float *rm, float *rs,
                                cudaStream_t stream) {
    merge<<<kGrid, kThreads, 0, stream>>>(pm, ps, rows, chunks, rm, rs);
    return cudaGetLastError();
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *rm, const float *rs, matrix y,
                                    cudaStream_t stream) {
    (void)chunk;
    FOR_TYPE(x.type,
             normalize<T><<<kGrid, kThreads, 0, stream>>>((const T *)x.data, x.rows, x.cols, rm, rs, (T *)y.data));
    return cudaGetLastError();
}
