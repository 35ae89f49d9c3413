/* Exercise row_reduction: a first kernel, the maximum of every row, the sum of every row. The contract; not
 * edited. Lesson: docs/a0_row_reduction.md. */
#ifndef ROW_REDUCTION_H
#define ROW_REDUCTION_H

#include "../matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arguments of all three are valid and need no check: rows >= 1, cols >= 1, rows * cols < 2^31, type
 * CUDA_R_32F, device memory that does not overlap, no NaN. There may be more than 65,535 rows.
 *
 * Pitch: row r begins at element r * pitch. The pitch is cols or more, any number, and the same for x and y.
 * data is aligned to 256 bytes, so the first row is; the others need not be. The padding, columns cols to
 * pitch - 1, takes no part in a result, and keeps its bytes in y.
 *
 * Streams: all work is on stream, no call waits for the device, and no memory is allocated. x is left
 * unchanged. Each function returns the error of its launch. */

/* y = factor * x, in FP32, inside the rows. */
cudaError_t row_scale(matrix x, float factor, matrix y, cudaStream_t stream);

/* max[r] = the largest element of row r: exact. max is device memory, [rows]. An element may be -INFINITY; a
 * row that is -INFINITY throughout has the maximum -INFINITY. */
cudaError_t row_max(matrix x, float *max, cudaStream_t stream);

/* sum[r] = the sum of row r, with an error of at most 1e-5 of the sum of the magnitudes of its elements. sum
 * is device memory, [rows]; the elements are finite. */
cudaError_t row_sum(matrix x, float *sum, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
