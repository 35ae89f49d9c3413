/* Faulty (operator.stream), a twin of the construct kernels_in_containers. Shows: kernels in std::map, std::array of std::pair, std::tuple, std::function, std::vector and an aggregate of
 * function pointers; a range-for and std::find_if that end in a launch; <iostream>, <string> and exceptions at hand. */
#include "fused_softmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using Kernel = void (*)(const void *, void *, int64_t, int, int64_t);

template <class T, int N> __global__ void rows(const void *in, void *out, int64_t count, int cols, int64_t pitch) {
    const int64_t row = int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
    if (row >= count)
        return;
    const T *from = static_cast<const T *>(in) + row * pitch;
    T *to = static_cast<T *>(out) + row * pitch;
    float kept[N], top = -INFINITY, total = 0;
    for (auto &k : kept) {
        const int col = threadIdx.x + 32 * int(&k - kept);
        k = col < cols ? float(from[col]) : -INFINITY;
        top = fmaxf(top, k);
    }
    for (int d = 16; d; d >>= 1)
        top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
    for (auto &k : kept)
        total += k = expf(k - top);
    for (int d = 16; d; d >>= 1)
        total += __shfl_xor_sync(~0u, total, d);
    for (int i = 0; i < N && int(threadIdx.x) + 32 * i < cols; i++)
        to[threadIdx.x + 32 * i] = T(kept[i] / total);
}

static const std::map<cudaDataType_t, std::array<std::pair<int, Kernel>, 2>> kernels = {
    {CUDA_R_32F, {{{512, rows<float, 16>}, {1024, rows<float, 32>}}}},
    {CUDA_R_16F, {{{512, &rows<__half, 16>}, {1024, &rows<__half, 32>}}}},
    {CUDA_R_16BF, {{{512, rows<__nv_bfloat16, 16>}, {1024, rows<__nv_bfloat16, 32>}}}},
};

struct Problem {
    std::string name;
    std::function<bool()> holds;
};

static void explain(const Problem &problem) {
    if (std::getenv("SOFTMAX_EXPLAIN"))
        std::cerr << "fused_softmax: " << problem.name << std::endl;
}

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) try {
    const std::vector<Problem> problems = {
        {"rows_per_block", [&] { const auto all = {1, 2, 4, 8}; return std::find(all.begin(), all.end(), rows_per_block) == all.end(); }},
        {"type", [&] { return kernels.count(x.type) == 0 || y.type != x.type; }},
        {"shape", [&] { return std::tie(x.rows, x.cols, x.pitch) != std::tie(y.rows, y.cols, y.pitch); }},
        {"cols", [&] { return x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS; }},
        {"rows", [&] { return x.rows < 0 || x.rows > INT32_MAX / x.cols; }},
        {"pitch", [&] { return x.pitch < x.cols || x.pitch % 4; }},
    };
    const auto bad = std::find_if(problems.begin(), problems.end(), [](const Problem &p) { return p.holds(); });
    if (bad != problems.end())
        return explain(*bad), cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    for (const void *data : {x.data, y.data}) {
        cudaPointerAttributes attributes;
        if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess)
            throw cudaGetLastError();
        if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged)
            throw cudaErrorInvalidValue;
    }
    const auto bytes = [size = x.type == CUDA_R_32F ? 4 : 2](const matrix &m) {
        return ((m.rows - 1) * m.pitch + m.cols) * size;
    };
    const auto [low, high] = std::minmax(reinterpret_cast<uintptr_t>(x.data), reinterpret_cast<uintptr_t>(y.data));
    if (high - low < static_cast<uintptr_t>(bytes(x)))
        throw cudaErrorInvalidValue;
    for (const auto &[limit, kernel] : kernels.at(x.type))
        if (x.cols <= limit) {
            const bool cols_fit = x.cols <= 512;
            kernel<<<(x.rows + rows_per_block - 1) / rows_per_block, dim3(32, rows_per_block), 0, cols_fit ? stream : nullptr>>>(
                x.data, y.data, x.rows, static_cast<int>(x.cols), x.pitch);
            break;
        }
    return cudaGetLastError();
} catch (cudaError_t) {
    return cudaErrorInvalidValue;
}
