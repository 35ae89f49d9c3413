/* Atomic functions: all of it is in cuda_runtime.h. */
#ifndef SM_20_ATOMIC_FUNCTIONS_H
#define SM_20_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
