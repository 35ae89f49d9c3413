/* split_attention, the device's part: fill in a kernel and its launcher for each stage, in this order.
 *
 *   1. split_attention_partials    a chunk of a head's keys -> its state (max, sum, value) (stage partials)
 *        one block a chunk; the score of each key: a dot product, in FP32; then the maximum, the sum of the
 *        weights, and the sum of the weights times the rows of v;
 *        mind the tail: the last chunk of a head may be short
 *   2. split_attention_merge       the states of a head's chunks -> y (stage merge)
 *        sums and values that count from different maxima cannot be added as they are; divide once, at the end
 *
 * Each function launches its kernel on `stream` and returns the error of the launch. Each stage is checked
 * alone, with what it needs from the other. split_attention.c holds the rest (stages validation, operator); of
 * that, stage 1 may want split_attention_chunks: write it first.
 *
 * What the stages promise is in split_attention.h, how to get there in docs/a3_split_attention.md.
 * Check with: make check EX=split_attention. Stuck: make hint EX=split_attention.
 *
 * cudaErrorNotSupported means "not written yet": the checker reports it as to do, not as wrong. */
#include "split_attention.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

cudaError_t split_attention_partials(attention a, int chunk, float *partial_max, float *partial_sum,
                                     float *partial_value, cudaStream_t stream) {
    (void)a;
    (void)chunk;
    (void)partial_max;
    (void)partial_sum;
    (void)partial_value;
    (void)stream;
    return cudaErrorNotSupported;
}

cudaError_t split_attention_merge(const float *partial_max, const float *partial_sum,
                                  const float *partial_value, int64_t heads, int64_t chunks, int dim, void *y,
                                  cudaDataType_t type, cudaStream_t stream) {
    (void)partial_max;
    (void)partial_sum;
    (void)partial_value;
    (void)heads;
    (void)chunks;
    (void)dim;
    (void)y;
    (void)type;
    (void)stream;
    return cudaErrorNotSupported;
}
