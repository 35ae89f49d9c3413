/* Atomic operations: all of it is in cuda_runtime.h. */
#ifndef DEVICE_ATOMIC_FUNCTIONS_H
#define DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
