/* Shuffles and votes: all of it is in cuda_runtime.h. */
#ifndef SM_30_INTRINSICS_H
#define SM_30_INTRINSICS_H

#include "cuda_runtime.h"

#endif
