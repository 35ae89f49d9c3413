/* CUDA's function and variable qualifiers: clang's own attributes, and what build/instrument is told with them. */
#ifndef SIM_QUALIFIERS_H
#define SIM_QUALIFIERS_H

#include "compiler.h"

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant, annotate("sim_constant")))
/* Threads a block, and what is a hint: how many blocks of them shall fit on a multiprocessor. */
#define __launch_bounds__(...)                                                                               \
    __attribute__((launch_bounds(__VA_ARGS__), annotate("sim_launch_bounds", __VA_ARGS__)))
#else
#define __host__
#define __device__
#endif
#define __managed__ SIM_ABSENT("__managed__ variables (cudaMallocManaged is there)")

#define __forceinline__ inline __attribute__((always_inline))
/* Nothing at all, because libstdc++ writes __attribute__((__noinline__)): an empty attribute is valid there. */
#define __noinline__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __maxnreg__(registers)
#define __grid_constant__
#define __cluster_dims__(...) SIM_ABSENT("thread block clusters")
#define __block_size__(...) SIM_ABSENT("thread block clusters")
#define CUDARTAPI
#define CUDART_CB

#endif
