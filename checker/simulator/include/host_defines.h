/* Qualifiers: all of it is in cuda_runtime.h. */
#ifndef HOST_DEFINES_H
#define HOST_DEFINES_H

#include "cuda_runtime.h"

#endif
