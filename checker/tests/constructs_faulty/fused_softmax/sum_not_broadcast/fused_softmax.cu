/* Faulty (row.by_hand), a twin of the construct launch_calls. Shows: cudaLaunchKernel with its array of arguments, cudaLaunchKernelEx with converted arguments,
 * cudaLaunchKernelExC with a kernel as const void *, cudaLaunchConfig_t by braces and member by member. */
#include "fused_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename scalar>
__global__ void __launch_bounds__(256) softmax_by_warp(const scalar *__restrict__ input, scalar *__restrict__ output, long long rows, int cols,
                                long long pitch, float scale) {
    const long long row = (long long)blockIdx.x * blockDim.y + threadIdx.y;
    if (row < rows) {
        const int lane = threadIdx.x;
        float held[FUSED_SOFTMAX_MAX_COLS / 32];
        float m = -INFINITY;
#pragma unroll
        for (int i = 0; i < FUSED_SOFTMAX_MAX_COLS / 32; ++i) {
            held[i] = -INFINITY;
            if (lane + 32 * i < cols)
                held[i] = scale * (float)input[row * pitch + lane + 32 * i];
            m = fmaxf(m, held[i]);
        }
        for (int o = 16; o > 0; o >>= 1)
            m = fmaxf(m, __shfl_down_sync(0xffffffffu, m, o));
        m = __shfl_sync(0xffffffffu, m, 0);
        float s = 0.0f;
#pragma unroll
        for (int i = 0; i < FUSED_SOFTMAX_MAX_COLS / 32; ++i) {
            held[i] = exp(held[i] - m);
            s += held[i];
        }
        for (int o = 16; o > 0; o >>= 1)
            s += __shfl_down_sync(0xffffffffu, s, o);
#pragma unroll
        for (int i = 0; i < FUSED_SOFTMAX_MAX_COLS / 32; ++i)
            if (lane + 32 * i < cols)
                output[row * pitch + lane + 32 * i] = (scalar)(held[i] / s);
    }
}

static bool device_pointer(const void *pointer) {
    struct cudaPointerAttributes attributes = {};
    if (cudaSuccess != cudaPointerGetAttributes(&attributes, pointer))
        return cudaGetLastError(), false;
    return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

extern "C" cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    if (!(rows_per_block == 1 || rows_per_block == 2 || rows_per_block == 4 || rows_per_block == 8))
        return cudaErrorInvalidValue;
    if (x.type != y.type || x.rows != y.rows || x.cols != y.cols || x.pitch != y.pitch)
        return cudaErrorInvalidValue;
    if (x.rows < 0 || x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS || x.rows > 0x7fffffff / x.cols || x.pitch < x.cols || x.pitch % 4 != 0)
        return cudaErrorInvalidValue;
    if (x.type != CUDA_R_32F && x.type != CUDA_R_16F && x.type != CUDA_R_16BF)
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    const uintptr_t element = x.type == CUDA_R_32F ? 4 : 2;
    const uintptr_t span = ((uintptr_t)(x.rows - 1) * x.pitch + x.cols) * element;
    const uintptr_t px = (uintptr_t)x.data, py = (uintptr_t)y.data;
    if (!device_pointer(x.data) || !device_pointer(y.data) || (px <= py && py - px < span) || (py <= px && px - py < span))
        return cudaErrorInvalidValue;

    long long rows = x.rows, pitch = x.pitch;
    int cols = (int)x.cols;
    float one = 1.0f;
    const dim3 grid((unsigned)((rows + rows_per_block - 1) / rows_per_block));
    const dim3 block(32, (unsigned)rows_per_block);
    if (x.type == CUDA_R_32F) {
        void *arguments[] = {&x.data, &y.data, &rows, &cols, &pitch, &one};
        return cudaLaunchKernel(softmax_by_warp<float>, grid, block, arguments, 0, stream);
    }
    if (x.type == CUDA_R_16F) {
        cudaLaunchConfig_t config = {};
        config.gridDim = grid;
        config.blockDim = block;
        config.stream = stream;
        return cudaLaunchKernelEx(&config, softmax_by_warp<__half>, static_cast<const __half *>(x.data), static_cast<__half *>(y.data), x.rows,
                                  x.cols, x.pitch, 1);
    }
    cudaLaunchConfig_t config{grid, block, 0, stream, nullptr, 0};
    void *arguments[6];
    arguments[0] = &x.data;
    arguments[1] = &y.data;
    arguments[2] = &rows;
    arguments[3] = &cols;
    arguments[4] = &pitch;
    arguments[5] = &one;
    return cudaLaunchKernelExC(&config, (const void *)&softmax_by_warp<__nv_bfloat16>, arguments);
}
