/* Complex numbers as pairs of floats or doubles. */
#ifndef CUCOMPLEX_H
#define CUCOMPLEX_H

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#ifdef __cplusplus
#define SIM_COMPLEX SIM_INLINE
#else
#define SIM_COMPLEX static inline
#endif

#define SIM_COMPLEX_OPERATIONS(type, real, letter, hypotenuse)                                               \
    SIM_COMPLEX type make_##type(real x, real y) {                                                           \
        type z;                                                                                              \
        z.x = x;                                                                                             \
        z.y = y;                                                                                             \
        return z;                                                                                            \
    }                                                                                                        \
    SIM_COMPLEX real cuCreal##letter(type z) {                                                               \
        return z.x;                                                                                          \
    }                                                                                                        \
    SIM_COMPLEX real cuCimag##letter(type z) {                                                               \
        return z.y;                                                                                          \
    }                                                                                                        \
    SIM_COMPLEX type cuConj##letter(type z) {                                                                \
        return make_##type(z.x, -z.y);                                                                       \
    }                                                                                                        \
    SIM_COMPLEX type cuCadd##letter(type a, type b) {                                                        \
        return make_##type(a.x + b.x, a.y + b.y);                                                            \
    }                                                                                                        \
    SIM_COMPLEX type cuCsub##letter(type a, type b) {                                                        \
        return make_##type(a.x - b.x, a.y - b.y);                                                            \
    }                                                                                                        \
    SIM_COMPLEX type cuCmul##letter(type a, type b) {                                                        \
        return make_##type(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                    \
    }                                                                                                        \
    SIM_COMPLEX real cuCabs##letter(type z) {                                                                \
        return hypotenuse(z.x, z.y);                                                                         \
    }

SIM_COMPLEX_OPERATIONS(cuFloatComplex, float, f, hypotf)
SIM_COMPLEX_OPERATIONS(cuDoubleComplex, double, , hypot)

#undef SIM_COMPLEX_OPERATIONS

SIM_COMPLEX cuComplex make_cuComplex(float x, float y) {
    return make_cuFloatComplex(x, y);
}

#endif
