/* CUDA C for clang: the runtime API, launches, builtin variables and the functions of device code.
 * Included from C it is the runtime API alone, as with CUDA. */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus

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
#include "sim/c_library.h"
#include "sim/cached_access.h"
#include "sim/math.h"
#include "sim/runtime_templates.h"
#include "sim/warp.h"

#endif
#endif
