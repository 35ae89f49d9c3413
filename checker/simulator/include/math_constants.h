/* CUDA's names for infinity, NaN and a few numbers. */
#ifndef MATH_CONSTANTS_H
#define MATH_CONSTANTS_H

#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_bit_cast(float, 0x7fffffff)
#define CUDART_MIN_DENORM_F 0x1p-149f
#define CUDART_MAX_NORMAL_F 0x1.fffffep127f
#define CUDART_NEG_ZERO_F -0.0f
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_PI_F 3.141592654f
#define CUDART_PIO2_F 1.570796327f
#define CUDART_L2E_F 1.442695041f
#define CUDART_LN2_F 0.693147181f

#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_bit_cast(double, 0xfff8000000000000ull)
#define CUDART_ZERO 0.0
#define CUDART_NEG_ZERO -0.0
#define CUDART_ONE 1.0
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_L2E 1.4426950408889634e+0
#define CUDART_LN2 6.9314718055994529e-1

#endif
