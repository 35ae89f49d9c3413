/* What split_attention is measured beside (see kernels.h). */
#include "kernels.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { THREADS = 256, LOADS = 8 };

static __device__ uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u; /* splitmix64 */
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

template <typename T> static __global__ void fill_kernel(T *array, int64_t elements, uint64_t seed) {
    for (int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x; i < elements;
         i += (int64_t)gridDim.x * THREADS) {
        uint64_t bits = mixed(seed * 0x9e3779b97f4a7c15u + (uint64_t)i);
        float sum = 0;
        for (int part = 0; part < 4; part++)
            sum += (float)((bits >> (16 * part)) & 0xffff) / 65536.0f;
        array[i] = (T)((sum - 2) * 1.7320508f);
    }
}

cudaError_t attention_fill(void *array, cudaDataType_t type, int64_t elements, uint64_t seed,
                           cudaStream_t stream) {
    if (type == CUDA_R_32F)
        fill_kernel<<<1024, THREADS, 0, stream>>>((float *)array, elements, seed);
    else if (type == CUDA_R_16F)
        fill_kernel<<<1024, THREADS, 0, stream>>>((__half *)array, elements, seed);
    else
        fill_kernel<<<1024, THREADS, 0, stream>>>((__nv_bfloat16 *)array, elements, seed);
    return cudaGetLastError();
}

/* A block reads LOADS * THREADS words of k and as many of v, all on their way before the first is needed. */
static __global__ void read_kernel(const uint4 *k, const uint4 *v, int64_t words, unsigned *sink) {
    int64_t first = blockIdx.x * (int64_t)(LOADS * THREADS) + threadIdx.x;
    uint4 of_k[LOADS], of_v[LOADS];
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        bool there = first + i * THREADS < words;
        of_k[i] = there ? k[first + i * THREADS] : make_uint4(0, 0, 0, 0);
        of_v[i] = there ? v[first + i * THREADS] : make_uint4(0, 0, 0, 0);
    }
    unsigned sum = 0;
#pragma unroll
    for (int i = 0; i < LOADS; i++)
        sum += (of_k[i].x ^ of_k[i].y) + (of_k[i].z ^ of_k[i].w) + (of_v[i].x ^ of_v[i].y) +
               (of_v[i].z ^ of_v[i].w);
    if (sum == 0x9e3779b9u && *sink == 1) /* *sink is 0 */
        *sink = sum;
}

cudaError_t attention_read(const void *k, const void *v, int64_t bytes, unsigned *sink, cudaStream_t stream) {
    const int64_t words = bytes / 16, blocks = (words + LOADS * THREADS - 1) / (LOADS * THREADS);
    read_kernel<<<(unsigned)blocks, THREADS, 0, stream>>>((const uint4 *)k, (const uint4 *)v, words, sink);
    return cudaGetLastError();
}

/* A warp a key. */
template <typename T>
static __global__ void scores_kernel(const T *q, const T *k, int64_t keys, int64_t length, int dim,
                                     double *scores) {
    const int lane = threadIdx.x % 32;
    const int64_t key = blockIdx.x * (int64_t)(THREADS / 32) + threadIdx.x / 32;
    if (key >= keys)
        return;
    double dot = 0;
    for (int j = lane; j < dim; j += 32)
        dot += (double)(float)q[key / length * dim + j] * (double)(float)k[key * dim + j];
    for (int distance = 16; distance > 0; distance /= 2)
        dot += __shfl_xor_sync(0xffffffffu, dot, distance);
    if (lane == 0)
        scores[key] = dot / sqrt((double)dim);
}

/* A block a head: (dim) threads have a column, and THREADS * 4 / dim of those share the keys. */
template <typename T>
static __global__ void values_kernel(const double *scores, const T *v, int64_t length, int dim, double *y) {
    __shared__ double values[4 * THREADS], sums[4 * THREADS];
    const int64_t head = blockIdx.x;
    const int column = threadIdx.x % dim, part = threadIdx.x / dim, parts = blockDim.x / dim;
    double max = -INFINITY, sum = 0, value = 0;
    for (int64_t key = 0; key < length; key++)
        max = fmax(max, scores[head * length + key]);
    for (int64_t key = part; key < length; key += parts) {
        const double weight = exp(scores[head * length + key] - max);
        sum += weight;
        value += weight * (double)(float)v[(head * length + key) * dim + column];
    }
    values[threadIdx.x] = value;
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (part > 0)
        return;
    for (int other = 1; other < parts; other++) {
        value += values[other * dim + column];
        sum += sums[other * dim + column];
    }
    y[head * dim + column] = value / sum;
}

template <typename T>
static cudaError_t reference(const void *q, const void *k, const void *v, int64_t heads, int64_t length,
                             int dim, double *scores, double *y, cudaStream_t stream) {
    const int64_t keys = heads * length, warps = THREADS / 32;
    scores_kernel<<<(unsigned)((keys + warps - 1) / warps), THREADS, 0, stream>>>((const T *)q, (const T *)k,
                                                                                  keys, length, dim, scores);
    values_kernel<<<(unsigned)heads, 4 * THREADS, 0, stream>>>(scores, (const T *)v, length, dim, y);
    return cudaGetLastError();
}

cudaError_t attention_reference(const void *q, const void *k, const void *v, cudaDataType_t type,
                                int64_t heads, int64_t length, int dim, double *scores, double *y,
                                cudaStream_t stream) {
    if (type == CUDA_R_32F)
        return reference<float>(q, k, v, heads, length, dim, scores, y, stream);
    if (type == CUDA_R_16F)
        return reference<__half>(q, k, v, heads, length, dim, scores, y, stream);
    return reference<__nv_bfloat16>(q, k, v, heads, length, dim, scores, y, stream);
}
