/* Faulty (operator.masked), a twin of the construct dispatch_macros. Shows: a dispatch macro that takes a lambda with commas, a launch macro that ends in >>>, a do-while(0) error macro,
 * #if 0 around what is no C, __VA_ARGS__ with templates. */
#include "fused_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

#define WARP_SIZE 32
#define FULL_MASK 0xffffffff
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

#define CUDA_TRY(call)                                                                                       \
    do {                                                                                                     \
        cudaError_t err__ = (call);                                                                          \
        if (err__ != cudaSuccess)                                                                            \
            return err__;                                                                                    \
    } while (0)

#define REQUIRE(...)                                                                                         \
    do {                                                                                                     \
        if (!(__VA_ARGS__))                                                                                  \
            return cudaErrorInvalidValue;                                                                    \
    } while (0)

#define PRIVATE_CASE(ENUM, TYPE, ...)                                                                        \
    case ENUM: {                                                                                             \
        using scalar_t = TYPE;                                                                               \
        return __VA_ARGS__();                                                                                \
    }
#define DISPATCH_FLOATING(VALUE, ...)                                                                        \
    [&]() -> cudaError_t {                                                                                   \
        switch (VALUE) {                                                                                     \
            PRIVATE_CASE(CUDA_R_32F, float, __VA_ARGS__)                                                     \
            PRIVATE_CASE(CUDA_R_16F, __half, __VA_ARGS__)                                                    \
            PRIVATE_CASE(CUDA_R_16BF, __nv_bfloat16, __VA_ARGS__)                                            \
        default:                                                                                             \
            return cudaErrorInvalidValue;                                                                    \
        }                                                                                                    \
    }()

#define ON(grid, block, stream) <<<grid, block, 0, stream>>>

#if 0 && SOMETHING_UNKNOWN
    kernel<<<1, 2>>>(it is "not" code;
#endif

#define LOOP(i, n)                                                                                           \
    _Pragma("unroll") for (int i = 0; i < (n); ++i)

template <typename T, int PER_LANE> __global__ void softmax_kernel(const T *in, T *out, int64_t n, int c, int64_t stride) {
    int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= n)
        return;
    in += row * stride;
    out += row * stride;
    float v[PER_LANE], maxval = -3.402823466e+38f, sumval = 0.f;
    LOOP(i, PER_LANE) {
        int col = threadIdx.x + i * WARP_SIZE;
        v[i] = col < c ? (float)in[col] : -3.402823466e+38f;
        maxval = fmaxf(maxval, v[i]);
    }
    LOOP(s, 5) maxval = fmaxf(maxval, __shfl_xor_sync(FULL_MASK, maxval, 16 >> s));
    LOOP(i, PER_LANE) sumval += v[i] = expf(v[i] - maxval);
    LOOP(s, 5) sumval += __shfl_xor_sync(FULL_MASK, sumval, 16 >> s);
    LOOP(i, PER_LANE) {
        int col = threadIdx.x + i * WARP_SIZE;
        if (col < c)
            out[col] = (T)(v[i] / sumval);
    }
}

static cudaError_t check_pointer(const void *p) {
    cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, p) != cudaSuccess) {
        cudaGetLastError();
        return cudaErrorInvalidValue;
    }
    return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    REQUIRE(rows_per_block == 1 || rows_per_block == 2 || rows_per_block == 4 || rows_per_block == 8);
    REQUIRE(x.type == CUDA_R_32F || x.type == CUDA_R_16F || x.type == CUDA_R_16BF);
    REQUIRE(x.type == y.type && x.rows == y.rows && x.cols == y.cols && x.pitch == y.pitch);
    REQUIRE(x.cols >= 1 && x.cols <= FUSED_SOFTMAX_MAX_COLS && x.rows >= 0 && x.rows <= INT32_MAX / x.cols);
    REQUIRE(x.pitch >= x.cols && x.pitch % 4 == 0);
    if (x.rows == 0)
        return cudaSuccess;
    CUDA_TRY(check_pointer(x.data));
    CUDA_TRY(check_pointer(y.data));
    uint64_t a = (uint64_t)x.data, b = (uint64_t)y.data;
    uint64_t bytes = ((uint64_t)(x.rows - 1) * x.pitch + x.cols) * (x.type == CUDA_R_32F ? 4 : 2);
    REQUIRE((a < b ? b - a : a - b) >= bytes);

    dim3 grid(CEIL_DIV(x.rows, rows_per_block)), block(WARP_SIZE, rows_per_block);
    return DISPATCH_FLOATING(x.type, [&] {
        if (x.cols <= 256)
            softmax_kernel<scalar_t, 8> ON(grid, block, stream)((const scalar_t *)x.data, (scalar_t *)y.data, x.rows,
                                                                (int)x.cols, x.pitch);
        else
            softmax_kernel<scalar_t, 32> ON(grid, block, stream)((const scalar_t *)x.data, (scalar_t *)y.data, x.rows,
                                                                 (int)x.cols, x.pitch);
        return cudaGetLastError();
    });
}
