/* Correct: two warps a row, float4 and uint2 loads up to the end of the row and scalars for the rest,
 * shuffles and one word of shared memory a warp. All threads meet all barriers; launched by
 * cudaLaunchKernelEx. */
#include "fused_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <string.h>

enum { QUAD = 4, WARPS = 2, GROUPS = FUSED_SOFTMAX_MAX_COLS / (WARPS * 32 * QUAD) };

static __device__ float to_float(float value) {
    return value;
}
static __device__ float to_float(__half value) {
    return __half2float(value);
}
static __device__ float to_float(__nv_bfloat16 value) {
    return __bfloat162float(value);
}

static __device__ void load4(const float *from, float *to) {
    const float4 four = *(const float4 *)from;
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

template <typename T> static __device__ void load4(const T *from, float *to) {
    const uint2 four = *(const uint2 *)from;
    T element[4];
    memcpy(element, &four, sizeof four);
    for (int i = 0; i < 4; i++)
        to[i] = to_float(element[i]);
}

static __device__ void store(float *to, float value) {
    *to = value;
}
static __device__ void store(__half *to, float value) {
    *to = __float2half(value);
}
static __device__ void store(__nv_bfloat16 *to, float value) {
    *to = __float2bfloat16(value);
}

template <typename T>
static __global__ void rows_kernel(const T *x, T *y, int64_t rows, int cols, int64_t pitch) {
    __shared__ float part_max[8][WARPS], part_sum[8][WARPS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    const int width = row < rows ? cols : 0;
    const T *from = x + row * pitch;
    T *to = y + row * pitch;
    float value[GROUPS][QUAD], max = -INFINITY, sum = 0;
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        const int col = (g * WARPS * 32 + threadIdx.x) * QUAD;
        for (int i = 0; i < QUAD; i++)
            value[g][i] = -INFINITY;
        if (col + QUAD <= width)
            load4(from + col, value[g]);
        else
            for (int i = 0; col + i < width; i++)
                value[g][i] = to_float(from[col + i]);
        for (int i = 0; i < QUAD; i++)
            max = fmaxf(max, value[g][i]);
    }
    for (int distance = 16; distance > 0; distance /= 2)
        max = fmaxf(max, __shfl_xor_sync(0xffffffff, max, distance));
    if (lane == 0)
        part_max[threadIdx.y][warp] = max;
    __syncthreads();
    for (int w = 0; w < WARPS; w++)
        max = fmaxf(max, part_max[threadIdx.y][w]);
#pragma unroll
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < QUAD; i++) {
            value[g][i] = exp2f((value[g][i] - max) * 1.44269504f);
            sum += value[g][i];
        }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (lane == 0)
        part_sum[threadIdx.y][warp] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < WARPS; w++)
        sum += part_sum[threadIdx.y][w];
#pragma unroll
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < QUAD; i++) {
            const int col = (g * WARPS * 32 + threadIdx.x) * QUAD + i;
            if (col < width)
                store(to + col, value[g][i] / sum);
        }
}

template <typename T> static cudaError_t launch(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)((x.rows + rows_per_block - 1) / rows_per_block));
    config.blockDim = dim3(WARPS * 32, rows_per_block);
    config.stream = stream;
    return cudaLaunchKernelEx(&config, rows_kernel<T>, (const T *)x.data, (T *)y.data, x.rows, (int)x.cols,
                              x.pitch);
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
