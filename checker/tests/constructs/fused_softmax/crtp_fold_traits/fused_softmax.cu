/* Shows: CRTP on the device side, traits by specialisation, a fold expression, a variadic template, structured bindings,
 * if constexpr with std::is_same_v, std::index_sequence unrolling a row, an inline constexpr variable template. */
#include "fused_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>
#include <utility>

template <class T> inline constexpr bool is_small = !std::is_same_v<T, float>;

template <class T> struct traits;
template <> struct traits<float> { static constexpr cudaDataType_t code = CUDA_R_32F; };
template <> struct traits<__half> { static constexpr cudaDataType_t code = CUDA_R_16F; };
template <> struct traits<__nv_bfloat16> { static constexpr cudaDataType_t code = CUDA_R_16BF; };

template <class Derived> struct reducer {
    __device__ float across(float v) const {
        const auto &self = static_cast<const Derived &>(*this);
        for (int d = 16; d > 0; d /= 2)
            v = self.combine(v, __shfl_xor_sync(0xffffffffu, v, d));
        return v;
    }
};
struct maximum : reducer<maximum> {
    __device__ float combine(float a, float b) const { return fmaxf(a, b); }
    template <class... V> __device__ float of(V... v) const {
        float m = -INFINITY;
        ((m = fmaxf(m, v)), ...);
        return across(m);
    }
};
struct total : reducer<total> {
    __device__ float combine(float a, float b) const { return a + b; }
    template <class... V> __device__ float of(V... v) const { return across((v + ... + 0.0f)); }
};

template <class T> __device__ T narrowed(float v) {
    if constexpr (!is_small<T>)
        return v;
    else if constexpr (std::is_same_v<T, __half>)
        return __float2half_rn(v);
    else
        return __float2bfloat16_rn(v);
}

template <class T, std::size_t... I>
__device__ void one_row(const T *x, T *y, int cols, std::index_sequence<I...>) {
    const int lane = threadIdx.x;
    float v[] = {(lane + 32 * int(I) < cols ? static_cast<float>(x[lane + 32 * I]) : -INFINITY)...};
    const float m = maximum{}.of(v[I]...);
    ((v[I] = __expf(v[I] - m)), ...);
    const float s = total{}.of(v[I]...);
    (void)((lane + 32 * int(I) < cols && (y[lane + 32 * I] = narrowed<T>(v[I] / s), true)) && ...);
}

template <class T, std::size_t N> __global__ void all_rows(matrix x, matrix y) {
    const int64_t row = blockIdx.x * int64_t(blockDim.y) + threadIdx.y;
    if (row < x.rows)
        one_row(static_cast<const T *>(x.data) + row * x.pitch, static_cast<T *>(y.data) + row * y.pitch, int(x.cols),
                std::make_index_sequence<N>());
}

template <class... Bools> static constexpr bool all(Bools... b) {
    return (... && b);
}
template <class V, class... Others> static constexpr bool one_of(V v, Others... others) {
    return ((v == others) || ...);
}

template <class First, class... Rest> static cudaError_t launch(matrix x, matrix y, dim3 grid, dim3 block, cudaStream_t stream) {
    if (x.type == traits<First>::code) {
        if (x.cols <= 128)
            all_rows<First, 4><<<grid, block, 0, stream>>>(x, y);
        else
            all_rows<First, 32><<<grid, block, 0, stream>>>(x, y);
        return cudaGetLastError();
    }
    if constexpr (sizeof...(Rest) > 0)
        return launch<Rest...>(x, y, grid, block, stream);
    return cudaErrorInvalidValue;
}

static auto place(const void *data) {
    struct result {
        bool known;
        cudaMemoryType type;
    };
    cudaPointerAttributes a;
    if (auto error = cudaPointerGetAttributes(&a, data); error != cudaSuccess) {
        cudaGetLastError();
        return result{false, cudaMemoryTypeUnregistered};
    }
    return result{true, a.type};
}

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    const auto &[data, type, rows, cols, pitch] = x;
    if (!all(one_of(rows_per_block, 1, 2, 4, 8), one_of(type, CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF), type == y.type, rows == y.rows,
             cols == y.cols, pitch == y.pitch, rows >= 0, cols >= 1, cols <= FUSED_SOFTMAX_MAX_COLS, pitch >= cols, pitch % 4 == 0) ||
        rows > INT32_MAX / cols)
        return cudaErrorInvalidValue;
    if (rows == 0)
        return cudaSuccess;
    for (const void *p : {data, y.data}) {
        const auto [known, kind] = place(p);
        if (!known || !one_of(kind, cudaMemoryTypeDevice, cudaMemoryTypeManaged))
            return cudaErrorInvalidValue;
    }
    const auto distance = reinterpret_cast<intptr_t>(data) - reinterpret_cast<intptr_t>(y.data);
    const int64_t size = ((rows - 1) * pitch + cols) * (type == CUDA_R_32F ? 4 : 2);
    if (distance > -size && distance < size)
        return cudaErrorInvalidValue;
    return launch<float, __half, __nv_bfloat16>(x, y, dim3((rows + rows_per_block - 1) / rows_per_block), {32, unsigned(rows_per_block)},
                                                stream);
}
