/* half: 5 bits of exponent, 10 of fraction. What the functions do is in sim/small_float.h and
 * sim/small_float_pair.h. */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H

#ifdef __cplusplus

#include "cuda_runtime.h"
#include "sim/small_float_pair.h"

using __half = sim::small_float<5, 10>;
using __half2 = sim::small_float_pair<5, 10>;
using __half_raw = __half::raw;
using __half2_raw = __half2::raw;
using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

#define SIM_TYPE __half
#define SIM_PAIR __half2
#define SIM_NAME half
#define SIM_PAIR_NAME half2
#define SIM_TO_PAIR 2half2
#include "sim/small_float_names.h"
#undef SIM_TYPE
#undef SIM_PAIR
#undef SIM_NAME
#undef SIM_PAIR_NAME
#undef SIM_TO_PAIR

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

#endif
#endif
