/* Cached loads: all of it is in cuda_runtime.h. */
#ifndef SM_35_INTRINSICS_H
#define SM_35_INTRINSICS_H

#include "cuda_runtime.h"

#endif
