/* The contract of split_softmax: the softmax of wide rows, each row split across many blocks.
 *
 * A row of `cols` values is cut into T = ceil(cols / chunk) chunks; the last one may be shorter.
 *
 *   partials    x [rows, cols]              -> partial_max, partial_sum [rows, T]
 *   merge       partial_max, partial_sum    -> row_max, row_sum [rows]
 *   normalize   x, row_max, row_sum         -> y [rows, cols]
 *
 * A state is a pair (max, sum): the maximum of some values, and the sum of exp(value - max) over them.
 * It describes the values whole, so the states of the chunks of a row can be merged into the state of
 * the row. The state of nothing, and of values that are all -inf (masked), is (-inf, 0).
 *
 * The lesson is docs/a2_split_softmax.md. This header is given: write split_softmax.c and .cu.
 *
 * Source: Milakov and Gimelshein, "Online normalizer calculation for softmax" (arXiv 1805.02867). */
#ifndef SPLIT_SOFTMAX_H
#define SPLIT_SOFTMAX_H

#include "../matrix.h"
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPLIT_SOFTMAX_MAX_COLS = 131072 };

/* ---- split_softmax.c: the plan and the whole operator ---- */

/* The number of chunks of a row: T = ceil(cols / chunk). cols and chunk are positive. */
int64_t split_softmax_chunks(int64_t cols, int chunk);

/* Bytes of scratch for one call: rows * T states for the chunks and rows states for the rows, a state
 * being two floats: 8 * rows * (T + 1). */
size_t split_softmax_scratch_bytes(int64_t rows, int64_t cols, int chunk);

/* y = softmax of each row of x.
 *
 * Arguments: cols in [1, SPLIT_SOFTMAX_MAX_COLS], rows >= 0, rows * cols < 2^31; chunk is 256, 1024 or
 * 4096; x and y have one shape and one type (CUDA_R_32F, CUDA_R_16F or CUDA_R_16BF), contiguous rows
 * (pitch == cols), device memory (managed memory counts), and address ranges, first to last element,
 * that do not overlap. Anything else: cudaErrorInvalidValue, and nothing is launched, allocated or
 * written. rows == 0 with the rest valid: cudaSuccess at once, whatever the pointers.
 *
 * Numbers: reductions in FP32, one rounding to the type of y, to nearest even. -inf is a masked value:
 * its probability is 0. A row that is all -inf, or holds a NaN or +inf, becomes NaN throughout.
 *
 * Streams: everything runs on `stream` and nothing waits for the device, so no cudaMalloc, cudaFree or
 * cudaMemcpy either. Scratch comes from cudaMallocAsync and goes back by cudaFreeAsync, on `stream`, in
 * each call anew. Errors of launches and allocations are returned, with nothing leaked.
 *
 * A split is a split: a kernel that goes over one row of 131072 does so with at least 8 blocks, and at
 * least 8 write y.
 *
 * x is left as it was; y is written inside its rows only. */
cudaError_t split_softmax(matrix x, matrix y, int chunk, cudaStream_t stream);

/* ---- split_softmax.cu: the three stages ----
 *
 * Their arguments are valid (rows >= 1, chunks >= 1) and need no checking. Each launches on `stream`,
 * does not wait, and returns the error of its launch. `data` of a matrix is aligned to 256 bytes; with
 * an odd number of columns the second row is not. */

/* The state of each chunk of each row; both arrays are [rows, T], row-major. Maxima are exact; sums are
 * right to 1e-5. A chunk of masked values has the state (-inf, 0). */
cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                                   cudaStream_t stream);

/* The state of each row, from the `chunks` states of its chunks. */
cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows,
                                int64_t chunks, float *row_max, float *row_sum, cudaStream_t stream);

/* y = exp(x - row_max) / row_sum, chunk by chunk, with the row states that are given. */
cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
