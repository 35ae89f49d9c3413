/* Correct: a few hundred blocks that stride over the chunks, dynamic shared memory, cooperative groups; three allocations. */
#include "split_attention.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

namespace cg = cooperative_groups;

static const unsigned BLOCKS = 300, THREADS = 128;

template <typename T> static __device__ __forceinline__ float at(const void *array, int64_t index) {
    return static_cast<float>(static_cast<const T *>(array)[index]);
}

/* Scores of a chunk by warps, one key at a time; then the weights; then columns by threads. */
template <typename T>
static __global__ void chunk_states(attention a, int chunk, int64_t chunks, float *maxima, float *sums,
                                    float *values) {
    extern __shared__ float scores[];
    __shared__ float agreed[2];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    for (int64_t state = blockIdx.x; state < a.heads * chunks; state += gridDim.x) {
        const int64_t head = state / chunks, first = state % chunks * chunk;
        const int keys = (int)(a.length - first < chunk ? a.length - first : chunk);
        const int64_t row = head * a.length + first;
        for (int key = warp.meta_group_rank(); key < keys; key += warp.meta_group_size()) {
            float dot = 0.0f;
            for (int j = warp.thread_rank(); j < a.dim; j += 32)
                dot += at<T>(a.q, head * a.dim + j) * at<T>(a.k, (row + key) * a.dim + j);
            dot = cg::reduce(warp, dot, cg::plus<float>());
            if (warp.thread_rank() == 0)
                scores[key] = dot / sqrtf((float)a.dim) + (a.bias == nullptr ? 0.0f : a.bias[row + key]);
        }
        block.sync();
        if (warp.meta_group_rank() == 0) {
            float max = -INFINITY, sum = 0.0f;
            for (int key = warp.thread_rank(); key < keys; key += 32)
                max = fmaxf(max, scores[key]);
            max = cg::reduce(warp, max, cg::greater<float>());
            for (int key = warp.thread_rank(); key < keys; key += 32)
                sum += scores[key] == -INFINITY ? 0.0f : expf(scores[key] - max);
            sum = cg::reduce(warp, sum, cg::plus<float>());
            if (warp.thread_rank() == 0) {
                agreed[0] = max;
                agreed[1] = sum;
            }
        }
        block.sync();
        for (int key = block.thread_rank(); key < keys; key += THREADS)
            scores[key] = scores[key] == -INFINITY ? 0.0f : expf(scores[key] - agreed[0]);
        block.sync();
        for (int column = block.thread_rank(); column < a.dim; column += THREADS) {
            float value = 0.0f;
            for (int key = 0; key < keys; key++)
                value += scores[key] * at<T>(a.v, (row + key) * a.dim + column);
            values[state * a.dim + column] = value;
        }
        if (block.thread_rank() == 0) {
            maxima[state] = agreed[0];
            sums[state] = agreed[1];
        }
        block.sync();
    }
}

template <typename T>
static __global__ void heads_of(const float *maxima, const float *sums, const float *values, int64_t heads,
                                int64_t chunks, int dim, T *y) {
    const int64_t all = heads * dim, step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < all; i += step) {
        const int64_t head = i / dim;
        float max = -INFINITY, sum = 0.0f, value = 0.0f;
        for (int64_t state = head * chunks; state < (head + 1) * chunks; state++) {
            if (maxima[state] == -INFINITY) { /* masked, or nothing but masked keys and a NaN */
                sum += sums[state];
                continue;
            }
            const float larger = fmaxf(max, maxima[state]);
            const float old = max == -INFINITY ? 1.0f : expf(max - larger),
                        its = expf(maxima[state] - larger);
            sum = sum * old + sums[state] * its;
            value = value * old + values[state * dim + i % dim] * its;
            max = larger;
        }
        y[i] = static_cast<T>(value / sum);
    }
}

template <typename T> struct launchers {
    static void states(attention a, int chunk, float *m, float *s, float *n, cudaStream_t stream) {
        const int64_t chunks = split_attention_chunks(a.length, chunk), all = a.heads * chunks;
        const unsigned blocks = all < BLOCKS ? (unsigned)all : BLOCKS;
        chunk_states<T><<<blocks, THREADS, chunk * sizeof(float), stream>>>(a, chunk, chunks, m, s, n);
    }
    static void heads(const float *m, const float *s, const float *n, int64_t heads, int64_t chunks, int dim,
                      void *y, cudaStream_t stream) {
        const int64_t wanted = (heads * dim + THREADS - 1) / THREADS;
        const unsigned blocks = wanted < BLOCKS ? (unsigned)wanted : BLOCKS;
        heads_of<T><<<blocks, THREADS, 0, stream>>>(m, s, n, heads, chunks, dim, static_cast<T *>(y));
    }
};

cudaError_t split_attention_partials(attention a, int chunk, float *m, float *s, float *n,
                                     cudaStream_t stream) {
    if (a.type == CUDA_R_32F)
        launchers<float>::states(a, chunk, m, s, n, stream);
    else if (a.type == CUDA_R_16F)
        launchers<__half>::states(a, chunk, m, s, n, stream);
    else
        launchers<__nv_bfloat16>::states(a, chunk, m, s, n, stream);
    return cudaGetLastError();
}

cudaError_t split_attention_merge(const float *m, const float *s, const float *n, int64_t heads,
                                  int64_t chunks, int dim, void *y, cudaDataType_t type,
                                  cudaStream_t stream) {
    if (type == CUDA_R_32F)
        launchers<float>::heads(m, s, n, heads, chunks, dim, y, stream);
    else if (type == CUDA_R_16F)
        launchers<__half>::heads(m, s, n, heads, chunks, dim, y, stream);
    else
        launchers<__nv_bfloat16>::heads(m, s, n, heads, chunks, dim, y, stream);
    return cudaGetLastError();
}
