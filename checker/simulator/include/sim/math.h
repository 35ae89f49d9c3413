/* CUDA's floating-point functions. Most are the C library's, which rounds at least as well as a GPU; the fast
 * ones (__expf) are as exact here as the slow ones, so a kernel that depends on their errors will not be found
 * out. */
#ifndef SIM_MATH_H
#define SIM_MATH_H

#include "c_library.h"

/* ---- fast single precision; glibc declares some of the names for the host, without offering them ---- */

extern "C" {
SIM_DEVICE float __expf(float x) {
    return expf(x);
}
SIM_DEVICE float __exp10f(float x) {
    return powf(10.0f, x);
}
SIM_DEVICE float __logf(float x) {
    return logf(x);
}
SIM_DEVICE float __log2f(float x) {
    return log2f(x);
}
SIM_DEVICE float __log10f(float x) {
    return log10f(x);
}
SIM_DEVICE float __powf(float x, float y) {
    return powf(x, y);
}
SIM_DEVICE float __sinf(float x) {
    return sinf(x);
}
SIM_DEVICE float __cosf(float x) {
    return cosf(x);
}
SIM_DEVICE float __tanf(float x) {
    return tanf(x);
}
SIM_DEVICE float __tanhf(float x) {
    return tanhf(x);
}
SIM_DEVICE void __sincosf(float x, float *sine, float *cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}
}

SIM_DEVICE float __fdividef(float x, float y) {
    return x / y;
}
SIM_DEVICE float fdividef(float x, float y) {
    return x / y;
}
SIM_DEVICE float __saturatef(float x) {
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

/* ---- what C lacks, or lacked: of the device alone, so that a C library may have them too ---- */

SIM_DEVICE float rsqrtf(float x) {
    return static_cast<float>(1.0 / sqrt(static_cast<double>(x)));
}
SIM_DEVICE double rsqrt(double x) {
    return 1.0 / sqrt(x);
}
SIM_DEVICE float rsqrt(float x) {
    return rsqrtf(x);
}
SIM_DEVICE float rcbrtf(float x) {
    return 1.0f / cbrtf(x);
}
SIM_DEVICE double rcbrt(double x) {
    return 1.0 / cbrt(x);
}
SIM_DEVICE float sinpif(float x) {
    return static_cast<float>(sin(3.14159265358979323846 * fmod(x, 2.0)));
}
SIM_DEVICE float cospif(float x) {
    return static_cast<float>(cos(3.14159265358979323846 * fmod(x, 2.0)));
}
SIM_DEVICE float normcdff(float x) {
    return static_cast<float>(0.5 * erfc(-x * 0.70710678118654752440));
}

SIM_INLINE float min(float a, float b) {
    return fminf(a, b);
}
SIM_INLINE float max(float a, float b) {
    return fmaxf(a, b);
}
SIM_INLINE double min(double a, double b) {
    return ::fmin(a, b);
}
SIM_INLINE double max(double a, double b) {
    return ::fmax(a, b);
}
SIM_INLINE double min(float a, double b) {
    return ::fmin(static_cast<double>(a), b);
}
SIM_INLINE double max(float a, double b) {
    return ::fmax(static_cast<double>(a), b);
}
SIM_INLINE double min(double a, float b) {
    return ::fmin(a, static_cast<double>(b));
}
SIM_INLINE double max(double a, float b) {
    return ::fmax(a, static_cast<double>(b));
}

/* ---- one operation, rounded to nearest even and never fused with another ---- */

#define SIM_ROUNDED(prefix, type, sqrt_name)                                                                 \
    SIM_DEVICE type prefix##add_rn(type a, type b) {                                                         \
        return a + b;                                                                                        \
    }                                                                                                        \
    SIM_DEVICE type prefix##sub_rn(type a, type b) {                                                         \
        return a - b;                                                                                        \
    }                                                                                                        \
    SIM_DEVICE type prefix##mul_rn(type a, type b) {                                                         \
        return a * b;                                                                                        \
    }                                                                                                        \
    SIM_DEVICE type prefix##div_rn(type a, type b) {                                                         \
        return a / b;                                                                                        \
    }                                                                                                        \
    SIM_DEVICE type prefix##rcp_rn(type a) {                                                                 \
        return 1 / a;                                                                                        \
    }                                                                                                        \
    SIM_DEVICE type prefix##sqrt_rn(type a) {                                                                \
        return sqrt_name(a);                                                                                 \
    }

SIM_ROUNDED(__f, float, sqrtf)
SIM_ROUNDED(__d, double, sqrt)
#undef SIM_ROUNDED

#define SIM_NOT_OFFERED(name)                                                                                \
    template <class T, class... Others>                                                                      \
    SIM_ON_DEVICE T name(T, Others...)                                                                       \
        SIM_ABSENT(#name " and other arithmetic that is not rounded to nearest");
#define SIM_DIRECTED(direction)                                                                              \
    SIM_NOT_OFFERED(__fadd_##direction)                                                                      \
    SIM_NOT_OFFERED(__fsub_##direction)                                                                      \
    SIM_NOT_OFFERED(__fmul_##direction)                                                                      \
    SIM_NOT_OFFERED(__fdiv_##direction)                                                                      \
    SIM_NOT_OFFERED(__fmaf_##direction)                                                                      \
    SIM_NOT_OFFERED(__fsqrt_##direction)                                                                     \
    SIM_NOT_OFFERED(__frcp_##direction)
SIM_DIRECTED(rz)
SIM_DIRECTED(ru)
SIM_DIRECTED(rd)
#undef SIM_DIRECTED
#undef SIM_NOT_OFFERED

SIM_DEVICE float __fmaf_rn(float a, float b, float c) {
    return fmaf(a, b, c);
}
SIM_DEVICE double __fma_rn(double a, double b, double c) {
    return fma(a, b, c);
}
SIM_DEVICE float __frsqrt_rn(float a) {
    return rsqrtf(a);
}

/* ---- conversions between numbers, with their rounding in the name ---- */

namespace sim {
/* The integer nearest to a value that is whole already; what does not fit is the nearest that does, NaN is 0. */
template <class Integer> SIM_INLINE Integer saturated(double whole) {
    const Integer least =
        static_cast<Integer>(static_cast<Integer>(-1) < 0 ? 1ull << (8 * sizeof(Integer) - 1) : 0);
    const Integer most = static_cast<Integer>(~least);
    if (whole != whole)
        return 0;
    if (whole <= static_cast<double>(least))
        return least;
    return whole >= static_cast<double>(most) ? most : static_cast<Integer>(whole);
}
} // namespace sim

#define SIM_TO_INTEGER(name, from, to)                                                                       \
    SIM_DEVICE to name##_rn(from x) {                                                                        \
        return sim::saturated<to>(::rint(static_cast<double>(x)));                                           \
    }                                                                                                        \
    SIM_DEVICE to name##_rz(from x) {                                                                        \
        return sim::saturated<to>(::trunc(static_cast<double>(x)));                                          \
    }                                                                                                        \
    SIM_DEVICE to name##_ru(from x) {                                                                        \
        return sim::saturated<to>(::ceil(static_cast<double>(x)));                                           \
    }                                                                                                        \
    SIM_DEVICE to name##_rd(from x) {                                                                        \
        return sim::saturated<to>(::floor(static_cast<double>(x)));                                          \
    }

SIM_TO_INTEGER(__float2int, float, int)
SIM_TO_INTEGER(__float2uint, float, unsigned int)
SIM_TO_INTEGER(__float2ll, float, long long)
SIM_TO_INTEGER(__float2ull, float, unsigned long long)
SIM_TO_INTEGER(__double2int, double, int)
SIM_TO_INTEGER(__double2uint, double, unsigned int)
SIM_TO_INTEGER(__double2ll, double, long long)
SIM_TO_INTEGER(__double2ull, double, unsigned long long)
#undef SIM_TO_INTEGER

SIM_DEVICE float __int2float_rn(int x) {
    return static_cast<float>(x);
}
SIM_DEVICE float __uint2float_rn(unsigned int x) {
    return static_cast<float>(x);
}
SIM_DEVICE float __ll2float_rn(long long x) {
    return static_cast<float>(x);
}
SIM_DEVICE float __ull2float_rn(unsigned long long x) {
    return static_cast<float>(x);
}
SIM_DEVICE double __int2double_rn(int x) {
    return x;
}
SIM_DEVICE double __uint2double_rn(unsigned int x) {
    return x;
}
SIM_DEVICE double __ll2double_rn(long long x) {
    return static_cast<double>(x);
}
SIM_DEVICE double __ull2double_rn(unsigned long long x) {
    return static_cast<double>(x);
}
SIM_DEVICE float __double2float_rn(double x) {
    return static_cast<float>(x);
}

#endif
