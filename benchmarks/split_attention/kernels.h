/* The kernels that split_attention is measured beside, launched from C. */
#ifndef ATTENTION_KERNELS_H
#define ATTENTION_KERNELS_H

#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills an array with numbers of about normal distribution. */
cudaError_t attention_fill(void *array, cudaDataType_t type, int64_t elements, uint64_t seed,
                           cudaStream_t stream);

/* Reads k and v, `bytes` each (a multiple of 16), once, 16 bytes a load, and does nothing with them: the floor. sink is
 * written if they have one certain sum, which they have not. */
cudaError_t attention_read(const void *k, const void *v, int64_t bytes, unsigned *sink, cudaStream_t stream);

/* y [heads, dim] in FP64, in the plainest way. scores: [heads, length]. */
cudaError_t attention_reference(const void *q, const void *k, const void *v, cudaDataType_t type,
                                int64_t heads, int64_t length, int dim, double *scores, double *y,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
