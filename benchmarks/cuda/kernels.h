/* The benchmark's own kernels, launched from C. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a workload's matrix (workload.h) to x [rows, pitch]; its padding stays as it is. element_bytes: 2
 * or 4. */
cudaError_t kernel_fill(void *x, const void *base, int64_t rows, int64_t cols, int64_t pitch,
                        int64_t base_rows, int64_t shift, int element_bytes, cudaStream_t stream);

/* Exchanges the elements at two places of x: the smallest change of an input. */
cudaError_t kernel_exchange(void *x, int64_t a, int64_t b, int element_bytes, cudaStream_t stream);

/* Softmax with one block a row, which loops over the row three times: what the lesson on split_softmax starts
 * from. 256 threads, of plain loads. */
cudaError_t kernel_looped_softmax(const void *x, void *y, cudaDataType_t type, int64_t rows, int64_t cols,
                                  int64_t pitch, cudaStream_t stream);

/* Nothing: what one launch costs. */
cudaError_t kernel_empty(cudaStream_t stream);

/* Holds the whole device for some microseconds: its threads fill every multiprocessor, and no other kernel's
 * find room, on whichever stream. Writes number to *held (page-locked memory) when all of them are there. */
cudaError_t kernel_hold(int microseconds, volatile unsigned *held, unsigned number, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
