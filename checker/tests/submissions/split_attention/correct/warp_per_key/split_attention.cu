/* Correct: a warp takes a key at a time, its lanes neighbouring elements of k and v, and keeps a state as online softmax does; the warps meet in shared memory. */
#include "split_attention.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum { WARPS = 8 };

template <typename T> struct as {
    static __device__ float get(const T *p) { return static_cast<float>(*p); }
};

template <typename T, int PER_LANE>
__global__ void scores_and_values(const T *q, const T *k, const T *v, const float *bias, int length,
                                  int chunk, int chunks, float *out_max, float *out_sum, float *out_value) {
    constexpr int DIM = 32 * PER_LANE;
    __shared__ float warp_max[WARPS], warp_sum[WARPS], warp_value[WARPS][DIM];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const long long head = blockIdx.x / chunks;
    const int begin = (blockIdx.x % chunks) * chunk, end = begin + chunk < length ? begin + chunk : length;

    float my_q[PER_LANE], value[PER_LANE];
    for (int j = 0; j < PER_LANE; j++) {
        my_q[j] = as<T>::get(q + head * DIM + j * 32 + lane) * rsqrtf((float)DIM);
        value[j] = 0.f;
    }
    float max = -INFINITY, sum = 0.f;
    for (int key = begin + warp; key < end; key += WARPS) {
        const long long row = (head * length + key) * DIM;
        float score = 0.f;
        for (int j = 0; j < PER_LANE; j++)
            score = fmaf(my_q[j], as<T>::get(k + row + j * 32 + lane), score);
        for (int offset = 16; offset; offset >>= 1)
            score += __shfl_xor_sync(~0u, score, offset);
        if (bias)
            score += bias[head * length + key];
        if (score == -INFINITY)
            continue; /* masked: the whole warp goes on to its next key */
        const float larger = fmaxf(max, score);
        const float old = max == -INFINITY ? 0.f : __expf(max - larger), weight = __expf(score - larger);
        /* where the maximum is a NaN's -inf, the sum is all that carries it */
        sum = (max == -INFINITY ? sum : sum * old) + weight;
        for (int j = 0; j < PER_LANE; j++)
            value[j] = value[j] * old + weight * as<T>::get(v + row + j * 32 + lane);
        max = larger;
    }
    if (lane == 0) {
        warp_max[warp] = max;
        warp_sum[warp] = sum;
    }
    for (int j = 0; j < PER_LANE; j++)
        warp_value[warp][j * 32 + lane] = value[j];
    __syncthreads();

    max = -INFINITY;
    for (int w = 0; w < WARPS; w++)
        max = fmaxf(max, warp_max[w]);
    float all = 0.f, element = 0.f;
    for (int w = 0; w < WARPS; w++) {
        const float factor = warp_max[w] == -INFINITY ? 1.f : __expf(warp_max[w] - max);
        all += factor * warp_sum[w];
        if (threadIdx.x < DIM)
            element += factor * warp_value[w][threadIdx.x];
    }
    if (threadIdx.x < DIM)
        out_value[(long long)blockIdx.x * DIM + threadIdx.x] = element;
    if (threadIdx.x == 0) {
        out_max[blockIdx.x] = max;
        out_sum[blockIdx.x] = all;
    }
}

/* A warp a head and 32 columns: its lanes share the search for the maximum, and then each minds a column. */
template <typename T>
__global__ void merge_states(const float *maxima, const float *sums, const float *values, int chunks, int dim,
                             T *y) {
    const int parts = dim / 32;
    const long long head = blockIdx.x / parts;
    const int column = (blockIdx.x % parts) * 32 + threadIdx.x;
    float max = -INFINITY;
    for (int i = threadIdx.x; i < chunks; i += 32)
        max = fmaxf(max, maxima[head * chunks + i]);
    for (int offset = 16; offset; offset >>= 1)
        max = fmaxf(max, __shfl_xor_sync(~0u, max, offset));
    float sum = 0.f, value = 0.f;
    for (int i = 0; i < chunks; i++) {
        const float m = maxima[head * chunks + i], factor = m == -INFINITY ? 1.f : __expf(m - max);
        sum += factor * sums[head * chunks + i];
        value += factor * values[(head * chunks + i) * dim + column];
    }
    y[head * dim + column] = T(value / sum);
}

template <typename T>
static void run_partials(attention a, int chunk, float *m, float *s, float *n, cudaStream_t t) {
    const int chunks = static_cast<int>(split_attention_chunks(a.length, chunk));
    const dim3 grid(static_cast<unsigned>(a.heads * chunks));
    const T *q = static_cast<const T *>(a.q), *k = static_cast<const T *>(a.k),
            *v = static_cast<const T *>(a.v);
    if (a.dim == 64)
        scores_and_values<T, 2>
            <<<grid, 32 * WARPS, 0, t>>>(q, k, v, a.bias, (int)a.length, chunk, chunks, m, s, n);
    else
        scores_and_values<T, 4>
            <<<grid, 32 * WARPS, 0, t>>>(q, k, v, a.bias, (int)a.length, chunk, chunks, m, s, n);
}

cudaError_t split_attention_partials(attention a, int chunk, float *partial_max, float *partial_sum,
                                     float *partial_value, cudaStream_t stream) {
    if (a.type == CUDA_R_32F)
        run_partials<float>(a, chunk, partial_max, partial_sum, partial_value, stream);
    else if (a.type == CUDA_R_16F)
        run_partials<__half>(a, chunk, partial_max, partial_sum, partial_value, stream);
    else
        run_partials<__nv_bfloat16>(a, chunk, partial_max, partial_sum, partial_value, stream);
    return cudaGetLastError();
}

cudaError_t split_attention_merge(const float *m, const float *s, const float *n, int64_t heads,
                                  int64_t chunks, int dim, void *y, cudaDataType_t type,
                                  cudaStream_t stream) {
    const unsigned blocks = static_cast<unsigned>(heads * (dim / 32));
    if (type == CUDA_R_32F)
        merge_states<<<blocks, 32, 0, stream>>>(m, s, n, (int)chunks, dim, static_cast<float *>(y));
    else if (type == CUDA_R_16F)
        merge_states<<<blocks, 32, 0, stream>>>(m, s, n, (int)chunks, dim, static_cast<__half *>(y));
    else
        merge_states<<<blocks, 32, 0, stream>>>(m, s, n, (int)chunks, dim, static_cast<__nv_bfloat16 *>(y));
    return cudaGetLastError();
}
