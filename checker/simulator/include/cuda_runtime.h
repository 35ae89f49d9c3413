/* CUDA C for a C++17 compiler: the runtime API, launches, builtin variables and the functions of device code.
 * Included from C it is the runtime API alone, as with CUDA. */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus

/* Code that asks takes the device's path: it is the only one whose every function exists here. One
 * compilation serves host and device, so __CUDA_ARCH__ is defined in host functions too. */
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif

/* What CUDA includes too. <stdio.h> and <assert.h> are the program's to include, here as there. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

#include "sim/atomics.h"
#include "sim/barriers.h"
#include "sim/bits.h"
#include "sim/builtin_variables.h"
#include "sim/cached_access.h"
#include "sim/launch.h"
#include "sim/math.h"
#include "sim/runtime_templates.h"
#include "sim/warp.h"

#endif
#endif
