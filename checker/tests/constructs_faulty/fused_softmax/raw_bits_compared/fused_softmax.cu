/* Faulty (row.far_from_zero), a twin of the construct votes_and_reduce_sync. Shows: __reduce_max_sync on floats in the order of integers, __reduce_add_sync, __any_sync, __all_sync, __ballot_sync
 * with __popc and __ffs, __match_any_sync, __activemask, lane masks from __brev and shifts, early uniform paths. */
#include "fused_softmax.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

static __device__ inline int key_of(float f) {
    int i = __float_as_int(f);
    return i;
}
static __device__ inline float value_of(int k) {
    return __int_as_float(k);
}

template <typename T> __global__ void vote_softmax(const T *x, T *y, long rows, int cols, long pitch) {
    const unsigned all = 0xffffffffu;
    const long row = (long)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    const unsigned lane = threadIdx.x, upto = cols >= 32 ? all : __brev(__brev((1u << cols) - 1));
    float v[32];
    int nan = 0, top = key_of(-INFINITY);
    for (int i = 0; i < 32; ++i) {
        const int c = lane + 32 * i;
        v[i] = c < cols ? static_cast<float>(x[row * pitch + c]) : -INFINITY;
        nan |= isnan(v[i]) || v[i] == INFINITY;
        if (!nan)
            top = max(top, key_of(v[i]));
    }
    const int columns = __reduce_add_sync(all, (cols - (int)lane + 31) / 32);
    const int holders = __popc(__ballot_sync(all, (int)lane < cols));
    const bool spoilt = __any_sync(all, nan) || columns != cols || holders != __popc(upto) || __ffs((int)upto) != 1;
    const unsigned alike = __match_any_sync(all, blockIdx.x) & __activemask();
    float m = value_of(__reduce_max_sync(all, top)), s = 0;
    if (spoilt || (alike >> lane & 1) == 0 || __all_sync(all, m == -INFINITY))
        m = NAN;
    for (int i = 0; i < 32; ++i)
        s += v[i] = __expf(v[i] - m);
    for (unsigned bit = 1; bit < 32; bit <<= 1)
        s += __shfl_xor_sync(all, s, bit);
    for (int i = 0; i < 32; ++i)
        if (lane + 32 * i < (unsigned)cols)
            y[row * pitch + lane + 32 * i] = static_cast<T>(v[i] / s);
}

static bool known(const matrix *m) {
    cudaPointerAttributes a;
    cudaError_t e = cudaPointerGetAttributes(&a, m->data);
    if (e != cudaSuccess)
        cudaGetLastError();
    return e == cudaSuccess && (a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged);
}

cudaError_t fused_softmax(matrix x, matrix y, int k, cudaStream_t stream) {
    const struct { int64_t size; void (*kernel32)(const float *, float *, long, int, long); } kinds[] = {{4, vote_softmax<float>}, {2, nullptr}};
    if ((k != 1 && k != 2 && k != 4 && k != 8) || x.cols < 1 || x.cols > 1024 || x.rows < 0 || x.rows > 2147483647 / x.cols)
        return cudaErrorInvalidValue;
    if (x.type != y.type || x.rows != y.rows || x.cols != y.cols || x.pitch != y.pitch || x.pitch < x.cols || x.pitch % 4)
        return cudaErrorInvalidValue;
    if (x.type != CUDA_R_32F && x.type != CUDA_R_16F && x.type != CUDA_R_16BF)
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    const auto &kind = kinds[x.type != CUDA_R_32F];
    const int64_t length = ((x.rows - 1) * x.pitch + x.cols) * kind.size, gap = (char *)x.data - (char *)y.data;
    if (!known(&x) || !known(&y) || (gap < length && -gap < length))
        return cudaErrorInvalidValue;
    const unsigned n = (unsigned)((x.rows + k - 1) / k);
    if (kind.kernel32)
        kind.kernel32<<<n, dim3(32, k), 0, stream>>>((const float *)x.data, (float *)y.data, x.rows, x.cols, x.pitch);
    else if (x.type == CUDA_R_16F)
        vote_softmax<<<n, dim3(32, k), 0, stream>>>((const __half *)x.data, (__half *)y.data, x.rows, x.cols, x.pitch);
    else
        vote_softmax<<<n, dim3(32, k), 0, stream>>>((const __nv_bfloat16 *)x.data, (__nv_bfloat16 *)y.data, x.rows, x.cols, x.pitch);
    return cudaGetLastError();
}
