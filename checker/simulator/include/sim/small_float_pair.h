/* __half2 and __nv_bfloat162: two numbers of 16 bits in one word, which is loaded and stored as one. */
#ifndef SIM_SMALL_FLOAT_PAIR_H
#define SIM_SMALL_FLOAT_PAIR_H

#include "small_float.h"

namespace sim {

template <int exponent, int fraction> struct __attribute__((aligned(4))) small_float_pair {
    typedef small_float<exponent, fraction> element;
    struct raw {
        unsigned short x, y;
    };

    element x, y;

    small_float_pair() = default;
    SIM_INLINE constexpr small_float_pair(const element &x, const element &y) : x(x), y(y) {}
    SIM_INLINE constexpr small_float_pair(raw value)
        : x(element::from_bits(value.x)), y(element::from_bits(value.y)) {}
    SIM_INLINE constexpr operator raw() const { return {x.to_bits(), y.to_bits()}; }

#define SIM_UNARY(name, function)                                                                            \
    friend SIM_INLINE small_float_pair name(small_float_pair a) {                                            \
        return {function(a.x), function(a.y)};                                                               \
    }
#define SIM_BINARY(name, function)                                                                           \
    friend SIM_INLINE small_float_pair name(small_float_pair a, small_float_pair b) {                        \
        return {function(a.x, b.x), function(a.y, b.y)};                                                     \
    }
#define SIM_TERNARY(name, function)                                                                          \
    friend SIM_INLINE small_float_pair name(small_float_pair a, small_float_pair b, small_float_pair c) {    \
        return {function(a.x, b.x, c.x), function(a.y, b.y, c.y)};                                           \
    }
#define SIM_OPERATOR(symbol, function)                                                                       \
    friend SIM_INLINE small_float_pair operator symbol(const small_float_pair &a,                            \
                                                       const small_float_pair &b) {                          \
        return function(a, b);                                                                               \
    }                                                                                                        \
    friend SIM_INLINE small_float_pair &operator symbol##=(small_float_pair &a, const small_float_pair &b) { \
        return a = function(a, b);                                                                           \
    }
/* Pairs of 1 and 0; whether both hold; masks of all ones where it holds. The forms in u are true with a NaN. */
#define SIM_COMPARISON(symbol, name)                                                                         \
    friend SIM_INLINE bool operator symbol(const small_float_pair &a, const small_float_pair &b) {           \
        return __hb##name##2(a, b);                                                                          \
    }                                                                                                        \
    SIM_COMPARISON_FORM(name)                                                                                \
    SIM_COMPARISON_FORM(name##u)
#define SIM_COMPARISON_FORM(name)                                                                            \
    friend SIM_INLINE small_float_pair __h##name##2(small_float_pair a, small_float_pair b) {                \
        return {truth(__h##name(a.x, b.x)), truth(__h##name(a.y, b.y))};                                     \
    }                                                                                                        \
    friend SIM_INLINE bool __hb##name##2(small_float_pair a, small_float_pair b) {                           \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                   \
    }                                                                                                        \
    friend SIM_INLINE unsigned __h##name##2_mask(small_float_pair a, small_float_pair b) {                   \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);              \
    }

    SIM_BINARY(__hadd2, __hadd)
    SIM_BINARY(__hadd2_rn, __hadd)
    SIM_BINARY(__hadd2_sat, __hadd_sat)
    SIM_BINARY(__hsub2, __hsub)
    SIM_BINARY(__hsub2_rn, __hsub)
    SIM_BINARY(__hsub2_sat, __hsub_sat)
    SIM_BINARY(__hmul2, __hmul)
    SIM_BINARY(__hmul2_rn, __hmul)
    SIM_BINARY(__hmul2_sat, __hmul_sat)
    SIM_BINARY(__h2div, __hdiv)
    SIM_BINARY(__hmax2, __hmax)
    SIM_BINARY(__hmax2_nan, __hmax_nan)
    SIM_BINARY(__hmin2, __hmin)
    SIM_BINARY(__hmin2_nan, __hmin_nan)
    SIM_TERNARY(__hfma2, __hfma)
    SIM_TERNARY(__hfma2_sat, __hfma_sat)
    SIM_TERNARY(__hfma2_relu, __hfma_relu)
    SIM_UNARY(__habs2, __habs)
    SIM_UNARY(__hneg2, __hneg)
    SIM_UNARY(h2exp, hexp)
    SIM_UNARY(h2exp2, hexp2)
    SIM_UNARY(h2exp10, hexp10)
    SIM_UNARY(h2log, hlog)
    SIM_UNARY(h2log2, hlog2)
    SIM_UNARY(h2log10, hlog10)
    SIM_UNARY(h2sin, hsin)
    SIM_UNARY(h2cos, hcos)
    SIM_UNARY(h2tanh, htanh)
    SIM_UNARY(h2tanh_approx, htanh)
    SIM_UNARY(h2sqrt, hsqrt)
    SIM_UNARY(h2rsqrt, hrsqrt)
    SIM_UNARY(h2rcp, hrcp)
    SIM_UNARY(h2ceil, hceil)
    SIM_UNARY(h2floor, hfloor)
    SIM_UNARY(h2rint, hrint)
    SIM_UNARY(h2trunc, htrunc)
    SIM_OPERATOR(+, __hadd2)
    SIM_OPERATOR(-, __hsub2)
    SIM_OPERATOR(*, __hmul2)
    SIM_OPERATOR(/, __h2div)
    SIM_COMPARISON(==, eq)
    SIM_COMPARISON(!=, ne)
    SIM_COMPARISON(<, lt)
    SIM_COMPARISON(<=, le)
    SIM_COMPARISON(>, gt)
    SIM_COMPARISON(>=, ge)

#undef SIM_UNARY
#undef SIM_BINARY
#undef SIM_TERNARY
#undef SIM_OPERATOR
#undef SIM_COMPARISON
#undef SIM_COMPARISON_FORM

    friend SIM_INLINE small_float_pair operator-(const small_float_pair &a) {
        return __hneg2(a);
    }
    friend SIM_INLINE small_float_pair operator+(const small_float_pair &a) {
        return a;
    }
    friend SIM_INLINE small_float_pair __hisnan2(small_float_pair a) {
        return {truth(__hisnan(a.x)), truth(__hisnan(a.y))};
    }

    /* ---- the two halves ---- */

    friend SIM_INLINE float __low2float(small_float_pair a) {
        return a.x;
    }
    friend SIM_INLINE float __high2float(small_float_pair a) {
        return a.y;
    }
    friend SIM_INLINE small_float_pair __lowhigh2highlow(small_float_pair a) {
        return {a.y, a.x};
    }

  private:
    static SIM_INLINE element truth(bool value) {
        return element(value ? 1.0f : 0.0f);
    }
};

} // namespace sim

#endif
