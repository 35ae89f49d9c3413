/* What a cudaError_t usually means to a student. Names: cuda_error_name() in check.h. */
#ifndef CUDA_ERRORS_H
#define CUDA_ERRORS_H

#include <stdint.h>

const char *cuda_error_meaning(int64_t error);

#endif
