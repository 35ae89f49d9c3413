/* The row in one launch, on the GPUs that have thread block clusters. */
#pragma once
#include "split_softmax.h"

#ifdef __cplusplus
extern "C" {
#endif

/* y from x, by one kernel on the stream. The arguments are valid, and rows is at least 1. Returns the error of the
 * launch: cudaErrorNotSupported where the compiler, the driver or this device has no clusters of that size, and then nothing
 * has been launched. */
cudaError_t split_softmax_cluster(matrix x, matrix y, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
