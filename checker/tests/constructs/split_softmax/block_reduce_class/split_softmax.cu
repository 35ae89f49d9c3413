// Shows: a BlockReduce<T, N> with a nested TempStorage in __shared__, a union of two of them, partial specialisation for one warp, a
// functor with state, virtual calls and pointers to __device__ functions inside kernels, assert and printf on the device, __noinline__.
#include "split_softmax.h"
#include <cassert>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T> struct WarpReduce {
    template <class Op> __device__ __forceinline__ static T All(T v, Op op) {
#pragma unroll
        for (int offset = 1; offset < warpSize; offset <<= 1)
            v = op(v, __shfl_xor_sync(0xffffffff, v, offset));
        return v;
    }
};

template <typename T, int BLOCK> class BlockReduce {
  public:
    struct TempStorage {
        T partial[BLOCK / 32];
        T result;
    };
    __device__ explicit BlockReduce(TempStorage &storage) : storage(storage), warp(threadIdx.x / 32), lane(threadIdx.x & 31) {}
    template <class Op> __device__ T Reduce(T v, Op op) {
        v = WarpReduce<T>::All(v, op);
        if (lane == 0)
            storage.partial[warp] = v;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 1; w < BLOCK / 32; ++w)
                v = op(v, storage.partial[w]);
            storage.result = v;
        }
        __syncthreads();
        return storage.result;
    }

  private:
    TempStorage &storage;
    const int warp, lane;
};
template <typename T> class BlockReduce<T, 32> {
  public:
    using TempStorage = char;
    __device__ explicit BlockReduce(TempStorage &) {}
    template <class Op> __device__ T Reduce(T v, Op op) { return WarpReduce<T>::All(v, op); }
};

struct Max { __device__ float operator()(float a, float b) const { return a > b ? a : b; } };
struct Sum { __device__ float operator()(float a, float b) const { return a + b; } };

struct Weight {
    __device__ virtual float of(float v) const = 0;
};
struct Exponential final : Weight {
    float shift;
    __device__ explicit Exponential(float m) : shift(m == -INFINITY ? 0.0f : m) {}
    __device__ float of(float v) const override { return __expf(v - shift); }
};
__device__ __noinline__ float weigh(const Weight &w, float v) { return w.of(v); }

template <typename T, int BLOCK>
__global__ void __launch_bounds__(BLOCK) chunk_states(const T *x, int cols, int chunks, int chunk, float *m_out, float *s_out) {
    using Reduce = BlockReduce<float, BLOCK>;
    __shared__ union {
        typename Reduce::TempStorage for_max;
        float unused[2];
    } a;
    __shared__ typename Reduce::TempStorage for_sum;
    assert(blockDim.x == BLOCK);
    if (gridDim.y != 1)
        printf("block %d: grid.y is %u\n", blockIdx.x, gridDim.y);
    const int row = blockIdx.x / chunks, base = blockIdx.x % chunks * chunk, n = min(chunk, cols - base);
    const T *p = x + (size_t)row * cols + base;
    float m = -INFINITY, s = 0;
    for (int i = threadIdx.x; i < n; i += BLOCK)
        m = Max()(m, float(p[i]));
    m = Reduce(a.for_max).Reduce(m, Max());
    const Exponential weight(m);
    for (int i = threadIdx.x; i < n; i += BLOCK)
        s += weigh(weight, float(p[i]));
    s = Reduce(for_sum).Reduce(s, Sum{});
    if (!threadIdx.x) {
        m_out[blockIdx.x] = m;
        s_out[blockIdx.x] = s;
    }
}

__device__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ float plus(float a, float b) { return a + b; }
typedef float (*combine)(float, float);

__device__ float reduce_by(combine f, float v) {
    for (int d = 16; d; d /= 2)
        v = f(v, __shfl_xor_sync(~0u, v, d));
    return v;
}

__global__ void row_states(const float *pm, const float *ps, int64_t rows, int64_t chunks, float *m, float *s) {
    const combine table[2] = {larger, &plus};
    const int64_t row = blockIdx.x * (int64_t)blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float top = -INFINITY, total = 0;
    for (int64_t i = threadIdx.x; i < chunks; i += 32)
        top = table[0](top, pm[row * chunks + i]);
    top = reduce_by(table[0], top);
    for (int64_t i = threadIdx.x; i < chunks; i += 32)
        total = table[1](total, ps[row * chunks + i] * Exponential(top).of(pm[row * chunks + i]));
    total = reduce_by(table[1], total);
    if (threadIdx.x == 0)
        m[row] = top, s[row] = total;
}

template <typename T> __global__ void probabilities(const T *x, int cols, int64_t count, const float *m, const float *s, T *y) {
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < count; i += stride)
        y[i] = T(__expf(float(x[i]) - m[i / cols]) / s[i / cols]);
}

template <typename T> static void go(matrix x, int chunk, float *m, float *s, cudaStream_t stream) {
    const int chunks = (int)split_softmax_chunks(x.cols, chunk);
    if (chunk == 256)
        chunk_states<T, 32><<<x.rows * chunks, 32, 0, stream>>>((T *)x.data, x.cols, chunks, chunk, m, s);
    else
        chunk_states<T, 256><<<x.rows * chunks, 256, 0, stream>>>((T *)x.data, x.cols, chunks, chunk, m, s);
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *m, float *s, cudaStream_t stream) {
    (x.type == CUDA_R_32F ? go<float> : x.type == CUDA_R_16F ? go<__half> : go<__nv_bfloat16>)(x, chunk, m, s, stream);
    return cudaGetLastError();
}
cudaError_t split_softmax_merge(const float *pm, const float *ps, int64_t rows, int64_t chunks, float *m, float *s, cudaStream_t stream) {
    row_states<<<(rows + 3) / 4, dim3(32, 4), 0, stream>>>(pm, ps, rows, chunks, m, s);
    return cudaGetLastError();
}
cudaError_t split_softmax_normalize(matrix x, int chunk, const float *m, const float *s, matrix y, cudaStream_t stream) {
    (void)chunk;
    const int64_t count = x.rows * x.cols;
    const unsigned grid = (unsigned)((count + 1023) / 1024 < 2048 ? (count + 1023) / 1024 : 2048);
    if (x.type == CUDA_R_32F)
        probabilities<<<grid, 256, 0, stream>>>((const float *)x.data, (int)x.cols, count, m, s, (float *)y.data);
    else if (x.type == CUDA_R_16F)
        probabilities<<<grid, 256, 0, stream>>>((const __half *)x.data, (int)x.cols, count, m, s, (__half *)y.data);
    else
        probabilities<<<grid, 256, 0, stream>>>((const __nv_bfloat16 *)x.data, (int)x.cols, count, m, s, (__nv_bfloat16 *)y.data);
    return cudaGetLastError();
}
