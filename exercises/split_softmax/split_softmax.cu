/* split_softmax, the device's part: fill in a kernel and its launcher for each stage, in this order.
 *
 *   1. split_softmax_partials    a chunk of a row -> its state (stage partials)
 *        one block a chunk; convert to FP32; find the maximum of the block, then the sum;
 *        mind the tail: the last chunk of a row may be short
 *   2. split_softmax_merge       the states of a row's chunks -> the state of the row (stage merge)
 *        sums that count from different maxima cannot be added as they are
 *   3. split_softmax_normalize   x and the states of the rows -> y (stage normalize)
 *        no reduction here: each thread minds its own columns
 *
 * Each function launches its kernel on `stream` and returns the error of the launch. Each stage is checked
 * alone, with what it needs from the others. split_softmax.c holds the rest (stages validation,
 * operator).
 *
 * What the stages promise is in split_softmax.h, how to get there in docs/a2_split_softmax.md.
 * Check with: make check EX=split_softmax. Stuck: make hint EX=split_softmax.
 *
 * cudaErrorNotSupported means "not written yet": the checker reports it as to do, not as wrong. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                                   cudaStream_t stream) {
    (void)x;
    (void)chunk;
    (void)partial_max;
    (void)partial_sum;
    (void)stream;
    return cudaErrorNotSupported;
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows,
                                int64_t chunks, float *row_max, float *row_sum, cudaStream_t stream) {
    (void)partial_max;
    (void)partial_sum;
    (void)rows;
    (void)chunks;
    (void)row_max;
    (void)row_sum;
    (void)stream;
    return cudaErrorNotSupported;
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    (void)x;
    (void)chunk;
    (void)row_max;
    (void)row_sum;
    (void)y;
    (void)stream;
    return cudaErrorNotSupported;
}
