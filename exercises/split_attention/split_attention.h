/* The contract of split_attention: attention of one query a head against many keys, the keys split across many
 * blocks. It is what a language model does for each new token, with the keys and values of all tokens before it.
 *
 *   score(i) = (q . k_i) / sqrt(dim) + bias(i)             for each key i of a head
 *   y        = sum over i of softmax(score)(i) * v_i
 *
 * The `length` keys of a head are cut into T = ceil(length / chunk) chunks; the last one may be shorter.
 *
 *   partials   q, k, v, bias                  -> partial_max, partial_sum [heads, T], partial_value [heads, T, dim]
 *   merge      partial_max, _sum and _value   -> y [heads, dim]
 *
 * A state is a triple (max, sum, value): the maximum of some scores, the sum of exp(score - max) over them, and
 * the sum of exp(score - max) * v, a vector of dim numbers that is not divided by anything yet. The state of
 * nothing, and of keys that are all masked (score -inf), is (-inf, 0, zeros).
 *
 * The lesson is docs/a3_split_attention.md. This header is given: write split_attention.c and .cu.
 *
 * Sources: Milakov and Gimelshein, "Online normalizer calculation for softmax" (arXiv 1805.02867); Dao et al.,
 * "FlashAttention" (arXiv 2205.14135), whose split over the keys is known as flash decoding. */
#ifndef SPLIT_ATTENTION_H
#define SPLIT_ATTENTION_H

#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPLIT_ATTENTION_MAX_LENGTH = 131072 };

typedef struct {
    const void *q, *k, *v; /* device memory; q [heads, dim], k and v [heads, length, dim], contiguous */
    const float *bias;     /* [heads, length], added to the scores; -inf masks a key; null: none */
    void *y;               /* [heads, dim] */
    cudaDataType_t type;   /* of q, k, v and y: CUDA_R_32F, CUDA_R_16F or CUDA_R_16BF */
    int64_t heads, length;
    int dim; /* 64 or 128 */
} attention;

/* ---- split_attention.c: the plan and the whole operator ---- */

/* The number of chunks of a head: T = ceil(length / chunk). length and chunk are positive. */
int64_t split_attention_chunks(int64_t length, int chunk);

/* Bytes of scratch for one call: heads * T states, a state being dim + 2 floats: 4 * heads * T * (dim + 2). */
size_t split_attention_scratch_bytes(int64_t heads, int64_t length, int dim, int chunk);

/* y = the attention of each head's query.
 *
 * Arguments: length in [1, SPLIT_ATTENTION_MAX_LENGTH], heads >= 0, dim 64 or 128, heads * length * dim < 2^31;
 * chunk is 64, 256 or 1024 keys; type is one of the three; q, k, v and y, and bias where it is not null, are device
 * memory (managed memory counts); the address range of y, first to last element, overlaps that of no input.
 * (Inputs may overlap each other.) Anything else: cudaErrorInvalidValue, and nothing is launched, allocated or
 * written. heads == 0 with the rest valid: cudaSuccess at once, whatever the pointers. More than 65,535 heads are
 * valid.
 *
 * Numbers: products, sums and states in FP32, one rounding to the type of y, to nearest even. A key whose score is
 * -inf is masked: it counts for nothing. A head whose keys are all masked, or that has a score of NaN or +inf,
 * becomes NaN throughout. The elements of v are finite.
 *
 *   Tolerances of y against FP64: in FP32 2e-4 * |y| + 2e-6 * max|v| of the head, in 16 bits
 *   1e-2 * |y| + 1e-3 * max|v|. Where they come from: a score is a sum of dim products. Each of its dim additions is
 *   off by at most 2^-24 of what is added up so far, now up, now down, so that their errors grow as sqrt(dim):
 *   2^-24 * sqrt(128) = 7e-7 of the size of the score. An error e in a score changes the weight of its key by the
 *   factor 1 + e, and y by at most that share of max|v|: 2e-6 * max|v| is what scores up to 3 in size come to.
 *   Scores of 300 err by a hundred times as much, 2e-4 of the weight: that is the share of |y|. (Where the checks
 *   have such scores, either the products are exact or the elements of v have one sign.) In 16 bits y is rounded
 *   once, in BF16 by 2^-9 = 2e-3 at most, and weights that are rounded to 16 bits before they meet v, as a tensor
 *   core wants them, are borne as well.
 *
 * Memory: each element of k and v is read exactly once, and scores are never written to global memory: what a call
 * writes there is the states and y. Inputs are left as they were; y is written inside its rows only.
 *
 * Streams: everything runs on `stream` and nothing waits for the device, so no cudaMalloc, cudaFree or cudaMemcpy
 * either. Scratch comes from cudaMallocAsync and goes back by cudaFreeAsync, on `stream`, in each call anew: one
 * allocation or several, in all as many bytes as the plan says and at most 256 more for each. Errors of launches and
 * allocations are returned, with nothing leaked.
 *
 * A split is a split: at least 8 blocks read k, and at least 8 read v, for one head of 131072 keys. */
cudaError_t split_attention(attention a, int chunk, cudaStream_t stream);

/* ---- split_attention.cu: the two stages ----
 *
 * Their arguments are valid (heads >= 1, length >= 1, chunks >= 1) and need no checking. Each launches on `stream`,
 * does not wait, and returns the error of its launch. Every pointer is aligned to 256 bytes. */

/* The state of each chunk of each head, row-major: partial_max and partial_sum [heads, T], partial_value
 * [heads, T, dim]. The state of a chunk with a score of NaN or +inf is free, as only y counts. a.y is null.
 *
 * Tolerances: with A the largest sum of |q_j * k_ij| / sqrt(dim) + |bias(i)| over the keys i of the chunk,
 * E = (dim + 3) * 2^-24 * A bounds the error of a score in FP32, in whatever order it is added up. max: E. sum and
 * value are judged by the max that came with them: sum within E + 2e-5 of itself, value within E + 2e-5 of the sum
 * of exp(score - max) * |v|. */
cudaError_t split_attention_partials(attention a, int chunk, float *partial_max, float *partial_sum,
                                     float *partial_value, cudaStream_t stream);

/* y of each head, from the `chunks` states of its chunks: bring sums and values to one maximum, add them up, divide
 * once, round once. */
cudaError_t split_attention_merge(const float *partial_max, const float *partial_sum,
                                  const float *partial_value, int64_t heads, int64_t chunks, int dim, void *y,
                                  cudaDataType_t type, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
