/* Exercise fused_softmax: the softmax of every row in one pass over memory. The contract; not edited.
 * Lesson: docs/02_fused_softmax.md. */
#ifndef FUSED_SOFTMAX_H
#define FUSED_SOFTMAX_H

#include "../matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The widest row. */
enum { FUSED_SOFTMAX_MAX_COLS = 1024 };

/* y = softmax of each row of x.
 *
 * Launches one kernel with ceil(rows / rows_per_block) blocks in grid.x on stream, and uses no scratch. The
 * last block may hold fewer than rows_per_block rows; no block handles more.
 *
 * Pitch: x and y have the same pitch, in elements; it is a multiple of 4 and at least cols, and data is
 * aligned to 256 bytes, so 4 elements that start at a multiple of 4 columns can be loaded at once. The
 * padding, columns cols to pitch - 1, adds nothing to a row's maximum or sum, and keeps its bytes in y.
 *
 * Memory: every element of x inside a row is read from global memory exactly once (a wide load may touch
 * padding inside the pitch), every element of y is written exactly once and never read. x is left unchanged.
 *
 * Numbers: maximum, sum and quotient in FP32, one rounding to the type, to nearest even. -INFINITY gets
 * probability 0; a row that is all -INFINITY, or that holds a NaN or +INFINITY, becomes NaN throughout.
 *
 * Stream: all work is on stream, and no call waits for the device.
 *
 * Returns cudaErrorInvalidValue, with nothing launched or written, unless all of this holds:
 *   - rows_per_block is 1, 2, 4 or 8
 *   - the type is CUDA_R_32F, CUDA_R_16F or CUDA_R_16BF, the same for x and y
 *   - cols is in [1, FUSED_SOFTMAX_MAX_COLS], rows >= 0, rows * cols < 2^31, the same for x and y
 *   - the pitch is as said above
 *   - both pointers are device or managed memory, and the address ranges of x and y, first element to
 *     last, do not overlap.
 * With rows == 0 the pointers do not matter: returns cudaSuccess and launches nothing.
 * Else returns the error of the launch. */
cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
