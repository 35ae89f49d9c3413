/* Correct: one warp a row, scalar loads a warp apart, one element type a template parameter. */
#include "fused_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum { QUAD = 4, PER_LANE = FUSED_SOFTMAX_MAX_COLS / 32 };

static __device__ float to_float(float value) {
    return value;
}
static __device__ float to_float(__half value) {
    return __half2float(value);
}
static __device__ float to_float(__nv_bfloat16 value) {
    return __bfloat162float(value);
}

template <typename T> static __device__ T from_float(float value);
template <> __device__ float from_float<float>(float value) {
    return value;
}
template <> __device__ __half from_float<__half>(float value) {
    return __float2half_rn(value);
}
template <> __device__ __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
    return __float2bfloat16_rn(value);
}

template <typename T>
static __global__ void rows_kernel(const T *x, T *y, int64_t rows, int cols, int64_t pitch) {
    const int lane = threadIdx.x % 32;
    const int64_t row = (int64_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows)
        return;
    x += row * pitch;
    y += row * pitch;
    float value[PER_LANE], max = -INFINITY, sum = 0;
#pragma unroll
    for (int i = 0; i < PER_LANE; i++) {
        value[i] = i * 32 + lane < cols ? to_float(x[i * 32 + lane]) : -INFINITY;
        max = fmaxf(max, value[i]);
    }
    for (int offset = 16; offset > 0; offset >>= 1)
        max = fmaxf(max, __shfl_down_sync(0xffffffff, max, offset));
    max = __shfl_sync(0xffffffff, max, 0);
#pragma unroll
    for (int i = 0; i < PER_LANE; i++)
        sum += value[i] = __expf(value[i] - max);
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    sum = __shfl_sync(0xffffffff, sum, 0);
#pragma unroll
    for (int i = 0; i < PER_LANE; i++)
        if (i * 32 + lane < cols)
            y[i * 32 + lane] = from_float<T>(__fdividef(value[i], sum));
}

template <typename T> static cudaError_t launch(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    const int64_t blocks = (x.rows + rows_per_block - 1) / rows_per_block;
    rows_kernel<T><<<(unsigned)blocks, 32 * rows_per_block, 0, stream>>>((const T *)x.data, (T *)y.data,
                                                                         x.rows, (int)x.cols, x.pitch);
    return cudaGetLastError();
}

/* Bytes of one element, or 0 for a type that is not supported. */
static int element_bytes(cudaDataType_t type) {
    switch (type) {
    case CUDA_R_32F:
        return sizeof(float);
    case CUDA_R_16F:
        return sizeof(__half);
    case CUDA_R_16BF:
        return sizeof(__nv_bfloat16);
    default:
        return 0;
    }
}

static bool shape_is_valid(matrix x, matrix y) {
    if (x.rows != y.rows || x.cols != y.cols || x.pitch != y.pitch)
        return false;
    if (x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS)
        return false;
    /* rows * cols < 2^31, by division: the product may overflow. */
    if (x.rows < 0 || x.rows > INT32_MAX / x.cols)
        return false;
    return x.pitch >= x.cols && x.pitch % QUAD == 0;
}

static bool is_device_memory(const void *data) {
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
        cudaGetLastError(); /* answered by our return value; not left behind for the next check */
        return false;
    }
    return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

/* Whether x and y share a byte, from the first element of each to its last. rows >= 1. */
static bool overlap(matrix x, matrix y) {
    const uintptr_t a = (uintptr_t)x.data, b = (uintptr_t)y.data;
    const uintptr_t elements = (uintptr_t)(x.rows - 1) * x.pitch + x.cols;
    const uintptr_t distance = a < b ? b - a : a - b;
    return distance < elements * element_bytes(x.type);
}

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    if (rows_per_block != 1 && rows_per_block != 2 && rows_per_block != 4 && rows_per_block != 8)
        return cudaErrorInvalidValue;
    if (x.type != y.type || element_bytes(x.type) == 0 || !shape_is_valid(x, y))
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    if (!is_device_memory(x.data) || !is_device_memory(y.data) || overlap(x, y))
        return cudaErrorInvalidValue;

    switch (x.type) {
    case CUDA_R_32F:
        return launch<float>(x, y, rows_per_block, stream);
    case CUDA_R_16F:
        return launch<__half>(x, y, rows_per_block, stream);
    default:
        return launch<__nv_bfloat16>(x, y, rows_per_block, stream);
    }
}
