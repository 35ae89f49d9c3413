/* A row-major matrix in device memory, as every CUDA operator of this kit takes it. */
#ifndef MATRIX_H
#define MATRIX_H

#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stdint.h>

typedef struct {
    void *data;          /* device memory */
    cudaDataType_t type; /* CUDA_R_32F, CUDA_R_16F or CUDA_R_16BF */
    int64_t rows, cols;
    int64_t pitch; /* elements from the start of one row to the start of the next */
} matrix;

#endif
