/* make_float4 and its kin. */
#ifndef VECTOR_FUNCTIONS_H
#define VECTOR_FUNCTIONS_H

#include "vector_types.h"

#ifdef __cplusplus

#define SIM_MAKE(base, type)                                                                                 \
    SIM_INLINE constexpr base##1 make_##base##1(type x) {                                                    \
        return {x};                                                                                          \
    }                                                                                                        \
    SIM_INLINE constexpr base##2 make_##base##2(type x, type y) {                                            \
        return {x, y};                                                                                       \
    }                                                                                                        \
    SIM_INLINE constexpr base##3 make_##base##3(type x, type y, type z) {                                    \
        return {x, y, z};                                                                                    \
    }                                                                                                        \
    SIM_INLINE constexpr base##4 make_##base##4(type x, type y, type z, type w) {                            \
        return {x, y, z, w};                                                                                 \
    }

SIM_MAKE(char, signed char)
SIM_MAKE(uchar, unsigned char)
SIM_MAKE(short, short)
SIM_MAKE(ushort, unsigned short)
SIM_MAKE(int, int)
SIM_MAKE(uint, unsigned int)
SIM_MAKE(long, long)
SIM_MAKE(ulong, unsigned long)
SIM_MAKE(longlong, long long)
SIM_MAKE(ulonglong, unsigned long long)
SIM_MAKE(float, float)
SIM_MAKE(double, double)

#undef SIM_MAKE

#endif
#endif
