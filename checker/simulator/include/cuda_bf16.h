/* bfloat16: 8 bits of exponent, 7 of fraction. What the functions do is in sim/small_float.h and
 * sim/small_float_pair.h. */
#ifndef CUDA_BF16_H
#define CUDA_BF16_H

#ifdef __cplusplus

#include "cuda_runtime.h"
#include "sim/small_float_pair.h"

using __nv_bfloat16 = sim::small_float<8, 7>;
using __nv_bfloat162 = sim::small_float_pair<8, 7>;
using __nv_bfloat16_raw = __nv_bfloat16::raw;
using __nv_bfloat162_raw = __nv_bfloat162::raw;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define SIM_TYPE __nv_bfloat16
#define SIM_PAIR __nv_bfloat162
#define SIM_NAME bfloat16
#define SIM_PAIR_NAME bfloat162
#define SIM_TO_PAIR 2bfloat162
#include "sim/small_float_names.h"
#undef SIM_TYPE
#undef SIM_PAIR
#undef SIM_NAME
#undef SIM_PAIR_NAME
#undef SIM_TO_PAIR

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#endif
#endif
