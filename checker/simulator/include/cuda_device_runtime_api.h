/* The runtime API: all of it is in cuda_runtime.h. */
#ifndef CUDA_DEVICE_RUNTIME_API_H
#define CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime.h"

#endif
