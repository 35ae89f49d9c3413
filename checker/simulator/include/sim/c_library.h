/* What kernels may call of the C library, as with CUDA: each function stands a second time for the device side, beside
 * the host's of the same name. Whatever is not here is a function of the host, and clang says so. */
#ifndef SIM_C_LIBRARY_H
#define SIM_C_LIBRARY_H

#include <stddef.h>

#include "compiler.h"
#include "device.h"

extern "C" {

#define SIM_ONE(name)                                                                                        \
    SIM_ON_DEVICE double name(double);                                                                       \
    SIM_ON_DEVICE float name##f(float);
#define SIM_TWO(name)                                                                                        \
    SIM_ON_DEVICE double name(double, double);                                                               \
    SIM_ON_DEVICE float name##f(float, float);
#define SIM_WHOLE(type, name)                                                                                \
    SIM_ON_DEVICE type name(double);                                                                         \
    SIM_ON_DEVICE type name##f(float);

SIM_ONE(acos)
SIM_ONE(acosh)
SIM_ONE(asin)
SIM_ONE(asinh)
SIM_ONE(atan)
SIM_ONE(atanh)
SIM_ONE(cbrt)
SIM_ONE(ceil)
SIM_ONE(cos)
SIM_ONE(cosh)
SIM_ONE(erf)
SIM_ONE(erfc)
SIM_ONE(exp)
SIM_ONE(exp10)
SIM_ONE(exp2)
SIM_ONE(expm1)
SIM_ONE(fabs)
SIM_ONE(floor)
SIM_ONE(j0)
SIM_ONE(j1)
SIM_ONE(lgamma)
SIM_ONE(log)
SIM_ONE(log10)
SIM_ONE(log1p)
SIM_ONE(log2)
SIM_ONE(logb)
SIM_ONE(nearbyint)
SIM_ONE(rint)
SIM_ONE(round)
SIM_ONE(sin)
SIM_ONE(sinh)
SIM_ONE(sqrt)
SIM_ONE(tan)
SIM_ONE(tanh)
SIM_ONE(tgamma)
SIM_ONE(trunc)
SIM_ONE(y0)
SIM_ONE(y1)
SIM_TWO(atan2)
SIM_TWO(copysign)
SIM_TWO(fdim)
SIM_TWO(fmax)
SIM_TWO(fmin)
SIM_TWO(fmod)
SIM_TWO(hypot)
SIM_TWO(nextafter)
SIM_TWO(pow)
SIM_TWO(remainder)
SIM_WHOLE(int, ilogb)
SIM_WHOLE(long, lrint)
SIM_WHOLE(long, lround)
SIM_WHOLE(long long, llrint)
SIM_WHOLE(long long, llround)

#undef SIM_ONE
#undef SIM_TWO
#undef SIM_WHOLE

SIM_ON_DEVICE double fma(double, double, double);
SIM_ON_DEVICE float fmaf(float, float, float);
SIM_ON_DEVICE double frexp(double, int *);
SIM_ON_DEVICE float frexpf(float, int *);
SIM_ON_DEVICE double ldexp(double, int);
SIM_ON_DEVICE float ldexpf(float, int);
SIM_ON_DEVICE double scalbn(double, int);
SIM_ON_DEVICE float scalbnf(float, int);
SIM_ON_DEVICE double scalbln(double, long);
SIM_ON_DEVICE float scalblnf(float, long);
SIM_ON_DEVICE double modf(double, double *);
SIM_ON_DEVICE float modff(float, float *);
SIM_ON_DEVICE double remquo(double, double, int *);
SIM_ON_DEVICE float remquof(float, float, int *);
SIM_ON_DEVICE void sincos(double, double *, double *);
SIM_ON_DEVICE void sincosf(float, float *, float *);

SIM_ON_DEVICE int abs(int);
SIM_ON_DEVICE long labs(long);
SIM_ON_DEVICE long long llabs(long long);

SIM_ON_DEVICE void *memcpy(void *, const void *, size_t);
SIM_ON_DEVICE void *memmove(void *, const void *, size_t);
SIM_ON_DEVICE void *memset(void *, int, size_t);
SIM_ON_DEVICE int printf(const char *, ...) __asm__("sim_print");
SIM_ON_DEVICE void __assert_fail(const char *, const char *, unsigned, const char *);

SIM_DEVICE void *malloc(size_t bytes) {
    return sim_malloc(bytes);
}
SIM_DEVICE void free(void *pointer) {
    sim_free(pointer);
}
SIM_DEVICE double nan(const char *) {
    return __builtin_nan("");
}
SIM_DEVICE float nanf(const char *) {
    return __builtin_nanf("");
}

/* Written out, so that what they read and write is seen. */
SIM_DEVICE size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}
SIM_DEVICE int strncmp(const char *a, const char *b, size_t length) {
    for (; length > 0; a++, b++, length--)
        if (*a != *b || !*a)
            return (unsigned char)*a - (unsigned char)*b;
    return 0;
}
SIM_DEVICE int strcmp(const char *a, const char *b) {
    return strncmp(a, b, (size_t)-1);
}
SIM_DEVICE char *strcpy(char *to, const char *from) {
    size_t i = 0;
    for (; from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
    return to;
}
SIM_DEVICE int memcmp(const void *a, const void *b, size_t bytes) {
    const unsigned char *first = (const unsigned char *)a, *second = (const unsigned char *)b;
    for (size_t i = 0; i < bytes; i++)
        if (first[i] != second[i])
            return first[i] - second[i];
    return 0;
}

/* What clang's own header of <cmath> for device code (below) is written with. */
SIM_DEVICE int __isinf(double x) {
    return __builtin_isinf(x);
}
SIM_DEVICE int __isinff(float x) {
    return __builtin_isinf(x);
}
SIM_DEVICE int __isnan(double x) {
    return __builtin_isnan(x);
}
SIM_DEVICE int __isnanf(float x) {
    return __builtin_isnan(x);
}
SIM_DEVICE int __finitef(float x) {
    return __builtin_isfinite(x);
}
SIM_DEVICE int __isfinited(double x) {
    return __builtin_isfinite(x);
}
SIM_DEVICE int __signbitf(float x) {
    return __builtin_signbit(x);
}
SIM_DEVICE int __signbitd(double x) {
    return __builtin_signbit(x);
}
SIM_DEVICE float powif(float x, int n) {
    return powf(x, (float)n);
}
SIM_DEVICE double powi(double x, int n) {
    return pow(x, (double)n);
}
}

/* They take what is declared so far into std. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <math.h>

namespace std {
using ::abs;
using ::free;
using ::malloc;
} // namespace std

#include <__clang_cuda_cmath.h>

/* Clang's: new and delete of device code, by the two functions above. */
#include <new>

#endif
