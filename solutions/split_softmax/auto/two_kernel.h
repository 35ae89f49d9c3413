/* The second of the two kernels: merge and normalize in one. */
#pragma once
#include "split_softmax.h"

#ifdef __cplusplus
extern "C" {
#endif

/* y from x and the states of its chunks, both [rows, T], by one kernel on the stream: each block merges its row's states
 * for itself. Launches, and returns the launch's error. */
cudaError_t split_softmax_merge_and_normalize(matrix x, int chunk, const float *partial_max,
                                              const float *partial_sum, matrix y, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
