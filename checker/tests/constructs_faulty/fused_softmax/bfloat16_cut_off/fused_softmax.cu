/* Faulty (operator.rounding), a twin of the construct quads_with_hints. Shows: float4, ushort4 and uint2 loads, __ldg, __ldcs, __stcs, __ldcg and __stcg by element, make_float4, __ushort_as_half,
 * __half_as_ushort, __ushort_as_bfloat16, memcpy in a kernel, an alignas struct. */
#include "fused_softmax.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <string.h>

struct alignas(8) four_halves { __half h[4]; };

__device__ float4 load(const float *p) { return __ldg(reinterpret_cast<const float4 *>(p)); }
__device__ float4 load(const __half *p) {
    ushort4 u = __ldcs(reinterpret_cast<const ushort4 *>(p));
    return make_float4(__half2float(__ushort_as_half(u.x)), __half2float(__ushort_as_half(u.y)), __half2float(__ushort_as_half(u.z)),
                       __half2float(__ushort_as_half(u.w)));
}
__device__ float4 load(const __nv_bfloat16 *p) {
    const uint2 u = __ldcg(reinterpret_cast<const uint2 *>(p));
    return make_float4(__uint_as_float(u.x << 16), __uint_as_float(u.x & 0xffff0000u), __uint_as_float(u.y << 16), __uint_as_float(u.y & 0xffff0000u));
}
__device__ void store(float *p, float4 v) { __stcs(reinterpret_cast<float4 *>(p), v); }
__device__ void store(__half *p, float4 v) {
    four_halves f = {{__float2half_rn(v.x), __float2half_rn(v.y), __float2half_rn(v.z), __float2half_rn(v.w)}};
    uint2 bits;
    memcpy(&bits, &f, sizeof bits);
    __stcg(reinterpret_cast<uint2 *>(p), bits);
}
__device__ void store(__nv_bfloat16 *p, float4 v) {
    *reinterpret_cast<ushort4 *>(p) = make_ushort4((unsigned short)(__float_as_uint(v.x) >> 16), (unsigned short)(__float_as_uint(v.y) >> 16),
                                                   (unsigned short)(__float_as_uint(v.z) >> 16), (unsigned short)(__float_as_uint(v.w) >> 16));
}
__device__ void store1(float *p, float v) { __stcg(p, v); }
__device__ void store1(__half *p, float v) { __stcs(p, __float2half(v)); }
__device__ void store1(__nv_bfloat16 *p, float v) { *p = __float2bfloat16(v); }

template <class T> __global__ void quads(const T *__restrict__ x, T *__restrict__ y, int64_t rows, int cols, int64_t pitch) {
    const int64_t row = blockIdx.x * (int64_t)blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    x += row * pitch, y += row * pitch;
    float4 v[8];
    float m = -INFINITY, s = 0;
#pragma unroll
    for (int q = 0; q < 8; q++) {
        const int c = 4 * threadIdx.x + 128 * q;
        v[q] = c < cols ? load(x + c) : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
        float *e = &v[q].x;
        for (int i = 0; i < 4; i++)
            m = fmaxf(m, e[i] = c + i < cols ? e[i] : -INFINITY);
    }
    for (int d = 16; d; d >>= 1)
        m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
#pragma unroll
    for (int q = 0; q < 8; q++) {
        v[q] = {__expf(v[q].x - m), __expf(v[q].y - m), __expf(v[q].z - m), __expf(v[q].w - m)};
        s += (v[q].x + v[q].y) + (v[q].z + v[q].w);
    }
    for (int d = 16; d; d >>= 1)
        s += __shfl_xor_sync(0xffffffffu, s, d);
    const float r = __frcp_rn(s);
    for (int q = 0; q < 8; q++) {
        const int c = 4 * threadIdx.x + 128 * q;
        const float4 o = make_float4(v[q].x * r, v[q].y * r, v[q].z * r, v[q].w * r);
        if (c + 4 <= cols)
            store(y + c, o);
        else
            switch (cols - c) {
            case 3: store1(y + c + 2, o.z); [[fallthrough]];
            case 2: store1(y + c + 1, o.y); [[fallthrough]];
            case 1: store1(y + c, o.x); break;
            default: break;
            }
    }
}

static bool good(void *p) {
    cudaPointerAttributes a = {};
    if (cudaPointerGetAttributes(&a, p)) {
        cudaGetLastError();
        return false;
    }
    return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged;
}

cudaError_t fused_softmax(matrix x, matrix y, int k, cudaStream_t stream) {
    int64_t size = 2;
    switch (x.type) {
    case CUDA_R_32F: size = 4; [[fallthrough]];
    case CUDA_R_16F:
    case CUDA_R_16BF: break;
    default: return cudaErrorInvalidValue;
    }
    if (x.type != y.type || memcmp(&x.rows, &y.rows, 3 * sizeof(int64_t)) != 0)
        return cudaErrorInvalidValue;
    if ((k & -k) != k || k < 1 || k > 8 || x.cols < 1 || x.cols > 1024 || x.rows < 0 || x.rows >= (INT64_C(1) << 31) || x.rows * x.cols > INT32_MAX)
        return cudaErrorInvalidValue;
    if (x.pitch < x.cols || x.pitch & 3)
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    const int64_t bytes = ((x.rows - 1) * x.pitch + x.cols) * size, ahead = (char *)x.data - (char *)y.data;
    if (!good(x.data) || !good(y.data) || (ahead < 0 ? -ahead : ahead) < bytes)
        return cudaErrorInvalidValue;
    const unsigned n = (x.rows + k - 1) / k;
    const dim3 block(32, k);
    if (x.type == CUDA_R_32F)
        quads<<<n, block, 0, stream>>>((const float *)x.data, (float *)y.data, x.rows, (int)x.cols, x.pitch);
    else if (x.type == CUDA_R_16F)
        quads<<<n, block, 0, stream>>>((const __half *)x.data, (__half *)y.data, x.rows, (int)x.cols, x.pitch);
    else
        quads<<<n, block, 0, stream>>>((const __nv_bfloat16 *)x.data, (__nv_bfloat16 *)y.data, x.rows, (int)x.cols, x.pitch);
    return cudaGetLastError();
}
