/* Correct: one thread a chunk and one thread a column of y, which do all by themselves. It needs no shuffle, no barrier and no shared memory. */
#include "split_attention.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum { MOST_DIM = 128 };

template <typename T>
static __global__ void one_chunk(attention a, int chunk, int64_t chunks, float *maxima, float *sums,
                                 float *values) {
    const int64_t state = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (state >= a.heads * chunks)
        return;
    const int64_t head = state / chunks, first = state % chunks * chunk;
    const int64_t end = first + chunk < a.length ? first + chunk : a.length;
    const T *q = (const T *)a.q + head * a.dim;
    float max = -INFINITY, sum = 0, value[MOST_DIM];
    for (int j = 0; j < a.dim; j++)
        value[j] = 0;
    for (int64_t key = first; key < end; key++) {
        const T *k = (const T *)a.k + (head * a.length + key) * a.dim;
        const T *v = (const T *)a.v + (head * a.length + key) * a.dim;
        float score = 0;
        for (int j = 0; j < a.dim; j++)
            score += (float)q[j] * (float)k[j];
        score = score / sqrtf((float)a.dim) + (a.bias ? a.bias[head * a.length + key] : 0);
        const float new_max = fmaxf(max, score), shift = new_max == -INFINITY ? 0 : new_max;
        const float factor = expf(max - shift), weight = expf(score - shift);
        max = new_max;
        sum = sum * factor + weight;
        for (int j = 0; j < a.dim; j++)
            value[j] = value[j] * factor + weight * (float)v[j];
    }
    maxima[state] = max;
    sums[state] = sum;
    for (int j = 0; j < a.dim; j++)
        values[state * a.dim + j] = value[j];
}

template <typename T>
static __global__ void one_column(const float *maxima, const float *sums, const float *values, int64_t heads,
                                  int64_t chunks, int dim, T *y) {
    const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, head = at / dim, column = at % dim;
    if (head >= heads)
        return;
    float max = -INFINITY, sum = 0, value = 0;
    for (int64_t i = head * chunks; i < (head + 1) * chunks; i++)
        max = fmaxf(max, maxima[i]);
    const float shift = max == -INFINITY ? 0 : max;
    for (int64_t i = head * chunks; i < (head + 1) * chunks; i++) {
        sum += sums[i] * expf(maxima[i] - shift);
        value += values[i * dim + column] * expf(maxima[i] - shift);
    }
    y[at] = (T)(value / sum);
}

#define DISPATCH(type, CALL)                                                                                 \
    switch (type) {                                                                                          \
    case CUDA_R_32F:                                                                                         \
        CALL(float);                                                                                         \
        break;                                                                                               \
    case CUDA_R_16F:                                                                                         \
        CALL(__half);                                                                                        \
        break;                                                                                               \
    default:                                                                                                 \
        CALL(__nv_bfloat16);                                                                                 \
    }

cudaError_t split_attention_partials(attention a, int chunk, float *partial_max, float *partial_sum,
                                     float *partial_value, cudaStream_t stream) {
    const int64_t chunks = split_attention_chunks(a.length, chunk);
#define CALL(T)                                                                                              \
    one_chunk<T><<<(unsigned)((a.heads * chunks + 7) / 8), 8, 0, stream>>>(a, chunk, chunks, partial_max,    \
                                                                           partial_sum, partial_value)
    DISPATCH(a.type, CALL)
#undef CALL
    return cudaGetLastError();
}

cudaError_t split_attention_merge(const float *partial_max, const float *partial_sum,
                                  const float *partial_value, int64_t heads, int64_t chunks, int dim, void *y,
                                  cudaDataType_t type, cudaStream_t stream) {
#define CALL(T)                                                                                              \
    one_column<T><<<(unsigned)((heads * dim + 127) / 128), 128, 0, stream>>>(                                \
        partial_max, partial_sum, partial_value, heads, chunks, dim, (T *)y)
    DISPATCH(type, CALL)
#undef CALL
    return cudaGetLastError();
}
