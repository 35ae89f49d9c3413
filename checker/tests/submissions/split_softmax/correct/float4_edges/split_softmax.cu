/* Correct: wide loads and stores of 16 bytes (4 floats, 8 halves). A chunk of an odd row starts anywhere, so each has
 * a scalar head up to the next 16-byte boundary, a wide middle, and a scalar tail. x and y are aligned alike. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define THREADS 64

__device__ static float widen(float v) { return v; }
__device__ static float widen(__half v) { return __half2float(v); }
__device__ static float widen(__nv_bfloat16 v) { return __bfloat162float(v); }
__device__ static void narrow(float v, float *out) { *out = v; }
__device__ static void narrow(float v, __half *out) { *out = __float2half_rn(v); }
__device__ static void narrow(float v, __nv_bfloat16 *out) { *out = __float2bfloat16_rn(v); }

template <typename T> union pack {
    uint4 bits;
    T element[16 / sizeof(T)];
    __device__ pack() : bits{0, 0, 0, 0} {}
};

/* Where the wide part of a chunk begins and ends, in elements from the chunk's first. */
struct span {
    int head, wide_end, length;
};

template <typename T> __device__ static span split(const T *first, int length) {
    const int lanes = 16 / sizeof(T);
    int head = (int)((16 - (uintptr_t)first % 16) % 16 / sizeof(T));
    if (head > length)
        head = length;
    return span{head, head + (length - head) / lanes * lanes, length};
}

/* Calls visit(value) for each element that falls to this thread. */
template <typename T, typename F> __device__ static void for_each(const T *first, span s, F visit) {
    const int lanes = 16 / sizeof(T);
    for (int i = threadIdx.x; i < s.head; i += THREADS)
        visit(widen(first[i]));
    for (int i = s.head + (int)threadIdx.x * lanes; i < s.wide_end; i += THREADS * lanes) {
        pack<T> p;
        p.bits = *reinterpret_cast<const uint4 *>(first + i);
        for (int j = 0; j < lanes; j++)
            visit(widen(p.element[j]));
    }
    for (int i = s.wide_end + threadIdx.x; i < s.length; i += THREADS)
        visit(widen(first[i]));
}

template <bool MAX> __device__ static float block_reduce(float value) {
    __shared__ float warp_value[THREADS / 32];
    for (int d = 16; d; d /= 2) {
        float other = __shfl_xor_sync(~0u, value, d);
        value = MAX ? fmaxf(value, other) : value + other;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        warp_value[threadIdx.x / 32] = value;
    __syncthreads();
    value = warp_value[0];
    for (int w = 1; w < THREADS / 32; w++)
        value = MAX ? fmaxf(value, warp_value[w]) : value + warp_value[w];
    return value;
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    partials_kernel(const T *x, int cols, int chunk, int chunks, float *partial_max, float *partial_sum) {
    int row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    const T *first = x + (int64_t)row * cols + index * chunk;
    span s = split(first, min(chunk, cols - index * chunk));
    float max = -INFINITY, sum = 0;
    for_each(first, s, [&](float v) { max = fmaxf(max, v); });
    max = block_reduce<true>(max);
    for_each(first, s, [&](float v) { sum += v == -INFINITY ? 0 : expf(v - max); });
    sum = block_reduce<false>(sum);
    if (threadIdx.x == 0) {
        partial_max[blockIdx.x] = max;
        partial_sum[blockIdx.x] = sum;
    }
}

__global__ void merge_kernel(const float *partial_max, const float *partial_sum, int chunks, float *row_max,
                             float *row_sum) {
    const float *m = partial_max + (int64_t)blockIdx.x * chunks, *s = partial_sum + (int64_t)blockIdx.x * chunks;
    float max = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < chunks; i += THREADS)
        max = fmaxf(max, m[i]);
    max = block_reduce<true>(max);
    for (int i = threadIdx.x; i < chunks; i += THREADS)
        sum += m[i] == -INFINITY ? s[i] : s[i] * expf(m[i] - max);
    sum = block_reduce<false>(sum);
    if (threadIdx.x == 0) {
        row_max[blockIdx.x] = max;
        row_sum[blockIdx.x] = sum;
    }
}

template <typename T>
__global__ void __launch_bounds__(THREADS) normalize_kernel(const T *x, int cols, int chunk, int chunks,
                                                            const float *row_max, const float *row_sum, T *y) {
    const int lanes = 16 / sizeof(T);
    int row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    int64_t start = (int64_t)row * cols + index * chunk;
    const T *from = x + start;
    T *to = y + start;
    span s = split(from, min(chunk, cols - index * chunk));
    float max = row_max[row], sum = row_sum[row];
    for (int i = threadIdx.x; i < s.head; i += THREADS)
        narrow(expf(widen(from[i]) - max) / sum, to + i);
    if ((uintptr_t)to % 16 == (uintptr_t)from % 16) {
        for (int i = s.head + (int)threadIdx.x * lanes; i < s.wide_end; i += THREADS * lanes) {
            pack<T> p;
            p.bits = *reinterpret_cast<const uint4 *>(from + i);
            for (int j = 0; j < lanes; j++)
                narrow(expf(widen(p.element[j]) - max) / sum, &p.element[j]);
            *reinterpret_cast<uint4 *>(to + i) = p.bits;
        }
    } else {
        for (int i = s.head + (int)threadIdx.x; i < s.wide_end; i += THREADS)
            narrow(expf(widen(from[i]) - max) / sum, to + i);
    }
    for (int i = s.wide_end + threadIdx.x; i < s.length; i += THREADS)
        narrow(expf(widen(from[i]) - max) / sum, to + i);
}

template <typename T> static cudaError_t partials(matrix x, int chunk, float *m, float *s, cudaStream_t stream) {
    int chunks = (int)split_softmax_chunks(x.cols, chunk);
    partials_kernel<<<(unsigned)(x.rows * chunks), THREADS, 0, stream>>>(static_cast<const T *>(x.data), (int)x.cols,
                                                                         chunk, chunks, m, s);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t normalize(matrix x, int chunk, const float *m, const float *s, matrix y, cudaStream_t stream) {
    int chunks = (int)split_softmax_chunks(x.cols, chunk);
    normalize_kernel<<<(unsigned)(x.rows * chunks), THREADS, 0, stream>>>(
        static_cast<const T *>(x.data), (int)x.cols, chunk, chunks, m, s, static_cast<T *>(y.data));
    return cudaGetLastError();
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *m, float *s, cudaStream_t stream) {
    return x.type == CUDA_R_32F   ? partials<float>(x, chunk, m, s, stream)
           : x.type == CUDA_R_16F ? partials<__half>(x, chunk, m, s, stream)
                                  : partials<__nv_bfloat16>(x, chunk, m, s, stream);
}

cudaError_t split_softmax_merge(const float *m, const float *s, int64_t rows, int64_t chunks, float *row_max,
                                float *row_sum, cudaStream_t stream) {
    merge_kernel<<<(unsigned)rows, THREADS, 0, stream>>>(m, s, (int)chunks, row_max, row_sum);
    return cudaGetLastError();
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *m, const float *s, matrix y,
                                    cudaStream_t stream) {
    return x.type == CUDA_R_32F   ? normalize<float>(x, chunk, m, s, y, stream)
           : x.type == CUDA_R_16F ? normalize<__half>(x, chunk, m, s, y, stream)
                                  : normalize<__nv_bfloat16>(x, chunk, m, s, y, stream);
}
