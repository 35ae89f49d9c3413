/* Atomic functions: all of it is in cuda_runtime.h. */
#ifndef SM_32_ATOMIC_FUNCTIONS_H
#define SM_32_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
