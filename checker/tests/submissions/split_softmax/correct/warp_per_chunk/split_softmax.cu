/* Correct: one warp a chunk, three warps in a block, shuffles only. The last block has warps without a chunk: they
 * return at once, as whole warps. A lane merges states, max and sum together, in the shuffles as well. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int warps_per_block = 3;

struct state {
    float max, sum;
};

__device__ __forceinline__ state merged(state a, state b) {
    float max = fmaxf(a.max, b.max);
    float scale_a = a.max == -INFINITY ? 0.f : __expf(a.max - max);
    float scale_b = b.max == -INFINITY ? 0.f : __expf(b.max - max);
    return state{max, a.sum * scale_a + b.sum * scale_b};
}

__device__ __forceinline__ state warp_merged(state s) {
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) {
        state other;
        other.max = __shfl_down_sync(0xffffffff, s.max, offset);
        other.sum = __shfl_down_sync(0xffffffff, s.sum, offset);
        s = merged(s, other);
    }
    return s;
}

template <typename T> __global__ void partials_kernel(const T *x, int cols, int chunk, int chunks, int total,
                                                      float *partial_max, float *partial_sum) {
    const int lane = threadIdx.x & 31;
    const int mine = blockIdx.x * warps_per_block + (threadIdx.x >> 5);
    if (mine >= total)
        return;
    const int row = mine / chunks, begin = mine % chunks * chunk;
    const int end = min(begin + chunk, cols);
    const T *values = x + (size_t)row * cols;
    state s = {-INFINITY, 0.f};
    for (int col = begin + lane; col < end; col += 32) {
        const float value = static_cast<float>(values[col]);
        const float max = fmaxf(s.max, value);
        const float kept = s.max == -INFINITY ? 0.f : expf(s.max - max);
        const float added = value == -INFINITY ? 0.f : expf(value - max);
        s.sum = s.sum * kept + added;
        s.max = max;
    }
    s = warp_merged(s);
    if (lane == 0) {
        partial_max[mine] = s.max;
        partial_sum[mine] = s.sum;
    }
}

__global__ void merge_kernel(const float *partial_max, const float *partial_sum, int rows, int chunks, float *row_max,
                             float *row_sum) {
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.x * warps_per_block + (threadIdx.x >> 5);
    if (row >= rows)
        return;
    state s = {-INFINITY, 0.f};
    for (int i = lane; i < chunks; i += 32)
        s = merged(s, state{partial_max[(size_t)row * chunks + i], partial_sum[(size_t)row * chunks + i]});
    s = warp_merged(s);
    if (lane == 0) {
        row_max[row] = s.max;
        row_sum[row] = s.sum;
    }
}

template <typename T> __global__ void normalize_kernel(const T *x, int cols, int chunk, int chunks, int total,
                                                       const float *row_max, const float *row_sum, T *y) {
    const int lane = threadIdx.x & 31;
    const int mine = blockIdx.x * warps_per_block + (threadIdx.x >> 5);
    if (mine >= total)
        return;
    const int row = mine / chunks, begin = mine % chunks * chunk;
    const int end = min(begin + chunk, cols);
    const size_t start = (size_t)row * cols;
    const float max = __ldg(row_max + row), reciprocal = 1.f / __ldg(row_sum + row);
    for (int col = begin + lane; col < end; col += 32)
        y[start + col] = static_cast<T>(expf(static_cast<float>(x[start + col]) - max) * reciprocal);
}

static unsigned blocks_for(int64_t warps) {
    return static_cast<unsigned>((warps + warps_per_block - 1) / warps_per_block);
}

template <typename T> static void launch_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                                                  cudaStream_t stream) {
    const int chunks = (int)split_softmax_chunks(x.cols, chunk);
    const int total = (int)(x.rows * chunks);
    partials_kernel<T><<<blocks_for(total), 32 * warps_per_block, 0, stream>>>(
        (const T *)x.data, (int)x.cols, chunk, chunks, total, partial_max, partial_sum);
}

template <typename T> static void launch_normalize(matrix x, int chunk, const float *row_max, const float *row_sum,
                                                   matrix y, cudaStream_t stream) {
    const int chunks = (int)split_softmax_chunks(x.cols, chunk);
    const int total = (int)(x.rows * chunks);
    normalize_kernel<T><<<blocks_for(total), 32 * warps_per_block, 0, stream>>>(
        (const T *)x.data, (int)x.cols, chunk, chunks, total, row_max, row_sum, (T *)y.data);
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum, cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F: launch_partials<float>(x, chunk, partial_max, partial_sum, stream); break;
    case CUDA_R_16F: launch_partials<__half>(x, chunk, partial_max, partial_sum, stream); break;
    default: launch_partials<__nv_bfloat16>(x, chunk, partial_max, partial_sum, stream); break;
    }
    return cudaGetLastError();
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows, int64_t chunks,
                                float *row_max, float *row_sum, cudaStream_t stream) {
    merge_kernel<<<blocks_for(rows), 32 * warps_per_block, 0, stream>>>(partial_max, partial_sum, (int)rows,
                                                                        (int)chunks, row_max, row_sum);
    return cudaGetLastError();
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F: launch_normalize<float>(x, chunk, row_max, row_sum, y, stream); break;
    case CUDA_R_16F: launch_normalize<__half>(x, chunk, row_max, row_sum, y, stream); break;
    default: launch_normalize<__nv_bfloat16>(x, chunk, row_max, row_sum, y, stream); break;
    }
    return cudaGetLastError();
}
