/* Correct: 256 threads a block; the scores of a chunk in shared memory, trees for maximum and sum, and then a thread a column of v. */
#include "split_attention.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

#define THREADS 256

template <typename T> static __device__ float to_float(T value) {
    return (float)value;
}

static __device__ void store(float *y, float value) {
    *y = value;
}
static __device__ void store(__half *y, float value) {
    *y = __float2half(value);
}
static __device__ void store(__nv_bfloat16 *y, float value) {
    *y = __float2bfloat16(value);
}

template <typename T>
static __global__ void partials(attention a, int chunk, int chunks, float *partial_max, float *partial_sum,
                                float *partial_value) {
    __shared__ float scores[1024];
    __shared__ float tree[THREADS];
    const int head = blockIdx.x / chunks, index = blockIdx.x % chunks, dim = a.dim;
    const int first = index * chunk;
    const int keys = a.length - first < chunk ? (int)(a.length - first) : chunk;
    const T *q = (const T *)a.q + (size_t)head * dim;
    const T *k = (const T *)a.k + ((size_t)head * a.length + first) * dim;
    const T *v = (const T *)a.v + ((size_t)head * a.length + first) * dim;

    float max = -INFINITY;
    for (int key = threadIdx.x; key < keys; key += THREADS) {
        float dot = 0;
        for (int j = 0; j < dim; j++)
            dot += to_float(q[j]) * to_float(k[(size_t)key * dim + j]);
        dot /= sqrtf((float)dim);
        if (a.bias)
            dot += a.bias[(size_t)head * a.length + first + key];
        scores[key] = dot;
        max = fmaxf(max, dot);
    }
    tree[threadIdx.x] = max;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            tree[threadIdx.x] = fmaxf(tree[threadIdx.x], tree[threadIdx.x + half]);
        __syncthreads();
    }
    max = tree[0];
    __syncthreads();

    float sum = 0;
    for (int key = threadIdx.x; key < keys; key += THREADS) {
        const float weight = scores[key] == -INFINITY ? 0 : expf(scores[key] - max);
        scores[key] = weight;
        sum += weight;
    }
    tree[threadIdx.x] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            tree[threadIdx.x] += tree[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial_max[blockIdx.x] = max;
        partial_sum[blockIdx.x] = tree[0];
    }
    __syncthreads();

    /* THREADS / dim threads have a column, and share the keys. */
    const int column = threadIdx.x % dim, part = threadIdx.x / dim, parts = THREADS / dim;
    float value = 0;
    for (int key = part; key < keys; key += parts)
        value += scores[key] * to_float(v[(size_t)key * dim + column]);
    tree[threadIdx.x] = value;
    __syncthreads();
    if (part == 0) {
        for (int other = 1; other < parts; other++)
            value += tree[other * dim + column];
        partial_value[(size_t)blockIdx.x * dim + column] = value;
    }
}

/* A thread a column goes through all chunks twice. */
template <typename T>
static __global__ void merge(const float *partial_max, const float *partial_sum, const float *partial_value,
                             int chunks, T *y) {
    const size_t first = (size_t)blockIdx.x * chunks;
    float max = -INFINITY;
    for (int i = 0; i < chunks; i++)
        max = fmaxf(max, partial_max[first + i]);
    float sum = 0, value = 0;
    for (int i = 0; i < chunks; i++) {
        const float own = partial_max[first + i];
        const float factor = own == -INFINITY ? 1 : expf(own - max);
        sum += factor * partial_sum[first + i];
        value += factor * partial_value[(first + i) * blockDim.x + threadIdx.x];
    }
    store(&y[(size_t)blockIdx.x * blockDim.x + threadIdx.x], value / sum);
}

extern "C" cudaError_t split_attention_partials(attention a, int chunk, float *partial_max,
                                                float *partial_sum, float *partial_value,
                                                cudaStream_t stream) {
    const int chunks = (int)split_attention_chunks(a.length, chunk);
    const unsigned blocks = (unsigned)(a.heads * chunks);
    if (a.type == CUDA_R_32F)
        partials<float>
            <<<blocks, THREADS, 0, stream>>>(a, chunk, chunks, partial_max, partial_sum, partial_value);
    else if (a.type == CUDA_R_16F)
        partials<__half>
            <<<blocks, THREADS, 0, stream>>>(a, chunk, chunks, partial_max, partial_sum, partial_value);
    else
        partials<__nv_bfloat16>
            <<<blocks, THREADS, 0, stream>>>(a, chunk, chunks, partial_max, partial_sum, partial_value);
    return cudaGetLastError();
}

extern "C" cudaError_t split_attention_merge(const float *partial_max, const float *partial_sum,
                                             const float *partial_value, int64_t heads, int64_t chunks,
                                             int dim, void *y, cudaDataType_t type, cudaStream_t stream) {
    if (type == CUDA_R_32F)
        merge<<<(unsigned)heads, dim, 0, stream>>>(partial_max, partial_sum, partial_value, (int)chunks,
                                                   (float *)y);
    else if (type == CUDA_R_16F)
        merge<<<(unsigned)heads, dim, 0, stream>>>(partial_max, partial_sum, partial_value, (int)chunks,
                                                   (__half *)y);
    else
        merge<<<(unsigned)heads, dim, 0, stream>>>(partial_max, partial_sum, partial_value, (int)chunks,
                                                   (__nv_bfloat16 *)y);
    return cudaGetLastError();
}
