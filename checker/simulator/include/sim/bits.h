/* Intrinsics on bits and integers: reinterpretation, counting, shifts, high halves of products, min and max. */
#ifndef SIM_BITS_H
#define SIM_BITS_H

#include "compiler.h"

#define SIM_REINTERPRET(name, to, from)                                                                      \
    SIM_INLINE constexpr to name(from value) {                                                               \
        return __builtin_bit_cast(to, value);                                                                \
    }

SIM_REINTERPRET(__float_as_int, int, float)
SIM_REINTERPRET(__float_as_uint, unsigned, float)
SIM_REINTERPRET(__int_as_float, float, int)
SIM_REINTERPRET(__uint_as_float, float, unsigned)
SIM_REINTERPRET(__double_as_longlong, long long, double)
SIM_REINTERPRET(__longlong_as_double, double, long long)

#undef SIM_REINTERPRET

SIM_INLINE constexpr int __double2hiint(double value) {
    return static_cast<int>(__double_as_longlong(value) >> 32);
}
SIM_INLINE constexpr int __double2loint(double value) {
    return static_cast<int>(__double_as_longlong(value));
}
SIM_INLINE constexpr double __hiloint2double(int high, int low) {
    return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}

SIM_INLINE constexpr int __popc(unsigned value) {
    return __builtin_popcount(value);
}
SIM_INLINE constexpr int __popcll(unsigned long long value) {
    return __builtin_popcountll(value);
}
SIM_INLINE constexpr int __clz(int value) {
    return value ? __builtin_clz(static_cast<unsigned>(value)) : 32;
}
SIM_INLINE constexpr int __clzll(long long value) {
    return value ? __builtin_clzll(static_cast<unsigned long long>(value)) : 64;
}
SIM_INLINE constexpr int __ffs(int value) {
    return __builtin_ffs(value);
}
SIM_INLINE constexpr int __ffsll(long long value) {
    return __builtin_ffsll(value);
}
SIM_INLINE constexpr unsigned __brev(unsigned value) {
    return __builtin_bitreverse32(value);
}
SIM_INLINE constexpr unsigned long long __brevll(unsigned long long value) {
    return __builtin_bitreverse64(value);
}

/* Each of the selector's four low hex digits picks one of the eight bytes of high:low. */
SIM_INLINE constexpr unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(high) << 32 | low;
    unsigned result = 0;
    for (int i = 0; i < 4; i++)
        result |= static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return result;
}
SIM_INLINE constexpr unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31) >> 32);
}
SIM_INLINE constexpr unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}

SIM_INLINE constexpr int __mulhi(int a, int b) {
    return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
SIM_INLINE constexpr unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
SIM_INLINE constexpr long long __mul64hi(long long a, long long b) {
    return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
SIM_INLINE constexpr unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
SIM_INLINE constexpr int __mul24(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(a) << 8) >> 8) *
                            static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(b) << 8) >> 8));
}
SIM_INLINE constexpr unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xffffff) * (b & 0xffffff);
}

SIM_INLINE constexpr unsigned __usad(unsigned a, unsigned b, unsigned c) {
    return (a < b ? b - a : a - b) + c;
}
SIM_INLINE constexpr unsigned __sad(int a, int b, unsigned c) {
    return (a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
                  : static_cast<unsigned>(a) - static_cast<unsigned>(b)) +
           c;
}

/* min and max of integers, mixed signs as in C; those of floating-point numbers are in sim/math.h. */
#define SIM_MIN_MAX(result, first, second)                                                                   \
    SIM_INLINE constexpr result min(first a, second b) {                                                     \
        return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(a)                      \
                                                               : static_cast<result>(b);                     \
    }                                                                                                        \
    SIM_INLINE constexpr result max(first a, second b) {                                                     \
        return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(b)                      \
                                                               : static_cast<result>(a);                     \
    }

SIM_MIN_MAX(int, int, int)
SIM_MIN_MAX(unsigned int, unsigned int, unsigned int)
SIM_MIN_MAX(unsigned int, int, unsigned int)
SIM_MIN_MAX(unsigned int, unsigned int, int)
SIM_MIN_MAX(long, long, long)
SIM_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIM_MIN_MAX(unsigned long, long, unsigned long)
SIM_MIN_MAX(unsigned long, unsigned long, long)
SIM_MIN_MAX(long long, long long, long long)
SIM_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIM_MIN_MAX(unsigned long long, long long, unsigned long long)
SIM_MIN_MAX(unsigned long long, unsigned long long, long long)

#undef SIM_MIN_MAX

#endif
