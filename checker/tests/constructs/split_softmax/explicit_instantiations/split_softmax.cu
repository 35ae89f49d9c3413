// Shows: explicit instantiation and explicit specialisation of kernels, overloaded kernels chosen by their argument, extern template-like
// declarations before definitions, default arguments of templates, a kernel declared in one namespace and launched in another, typename tricks.
#include "split_softmax.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T, int THREADS = 256> __global__ void partial(const T *x, int64_t cols, int64_t chunks, int chunk, float *maxima, float *sums);
template <typename T> __global__ void normalized(const T *x, int64_t cols, int64_t chunks, int chunk, const float *m, const float *s, T *y);
template <> __global__ void normalized<__half>(const __half *, int64_t, int64_t, int, const float *, const float *, __half *);

template <int N, bool MAX> __device__ float in_block(float v) {
    static_assert(N % 32 == 0, "whole warps");
    __shared__ float of_warp[N / 32];
    for (int d = 16; d; d >>= 1) {
        const float o = __shfl_down_sync(0xffffffff, v, d);
        v = MAX ? fmaxf(v, o) : v + o;
    }
    __syncthreads(); // the array may be that of an earlier call
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = v;
    __syncthreads();
    v = of_warp[0];
    for (int w = 1; w < N / 32; w++)
        v = MAX ? fmaxf(v, of_warp[w]) : v + of_warp[w];
    return v;
}

template <typename T, int THREADS> __global__ void partial(const T *x, int64_t cols, int64_t chunks, int chunk, float *maxima, float *sums) {
    const int64_t row = blockIdx.x / chunks, first = blockIdx.x % chunks * chunk;
    const int n = min((int64_t)chunk, cols - first);
    x += row * cols + first;
    float m = -INFINITY, s = 0;
    for (int i = threadIdx.x; i < n; i += THREADS)
        m = fmaxf(m, (float)x[i]);
    m = in_block<THREADS, true>(m);
    for (int i = threadIdx.x; i < n; i += THREADS)
        s += __expf((float)x[i] - (m == -INFINITY ? 0 : m));
    s = in_block<THREADS, false>(s);
    if (threadIdx.x == 0)
        maxima[blockIdx.x] = m, sums[blockIdx.x] = s;
}
template __global__ void partial<float>(const float *, int64_t, int64_t, int, float *, float *);
template __global__ void partial<__nv_bfloat16, 128>(const __nv_bfloat16 *, int64_t, int64_t, int, float *, float *);

namespace merging {
__global__ void merge(const float *maxima, const float *sums, int chunks, float *m, float *s) {
    maxima += (int64_t)blockIdx.x * chunks, sums += (int64_t)blockIdx.x * chunks;
    float top = -INFINITY, total = 0;
    for (int i = threadIdx.x; i < chunks; i += 64)
        top = fmaxf(top, maxima[i]);
    top = in_block<64, true>(top);
    for (int i = threadIdx.x; i < chunks; i += 64)
        total += sums[i] * __expf(maxima[i] - (top == -INFINITY ? 0 : top));
    total = in_block<64, false>(total);
    if (threadIdx.x == 0)
        m[blockIdx.x] = top, s[blockIdx.x] = total;
}
__global__ void merge(float m, float s, float *row_max, float *row_sum) { *row_max = m, *row_sum = s; }
} // namespace merging

template <typename T> __global__ void normalized(const T *x, int64_t cols, int64_t chunks, int chunk, const float *m, const float *s, T *y) {
    const int64_t row = blockIdx.x / chunks, first = blockIdx.x % chunks * chunk, end = min(first + chunk, cols);
    for (int64_t c = first + threadIdx.x; c < end; c += blockDim.x)
        y[row * cols + c] = (T)(__expf((float)x[row * cols + c] - m[row]) / s[row]);
}
template <> __global__ void normalized<__half>(const __half *x, int64_t cols, int64_t chunks, int chunk, const float *m, const float *s, __half *y) {
    const int64_t row = blockIdx.x / chunks, first = blockIdx.x % chunks * chunk, end = min(first + chunk, cols);
    for (int64_t c = first + threadIdx.x; c < end; c += blockDim.x)
        y[row * cols + c] = __float2half_rn(__expf(__half2float(x[row * cols + c]) - m[row]) / s[row]);
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *m, float *s, cudaStream_t stream) {
    const int64_t chunks = split_softmax_chunks(x.cols, chunk);
    const unsigned grid = x.rows * chunks;
    switch (x.type) {
    case CUDA_R_32F:
        partial<float><<<grid, 256, 0, stream>>>((float *)x.data, x.cols, chunks, chunk, m, s);
        break;
    case CUDA_R_16F:
        partial<__half, 64><<<grid, 64, 0, stream>>>((__half *)x.data, x.cols, chunks, chunk, m, s);
        break;
    default:
        partial<__nv_bfloat16, 128><<<grid, 128, 0, stream>>>((__nv_bfloat16 *)x.data, x.cols, chunks, chunk, m, s);
    }
    return cudaGetLastError();
}

cudaError_t split_softmax_merge(const float *pm, const float *ps, int64_t rows, int64_t chunks, float *m, float *s, cudaStream_t stream) {
    using merging::merge;
    void (*const chosen)(const float *, const float *, int, float *, float *) = merge;
    chosen<<<rows, 64, 0, stream>>>(pm, ps, chunks, m, s);
    if (rows < 0)
        merge<<<1, 1, 0, stream>>>(0.0f, 1.0f, m, s); // the other one
    return cudaGetLastError();
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *m, const float *s, matrix y, cudaStream_t stream) {
    const int64_t chunks = split_softmax_chunks(x.cols, chunk);
    const dim3 grid(x.rows * chunks);
    if (x.type == CUDA_R_32F)
        normalized<<<grid, 128, 0, stream>>>((const float *)x.data, x.cols, chunks, chunk, m, s, (float *)y.data);
    else if (x.type == CUDA_R_16F)
        normalized<<<grid, 128, 0, stream>>>((const __half *)x.data, x.cols, chunks, chunk, m, s, (__half *)y.data);
    else
        normalized<<<grid, 128, 0, stream>>>((const __nv_bfloat16 *)x.data, x.cols, chunks, chunk, m, s, (__nv_bfloat16 *)y.data);
    return cudaGetLastError();
}
