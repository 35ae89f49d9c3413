// Shows: a kernel as an auto template argument, a launcher that deduces void (*)(P...) and forwards, std::apply over a
// tuple of arguments, a pointer to a launcher member, decltype(&kernel<T>), a kernel behind a reference and behind *.
#include "fused_softmax.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdint>
#include <tuple>
#include <utility>

template <typename T, int ITEMS>
__global__ void row_kernel(const T *in, T *out, std::int64_t rows, int cols, std::int64_t pitch) {
    const std::int64_t row = std::int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float item[ITEMS], m = -INFINITY, s = 0;
    for (int i = 0; i < ITEMS; ++i) {
        item[i] = int(threadIdx.x + i * 32) < cols ? float(in[row * pitch + threadIdx.x + i * 32]) : -INFINITY;
        m = max(m, item[i]);
    }
    for (int d = 16; d; d /= 2)
        m = max(m, __shfl_xor_sync(0xffffffff, m, d));
    for (int i = 0; i < ITEMS; ++i)
        s += item[i] = __expf(item[i] - m);
    for (int d = 16; d; d /= 2)
        s += __shfl_xor_sync(0xffffffff, s, d);
    for (int i = 0; i < ITEMS; ++i)
        if (int(threadIdx.x + i * 32) < cols)
            out[row * pitch + threadIdx.x + i * 32] = T(item[i] / s);
}

struct Launch {
    dim3 grid, block;
    cudaStream_t stream;

    template <class... P, class... A> cudaError_t operator()(void (*kernel)(P...), A &&...arguments) const {
        kernel<<<grid, block, 0, stream>>>(std::forward<A>(arguments)...);
        return cudaGetLastError();
    }
    template <auto Kernel, class Tuple> cudaError_t fixed(Tuple &&arguments) const {
        std::apply([this](auto &&...a) { Kernel<<<grid, block, 0, stream>>>(a...); }, std::forward<Tuple>(arguments));
        return cudaGetLastError();
    }
    cudaError_t plain(decltype(&row_kernel<__half, 32>) kernel, matrix x, matrix y) const {
        auto &function = *kernel;
        (*function)<<<grid, block, 0, stream>>>(static_cast<const __half *>(x.data), static_cast<__half *>(y.data), x.rows, int(x.cols), x.pitch);
        return cudaGetLastError();
    }
    cudaError_t brain(decltype(row_kernel<__nv_bfloat16, 32>) &kernel, matrix x, matrix y) const {
        (&kernel)<<<grid, block, 0, stream>>>((const __nv_bfloat16 *)x.data, (__nv_bfloat16 *)y.data, x.rows, int(x.cols), x.pitch);
        return cudaGetLastError();
    }
};

static bool on_gpu(const void *p) {
    cudaPointerAttributes a;
    return cudaPointerGetAttributes(&a, p) == cudaSuccess ? a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged
                                                          : (cudaGetLastError(), false);
}

cudaError_t fused_softmax(matrix x, matrix y, int per_block, cudaStream_t stream) {
    const auto key = [](const matrix &m) { return std::make_tuple(m.type, m.rows, m.cols, m.pitch); };
    const int size = x.type == CUDA_R_32F ? 4 : x.type == CUDA_R_16F || x.type == CUDA_R_16BF ? 2 : 0;
    if (key(x) != key(y) || !size || x.rows < 0 || x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS || x.rows > INT32_MAX / x.cols ||
        x.pitch < x.cols || x.pitch % 4 || (per_block != 1 && per_block != 2 && per_block != 4 && per_block != 8))
        return cudaErrorInvalidValue;
    if (!x.rows)
        return cudaSuccess;
    const auto at = [](const matrix &m) { return reinterpret_cast<std::intptr_t>(m.data); };
    const auto extent = ((x.rows - 1) * x.pitch + x.cols) * size;
    if (!on_gpu(x.data) || !on_gpu(y.data) || (at(x) < at(y) + extent && at(y) < at(x) + extent))
        return cudaErrorInvalidValue;
    const Launch launch{dim3(unsigned((x.rows + per_block - 1) / per_block)), dim3(32, per_block), stream};
    const auto *from = static_cast<const float *>(x.data);
    auto *to = static_cast<float *>(y.data);
    if (x.type == CUDA_R_32F)
        return x.cols <= 256 ? launch.fixed<row_kernel<float, 8>>(std::make_tuple(from, to, x.rows, int(x.cols), x.pitch))
                             : launch(row_kernel<float, 32>, from, to, x.rows, x.cols, x.pitch);
    cudaError_t (Launch::*how)(decltype(&row_kernel<__half, 32>), matrix, matrix) const = &Launch::plain;
    return x.type == CUDA_R_16F ? (launch.*how)(&row_kernel<__half, 32>, x, y) : launch.brain(row_kernel<__nv_bfloat16, 32>, x, y);
}
