// Shows: kernel parameters of every kind: struct with an array, enum class, bool, char, float3, dim3, a const pointer to const, a reference-free
// template object with operator(), default member initialisers, __grid_constant__; grid-stride loops; a lock-free maximum by atomicCAS in shared memory.
#include "split_softmax.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum class Kind : signed char { F32, F16, BF16 };
struct Problem {
    const void *x = nullptr;
    int64_t extent[3] = {0, 0, 0}; // rows, cols, chunks
    int chunk = 0;
};
struct Out { float *max, *sum; };
template <class F> struct Scaled {
    F f;
    float by;
    __device__ float operator()(float v) const { return by * f(v); }
};
struct Exp { __device__ float operator()(float v) const { return __expf(v); } };

__device__ float element(const Problem &p, Kind kind, int64_t i) {
    switch (kind) {
    case Kind::F32: return static_cast<const float *>(p.x)[i];
    case Kind::F16: return static_cast<const __half *>(p.x)[i];
    case Kind::BF16: break;
    }
    return static_cast<const __nv_bfloat16 *>(p.x)[i];
}
__device__ void assign(void *y, Kind kind, int64_t i, float v) {
    if (kind == Kind::F32) static_cast<float *>(y)[i] = v;
    if (kind == Kind::F16) static_cast<__half *>(y)[i] = v;
    if (kind == Kind::BF16) static_cast<__nv_bfloat16 *>(y)[i] = v;
}
__device__ float atomicMaxFloat(float *address, float value) {
    int *as_int = (int *)address, old = *as_int, assumed;
    while (value > __int_as_float(old)) {
        assumed = old;
        old = atomicCAS(as_int, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
    return __int_as_float(old);
}

template <class F>
__global__ void states(const __grid_constant__ Problem p, Kind kind, const Out out, F f, bool masked_is_zero, char, float3 start, dim3 threads) {
    __shared__ float m, s;
    for (int64_t b = blockIdx.x; b < p.extent[0] * p.extent[2]; b += gridDim.x) {
        if (threadIdx.x == 0) m = start.x, s = start.y;
        __syncthreads();
        const int64_t first = b % p.extent[2] * p.chunk, last = min(first + p.chunk, p.extent[1]), at = b / p.extent[2] * p.extent[1];
        float mine = start.z;
        for (int64_t c = first + threadIdx.x; c < last; c += threads.x) mine = fmaxf(mine, element(p, kind, at + c));
        atomicMaxFloat(&m, mine);
        __syncthreads();
        const float shift = masked_is_zero && m == -INFINITY ? 0 : m;
        float sum = 0;
        for (int64_t c = first + threadIdx.x; c < last; c += threads.x) sum += f(element(p, kind, at + c) - shift);
        for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
        if (threadIdx.x % warpSize == 0) atomicAdd(&s, sum);
        __syncthreads();
        if (threadIdx.x == 0) out.max[b] = m, out.sum[b] = s;
        __syncthreads();
    }
}

__global__ void merge(float const *const pm, float const *const ps, const longlong2 extent, Out out) {
    for (long long row = blockIdx.x * blockDim.x + threadIdx.x; row < extent.x; row += (long long)gridDim.x * blockDim.x) {
        float m = -INFINITY, s = 0;
        for (long long i = 0; i < extent.y; i++) m = fmaxf(m, pm[row * extent.y + i]);
        for (long long i = 0; i < extent.y; i++) s += ps[row * extent.y + i] * __expf(pm[row * extent.y + i] - (m == -INFINITY ? 0 : m));
        out.max[row] = m, out.sum[row] = s;
    }
}

__global__ void normalize(Problem p, Kind kind, const float *m, const float *s, void *y) {
    const int64_t n = p.extent[0] * p.extent[1];
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x)
        assign(y, kind, i, __expf(element(p, kind, i) - m[i / p.extent[1]]) / s[i / p.extent[1]]);
}

static Kind kind_of(const matrix &x) { return x.type == CUDA_R_32F ? Kind::F32 : x.type == CUDA_R_16F ? Kind::F16 : Kind::BF16; }
static Problem problem_of(const matrix &x, int chunk) {
    Problem p;
    p.x = x.data;
    p.extent[0] = x.rows, p.extent[1] = x.cols, p.extent[2] = split_softmax_chunks(x.cols, chunk);
    p.chunk = chunk;
    return p;
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *m, float *s, cudaStream_t stream) {
    const int64_t blocks = x.rows * split_softmax_chunks(x.cols, chunk);
    states<<<blocks < 4096 ? blocks : 4096, 64, 0, stream>>>(problem_of(x, chunk), kind_of(x), {m, s}, Scaled<Exp>{{}, 1.0f}, true, 'c',
                                                           make_float3(-INFINITY, 0, -INFINITY), dim3(64));
    return cudaGetLastError();
}
cudaError_t split_softmax_merge(const float *pm, const float *ps, int64_t rows, int64_t chunks, float *m, float *s, cudaStream_t stream) {
    merge<<<rows < 32 * 1024 ? (rows + 31) / 32 : 1024, 32, 0, stream>>>(pm, ps, {rows, chunks}, Out{m, s});
    return cudaGetLastError();
}
cudaError_t split_softmax_normalize(matrix x, int chunk, const float *m, const float *s, matrix y, cudaStream_t stream) {
    const int64_t n = x.rows * x.cols;
    normalize<<<n < 256 * 1024 ? (n + 255) / 256 : 1024, 256, 0, stream>>>(problem_of(x, chunk), kind_of(x), m, s, y.data);
    return cudaGetLastError();
}
