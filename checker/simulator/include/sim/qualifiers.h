/* CUDA's function and variable qualifiers, for a compiler that knows nothing of them.
 *
 * Host and device code are compiled once, together. A variable's memory space is the section it lies in: the
 * runner finds the sections' bounds in the loaded object. The translator sees to what a macro cannot do:
 * `extern __shared__`, a `static` beside `__shared__`, and `__device__` on a variable, which becomes
 * `__sim_device_variable__`. */
#ifndef SIM_QUALIFIERS_H
#define SIM_QUALIFIERS_H

#include "compiler.h"

#define __host__
#define __device__
#define __global__ __attribute__((noinline))
#define __sim_device_variable__ __attribute__((section("sim_device")))
#define __constant__ __attribute__((section("sim_constant")))
#define __shared__ static __attribute__((section("sim_shared")))
#define __managed__ SIM_ABSENT("__managed__ variables (cudaMallocManaged is there)")

#define __forceinline__ inline __attribute__((always_inline))
/* Nothing at all, because libstdc++ writes __attribute__((__noinline__)): an empty attribute is valid there,
 * and a kernel is noinline anyway. */
#define __noinline__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __maxnreg__(registers)
#define __grid_constant__
#define __cluster_dims__(...) SIM_ABSENT("thread block clusters")
#define __block_size__(...) SIM_ABSENT("thread block clusters")
#define CUDARTAPI
#define CUDART_CB

#endif
