/* Faulty (merge.by_hand), a twin of the construct attributes_and_occupancy. Shows: __launch_bounds__ with two arguments, #pragma unroll with a number, an expression and 1, __forceinline__, __noinline__, __restrict__, __host__
 * __device__ with #ifdef __CUDA_ARCH__, __builtin_expect, __CUDACC_VER_MAJOR__, occupancy, cudaFuncGetAttributes, cudaFuncSetAttribute once in a static. */
#include "split_softmax.h"
#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#if !defined(__CUDACC__) || __CUDACC_VER_MAJOR__ < 11 || CUDART_VERSION < 11000
#error "CUDA 11 is needed"
#endif

__host__ __device__ __forceinline__ constexpr int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }
__host__ __device__ inline float exponential(float v) {
#ifdef __CUDA_ARCH__
    return __expf(v);
#else
    return std::exp(v);
#endif
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "Volta or later"
#endif

template <class T> struct element;
template <> struct element<float> {
    static __device__ __forceinline__ float up(float v) { return v; }
    static __device__ __forceinline__ float down(float v) { return v; }
};
template <> struct element<__half> {
    static __device__ __forceinline__ float up(__half v) { return __half2float(v); }
    static __device__ __forceinline__ __half down(float v) { return __float2half_rn(v); }
};
template <> struct element<__nv_bfloat16> {
    static __device__ __forceinline__ float up(__nv_bfloat16 v) { return __bfloat162float(v); }
    static __device__ __forceinline__ __nv_bfloat16 down(float v) { return __float2bfloat16_rn(v); }
};

extern __shared__ float staged[];

template <class T>
__global__ void __launch_bounds__(256, 2) summarize(const T *__restrict__ x, int64_t cols, int64_t chunks, int chunk, float *__restrict__ m, float *__restrict__ s) {
    __shared__ float fold[256];
    const int64_t first = blockIdx.x % chunks * chunk, at = blockIdx.x / chunks * cols + first;
    const int n = (int)min((int64_t)chunk, cols - first), t = threadIdx.x;
    float top = -INFINITY, total = 0;
#pragma unroll 4
    for (int i = t; i < n; i += 256)
        top = fmaxf(top, staged[i] = element<T>::up(x[at + i]));
    fold[t] = top;
    __syncthreads();
#pragma unroll
    for (int half = 128; half > 0; half >>= 1) {
        if (t < half) fold[t] = fmaxf(fold[t], fold[t + half]);
        __syncthreads();
    }
    top = fold[0];
    __syncthreads();
    const float shift = __builtin_expect(top == -INFINITY, 0) ? 0 : top;
#pragma unroll(2 * 2)
    for (int i = t; i < n; i += 256) total += exponential(staged[i] - shift);
    fold[t] = total;
    __syncthreads();
#pragma unroll 1
    for (int half = 128; half > 0; half >>= 1) {
        if (t < half) fold[t] += fold[t + half];
        __syncthreads();
    }
    if (t == 0) m[blockIdx.x] = top, s[blockIdx.x] = fold[0];
}

__device__ __noinline__ float over_warp(float v, bool maximum) {
    for (int d = 16; d; d >>= 1) {
        const float o = __shfl_xor_sync(0xffffffffu, v, d);
        v = maximum ? fmaxf(v, o) : v + o;
    }
    return v;
}

__global__ void __launch_bounds__(128) merge(const float *__restrict__ pm, const float *__restrict__ ps, int64_t rows, int64_t chunks, float *__restrict__ m, float *__restrict__ s) {
    const int64_t row = (int64_t)blockIdx.x * 4 + threadIdx.x / 32;
    if (row >= rows) return;
    float top = -INFINITY, total = 0;
    for (int64_t i = threadIdx.x % 32; i < chunks; i += 32) top = fmaxf(top, __ldg(&pm[row * chunks + i]));
    top = over_warp(top, true);
    for (int64_t i = threadIdx.x % 32; i < chunks; i += 32) total += __ldg(&ps[row * chunks + i]) * exponential(__ldg(pm + row * chunks + i) - (top == -INFINITY ? 0.f : top));
    total = over_warp(total, false);
    if (threadIdx.x % 32 == 0) m[row] = top, s[row] = total;
}

template <class T> __global__ void finish(const T *__restrict__ x, int64_t cols, int64_t count, const float *__restrict__ m, const float *__restrict__ s, T *__restrict__ y) {
    const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < count) y[i] = element<T>::down(exponential(element<T>::up(x[i]) - m[i / cols]) / s[i / cols]);
}

template <class T> struct Setup {
    cudaError_t error;
    int threads = 256, blocks = 0;
    Setup() {
        cudaFuncAttributes a{};
        int grid = 0, most = 0, device = 0;
        error = cudaGetDevice(&device);
        if (!error) error = cudaFuncSetAttribute(summarize<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096 * sizeof(float));
        if (!error) error = cudaFuncSetAttribute(summarize<T>, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
        if (!error) error = cudaFuncSetCacheConfig(finish<T>, cudaFuncCachePreferL1);
        if (!error) error = cudaFuncGetAttributes(&a, finish<T>);
        if (!error) error = cudaOccupancyMaxPotentialBlockSize(&grid, &threads, finish<T>, 0, 512);
        if (!error) error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, finish<T>, threads, 0);
        if (!error) error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device);
        threads = std::min({threads, most, a.maxThreadsPerBlock});
        if (!error && blocks < 1) error = cudaErrorLaunchOutOfResources;
    }
};
template <class T> static const Setup<T> &setup() {
    static const Setup<T> once;
    return once;
}

template <class T> static cudaError_t partials(matrix x, int chunk, float *m, float *s, cudaStream_t stream) {
    if (setup<T>().error) return setup<T>().error;
    const int64_t chunks = split_softmax_chunks(x.cols, chunk);
    summarize<T><<<(unsigned)(x.rows * chunks), 256, chunk * sizeof(float), stream>>>((const T *)x.data, x.cols, chunks, chunk, m, s);
    return cudaGetLastError();
}
template <class T> static cudaError_t normalize(matrix x, const float *m, const float *s, matrix y, cudaStream_t stream) {
    const int64_t n = x.rows * x.cols;
    const auto &[error, threads, blocks] = setup<T>();
    if (error) return error;
    finish<T><<<(unsigned)divide_up(n, threads), threads, 0, stream>>>((const T *)x.data, x.cols, n, m, s, (T *)y.data);
    return blocks ? cudaGetLastError() : cudaErrorUnknown;
}
cudaError_t split_softmax_partials(matrix x, int chunk, float *m, float *s, cudaStream_t stream) {
    return x.type == CUDA_R_32F ? partials<float>(x, chunk, m, s, stream) : x.type == CUDA_R_16F ? partials<__half>(x, chunk, m, s, stream) : partials<__nv_bfloat16>(x, chunk, m, s, stream);
}
cudaError_t split_softmax_merge(const float *pm, const float *ps, int64_t rows, int64_t chunks, float *m, float *s, cudaStream_t stream) {
    merge<<<dim3((unsigned)divide_up(rows, 4)), dim3(256), 0, stream>>>(pm, ps, rows, chunks, m, s);
    return cudaGetLastError();
}
cudaError_t split_softmax_normalize(matrix x, int, const float *m, const float *s, matrix y, cudaStream_t stream) {
    return x.type == CUDA_R_32F ? normalize<float>(x, m, s, y, stream) : x.type == CUDA_R_16F ? normalize<__half>(x, m, s, y, stream) : normalize<__nv_bfloat16>(x, m, s, y, stream);
}
