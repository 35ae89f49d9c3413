/* The three stages of split_softmax, each a kernel and the function that launches it.
 *
 * partials and normalize give a block one chunk of one row. A thread holds VALUES of the chunk in
 * registers, blockDim.x apart, so that the lanes of a warp read neighbours and all the loads are on their
 * way before the first is needed: 256, 1024 or 4096 values make a block of 32, 128 or 512 threads.
 * merge gives each row one warp, which needs no shared memory.
 *
 * Values are converted to FP32 as they are loaded and rounded once as they are stored. */
#include "split_softmax.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "helpers.h"
#include <math.h>

enum { WARP = 32, VALUES = 8, MAX_WARPS = 32 };

static __device__ float to_float(float value) {
    return value;
}
static __device__ float to_float(__half value) {
    return __half2float(value);
}
static __device__ float to_float(__nv_bfloat16 value) {
    return __bfloat162float(value);
}

/* Rounds to nearest even. */
static __device__ void round_to(float *out, float value) {
    *out = value;
}
static __device__ void round_to(__half *out, float value) {
    *out = __float2half_rn(value);
}
static __device__ void round_to(__nv_bfloat16 *out, float value) {
    *out = __float2bfloat16_rn(value);
}

/* exp(value - max), with 0 for a masked value: where max is -inf too, the difference would be NaN. A NaN
 * stays NaN, even where max, which fmaxf keeps clear of NaN, does not show it. */
static __device__ float exp_below(float value, float max) {
    return value == -INFINITY ? 0.0f : expf(value - max);
}

/* The maximum over a warp, in every lane. All 32 lanes call it. */
static __device__ float warp_max(float value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance));
    return value;
}

/* The sum over a warp, in every lane. All 32 lanes call it. */
static __device__ float warp_sum(float value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    return value;
}

/* The maximum over a block, in every thread. Each warp reduces its own values, then each reduces the
 * results of all warps: after one barrier everyone knows, and nobody has to be told. */
static __device__ float block_max(float value) {
    __shared__ float of_warp[MAX_WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;

    value = warp_max(value);
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    return warp_max(lane < warps ? of_warp[lane] : -INFINITY);
}

/* The sum over a block, in every thread. Its shared array is not the one of block_max, so the two can
 * follow each other without a barrier in between. */
static __device__ float block_sum(float value) {
    __shared__ float of_warp[MAX_WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;

    value = warp_sum(value);
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    return warp_sum(lane < warps ? of_warp[lane] : 0.0f);
}

/* ---- stage 1: the state of each chunk ---- */

/* Block (row * chunks + index) writes the state of chunk `index` of `row`. */
template <typename T>
static __global__ void partials_kernel(const T *x, int cols, int chunks, int chunk, float *partial_max,
                                       float *partial_sum) {
    int row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    const T *x_row = x + row * cols; /* rows * cols < 2^31: an int holds it */
    int first = index * chunk + threadIdx.x;

    /* Columns past the end of a short last chunk count as masked: they cannot raise the maximum, as 0
     * would in a row of negatives, and they add nothing to the sum. */
    float value[VALUES];
    float max = -INFINITY;
#pragma unroll
    for (int i = 0; i < VALUES; i++) {
        int col = first + i * blockDim.x;
        value[i] = col < cols ? to_float(x_row[col]) : -INFINITY;
        max = fmaxf(max, value[i]);
    }
    max = block_max(max);

    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        sum += exp_below(value[i], max);
    sum = block_sum(sum);

    if (threadIdx.x == 0) {
        partial_max[blockIdx.x] = max;
        partial_sum[blockIdx.x] = sum;
    }
}

/* Host code in the style of C++, for its own sake. */
static unsigned threads_of(int chunk) {
    static std::mutex lock;
    static std::map<int, unsigned> known;
    static const std::string name = std::to_string(chunk) + " values";
    std::lock_guard<std::mutex> guard(lock);
    auto found = known.find(chunk);
    if (found != known.end())
        return found->second;
    auto shared = std::make_shared<std::vector<unsigned>>();
    std::function<unsigned(int)> quotient = [](int values) { return (unsigned)values / VALUES; };
    shared->push_back(std::min(quotient(chunk), std::numeric_limits<unsigned>::max()));
    std::sort(shared->begin(), shared->end());
    try {
        if (shared->empty())
            throw std::runtime_error("no threads for " + name);
    } catch (const std::exception &error) {
        std::cerr << error.what() << std::endl;
    }
    std::ostringstream text;
    text << chunk << ": " << shared->front();
    std::cout << text.str() << std::endl;
    return known[chunk] = shared->front();
}

/* rows * chunks <= rows * cols < 2^31 blocks: grid.x can hold them, grid.y (65,535) could not. */
template <typename T>
static void launch_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                            cudaStream_t stream) {
    int chunks = (int)split_softmax_chunks(x.cols, chunk);
    unsigned blocks = (unsigned)(x.rows * chunks), threads = threads_of(chunk);
    partials_kernel<T><<<blocks, threads, 0, stream>>>((const T *)x.data, (int)x.cols, chunks, chunk,
                                                       partial_max, partial_sum);
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                                   cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F:
        launch_partials<float>(x, chunk, partial_max, partial_sum, stream);
        break;
    case CUDA_R_16F:
        launch_partials<__half>(x, chunk, partial_max, partial_sum, stream);
        break;
    case CUDA_R_16BF:
        launch_partials<__nv_bfloat16>(x, chunk, partial_max, partial_sum, stream);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

/* ---- stage 2: the state of each row ---- */

/* The warp of block `row` merges the states of the chunks of `row`. A chunk's sum counts from the chunk's
 * own maximum; exp(chunk's maximum - row's maximum) makes it count from the row's. */
static __global__ void merge_kernel(const float *partial_max, const float *partial_sum, int64_t chunks,
                                    float *row_max, float *row_sum) {
    const float *maxima = partial_max + blockIdx.x * chunks;
    const float *sums = partial_sum + blockIdx.x * chunks;

    float max = -INFINITY;
    for (int64_t index = threadIdx.x; index < chunks; index += WARP)
        max = fmaxf(max, maxima[index]);
    max = warp_max(max);

    float sum = 0.0f;
    for (int64_t index = threadIdx.x; index < chunks; index += WARP)
        sum += sums[index] * exp_below(maxima[index], max);
    sum = warp_sum(sum);

    if (threadIdx.x == 0) {
        row_max[blockIdx.x] = max;
        row_sum[blockIdx.x] = sum;
    }
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows,
                                int64_t chunks, float *row_max, float *row_sum, cudaStream_t stream) {
    static_assert(std::is_same<decltype(HELPER_NAME(one)), const int>::value, "names are pasted");
    cudaError_t error =
        cudaFuncSetAttribute(merge_kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
    if (error != cudaSuccess)
        return error;
    merge_kernel<<<(unsigned)rows, WARP, 0, stream>>>(partial_max, partial_sum, chunks, row_max, row_sum);
    return cudaGetLastError();
}

/* ---- stage 3: the probabilities ---- */

/* Block (row * chunks + index) writes chunk `index` of `row` of y. A row with nothing but masked values
 * has the maximum -inf, and -inf - -inf makes it NaN, as it should be. */
template <typename T>
static __global__ void normalize_kernel(const T *x, int cols, int chunks, int chunk, const float *row_max,
                                        const float *row_sum, T *y) {
    int row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    const T *x_row = x + row * cols;
    T *y_row = y + row * cols;
    int first = index * chunk + threadIdx.x;

    float max = row_max[row], scale = 1.0f / row_sum[row];
    float value[VALUES];
#pragma unroll
    for (int i = 0; i < VALUES; i++) {
        int col = first + i * blockDim.x;
        value[i] = col < cols ? to_float(x_row[col]) : -INFINITY;
    }
#pragma unroll
    for (int i = 0; i < VALUES; i++) {
        int col = first + i * blockDim.x;
        if (col < cols)
            round_to(&y_row[col], expf(value[i] - max) * scale);
    }
}

template <typename T>
static void launch_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                             cudaStream_t stream) {
    int chunks = (int)split_softmax_chunks(x.cols, chunk);
    unsigned blocks = (unsigned)(x.rows * chunks), threads = threads_of(chunk);
    normalize_kernel<T><<<blocks, threads, 0, stream>>>((const T *)x.data, (int)x.cols, chunks, chunk,
                                                        row_max, row_sum, (T *)y.data);
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F:
        launch_normalize<float>(x, chunk, row_max, row_sum, y, stream);
        break;
    case CUDA_R_16F:
        launch_normalize<__half>(x, chunk, row_max, row_sum, y, stream);
        break;
    case CUDA_R_16BF:
        launch_normalize<__nv_bfloat16>(x, chunk, row_max, row_sum, y, stream);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}
