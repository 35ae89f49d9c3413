// Faulty (padding.left_alone), a twin of the construct half2_pairs. Shows: half2, __nv_bfloat162 and float2 loads chosen by overloads and a traits struct, __half22float2,
// __float22half2_rn, __floats2bfloat162_rn, __low2float, __high2float, a pair type as nested typedef, odd tails.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "fused_softmax.h"

template <typename T> struct pair_of;
template <> struct pair_of<float> { typedef float2 type; };
template <> struct pair_of<half> { typedef half2 type; };
template <> struct pair_of<nv_bfloat16> { typedef nv_bfloat162 type; };

__device__ __forceinline__ float2 unpack(float2 v) { return v; }
__device__ __forceinline__ float2 unpack(half2 v) { return __half22float2(v); }
__device__ __forceinline__ float2 unpack(nv_bfloat162 v) { return make_float2(__low2float(v), __high2float(v)); }
__device__ __forceinline__ void pack(float2 *to, float2 v) { *to = v; }
__device__ __forceinline__ void pack(half2 *to, float2 v) { *to = __float22half2_rn(v); }
__device__ __forceinline__ void pack(nv_bfloat162 *to, float2 v) { *to = __floats2bfloat162_rn(v.x, v.y); }
__device__ __forceinline__ void first(float *to, float2 v) { *to = v.x; }
__device__ __forceinline__ void first(half *to, float2 v) { *to = __low2half(__float22half2_rn(v)); }
__device__ __forceinline__ void first(nv_bfloat16 *to, float2 v) { *to = __floats2bfloat162_rn(v.x, 0.f).x; }

template <typename T> __global__ void softmax_pairs(const T *x, T *y, int64_t rows, int cols, int64_t pitch) {
    typedef typename pair_of<T>::type pair;
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const pair *in = reinterpret_cast<const pair *>(x + row * pitch);
    pair *out = reinterpret_cast<pair *>(y + row * pitch);
    float2 v[16];
    float m = -INFINITY, s = 0.f;
    for (int i = 0, p = threadIdx.x; i < 16; i++, p += 32) {
        v[i] = 2 * p < cols ? unpack(in[p]) : make_float2(-INFINITY, -INFINITY);
        if (2 * p + 1 >= cols) v[i].y = -INFINITY;
        m = fmaxf(m, fmaxf(v[i].x, v[i].y));
    }
    for (int k = 1; k < 32; k <<= 1) m = fmaxf(m, __shfl_xor_sync(-1, m, k));
    for (auto &e : v) {
        e = float2{__expf(e.x - m), __expf(e.y - m)};
        s += e.x + e.y;
    }
    for (int k = 1; k < 32; k <<= 1) s += __shfl_xor_sync(-1, s, k);
    const float r = 1.f / s;
    for (int i = 0, p = threadIdx.x; i < 16; i++, p += 32) {
        v[i].x *= r, v[i].y *= r;
        if (2 * p < cols) pack(&out[p], v[i]);
        else if (2 * p < cols) first(&y[row * pitch + 2 * p], v[i]);
    }
}

static int usable(const void *p) {
    cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, p)) { cudaGetLastError(); return 0; }
    return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged;
}

cudaError_t fused_softmax(matrix x, matrix y, int rpb, cudaStream_t st) {
    const size_t size = x.type == CUDA_R_32F ? 4 : x.type == CUDA_R_16F || x.type == CUDA_R_16BF ? 2 : 0;
    const bool fine = (rpb == 1 || rpb == 2 || rpb == 4 || rpb == 8) && size && x.type == y.type && x.rows == y.rows && x.cols == y.cols &&
                      x.pitch == y.pitch && x.rows >= 0 && x.cols > 0 && x.cols <= FUSED_SOFTMAX_MAX_COLS && x.rows < (1ll << 31) &&
                      x.rows * x.cols < (1ll << 31) && x.pitch >= x.cols && x.pitch % 4 == 0;
    if (!fine) return cudaErrorInvalidValue;
    if (x.rows == 0) return cudaSuccess;
    const size_t bytes = ((x.rows - 1) * x.pitch + x.cols) * size;
    const char *a = (char *)x.data, *b = (char *)y.data;
    if (!usable(a) || !usable(b) || (size_t)(a < b ? b - a : a - b) < bytes) return cudaErrorInvalidValue;
    const unsigned grid = (unsigned)((x.rows + rpb - 1) / rpb);
    const dim3 block = {32, (unsigned)rpb};
#define GO(T) softmax_pairs<<<grid, block, 0, st>>>(static_cast<const T *>(x.data), static_cast<T *>(y.data), x.rows, (int)x.cols, x.pitch)
    if (x.type == CUDA_R_32F) GO(float);
    else if (x.type == CUDA_R_16F) GO(half);
    else GO(nv_bfloat16);
#undef GO
    return cudaGetLastError();
}
