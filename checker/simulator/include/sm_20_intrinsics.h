/* Intrinsics: all of it is in cuda_runtime.h. */
#ifndef SM_20_INTRINSICS_H
#define SM_20_INTRINSICS_H

#include "cuda_runtime.h"

#endif
