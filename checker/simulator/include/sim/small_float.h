/* __half and __nv_bfloat16: one class template for both formats. Arithmetic is done in float and rounded
 * once, which is exact for + - * / and square roots, float having more than twice their digits.
 *
 * The functions are friends defined inside the class: a call finds them when one argument is of the type, and
 * the others convert to it, as with CUDA's overloads. */
#ifndef SIM_SMALL_FLOAT_H
#define SIM_SMALL_FLOAT_H

#include <math.h>
#include <type_traits>

#include "math.h"
#include "small_float_rounding.h"

namespace sim {

template <int exponent, int fraction> class small_float {
  public:
    struct raw {
        unsigned short x;
    };

    small_float() = default;
    SIM_INLINE constexpr small_float(raw value) : bits(value.x) {}
    SIM_INLINE constexpr small_float(float value)
        : bits(narrowed<exponent, fraction>(value, TO_NEAREST_EVEN)) {}
    SIM_INLINE constexpr small_float(double value)
        : bits(narrowed<exponent, fraction>(value, TO_NEAREST_EVEN)) {}
    template <class Integer, class = std::enable_if_t<std::is_integral<Integer>::value>>
    SIM_INLINE constexpr small_float(Integer value) : bits(rounded(value, TO_NEAREST_EVEN).bits) {}
    template <int other_exponent, int other_fraction>
    SIM_INLINE explicit constexpr small_float(small_float<other_exponent, other_fraction> value)
        : small_float(static_cast<float>(value)) {}

    SIM_INLINE constexpr operator float() const { return widened<exponent, fraction>(bits); }
    SIM_INLINE constexpr operator raw() const { return {bits}; }
    SIM_INLINE constexpr operator bool() const { return (bits & 0x7fff) != 0; }
    template <class Integer, class = std::enable_if_t<std::is_integral<Integer>::value &&
                                                      !std::is_same<Integer, bool>::value>>
    SIM_INLINE operator Integer() const {
        return saturated<Integer>(::trunc(static_cast<double>(static_cast<float>(*this))));
    }

    static SIM_INLINE constexpr small_float from_bits(unsigned short value) {
        return small_float(raw{value});
    }
    SIM_INLINE constexpr unsigned short to_bits() const { return bits; }

    /* A number rounded in a given direction. */
    static SIM_INLINE constexpr small_float rounded(double value, rounding mode) {
        return from_bits(narrowed<exponent, fraction>(value, mode));
    }
    static SIM_INLINE constexpr small_float rounded(float value, rounding mode) {
        return from_bits(narrowed<exponent, fraction>(value, mode));
    }
    template <class Integer, class = std::enable_if_t<std::is_integral<Integer>::value>>
    static SIM_INLINE constexpr small_float rounded(Integer value, rounding mode) {
        return rounded(std::is_signed<Integer>::value ? double_from_signed(static_cast<long long>(value))
                                                      : double_from(static_cast<unsigned long long>(value)),
                       mode);
    }

    /* ---- arithmetic ---- */

#define SIM_BINARY(symbol, function)                                                                         \
    friend SIM_INLINE small_float operator symbol(const small_float &a, const small_float &b) {              \
        return small_float(static_cast<float>(a) symbol static_cast<float>(b));                              \
    }                                                                                                        \
    friend SIM_INLINE small_float &operator symbol##=(small_float &a, const small_float &b) {                \
        return a = a symbol b;                                                                               \
    }                                                                                                        \
    friend SIM_INLINE small_float function(small_float a, small_float b) {                                   \
        return a symbol b;                                                                                   \
    }                                                                                                        \
    friend SIM_INLINE small_float function##_rn(small_float a, small_float b) {                              \
        return a symbol b;                                                                                   \
    }                                                                                                        \
    friend SIM_INLINE small_float function##_sat(small_float a, small_float b) {                             \
        return saturate(a symbol b);                                                                         \
    }

    SIM_BINARY(+, __hadd)
    SIM_BINARY(-, __hsub)
    SIM_BINARY(*, __hmul)
    SIM_BINARY(/, __hdiv)
#undef SIM_BINARY

    friend SIM_INLINE small_float operator+(const small_float &a) {
        return a;
    }
    friend SIM_INLINE small_float operator-(const small_float &a) {
        return __hneg(a);
    }
    friend SIM_INLINE small_float &operator++(small_float &a) {
        return a += small_float(1.0f);
    }
    friend SIM_INLINE small_float &operator--(small_float &a) {
        return a -= small_float(1.0f);
    }
    friend SIM_INLINE small_float operator++(small_float &a, int) {
        const small_float before = a;
        ++a;
        return before;
    }
    friend SIM_INLINE small_float operator--(small_float &a, int) {
        const small_float before = a;
        --a;
        return before;
    }

    friend SIM_INLINE small_float __hneg(small_float a) {
        return from_bits(a.bits ^ 0x8000);
    }
    friend SIM_INLINE small_float __habs(small_float a) {
        return from_bits(a.bits & 0x7fff);
    }
    friend SIM_INLINE small_float __hfma(small_float a, small_float b, small_float c) {
        return small_float(
            multiplied_and_added(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
    }
    friend SIM_INLINE small_float __hfma_sat(small_float a, small_float b, small_float c) {
        return saturate(__hfma(a, b, c));
    }
    friend SIM_INLINE small_float __hfma_relu(small_float a, small_float b, small_float c) {
        const small_float result = __hfma(a, b, c);
        return static_cast<float>(result) < 0 ? small_float(0.0f) : result;
    }

    /* ---- comparison: false with a NaN, except !=; the forms in u are true with one ---- */

#define SIM_COMPARISON(symbol, function)                                                                     \
    friend SIM_INLINE bool operator symbol(const small_float &a, const small_float &b) {                     \
        return static_cast<float>(a) symbol static_cast<float>(b);                                           \
    }                                                                                                        \
    friend SIM_INLINE bool function(small_float a, small_float b) {                                          \
        return a symbol b && !__hisnan(a) && !__hisnan(b);                                                   \
    }                                                                                                        \
    friend SIM_INLINE bool function##u(small_float a, small_float b) {                                       \
        return a symbol b || __hisnan(a) || __hisnan(b);                                                     \
    }

    SIM_COMPARISON(==, __heq)
    SIM_COMPARISON(!=, __hne)
    SIM_COMPARISON(<, __hlt)
    SIM_COMPARISON(<=, __hle)
    SIM_COMPARISON(>, __hgt)
    SIM_COMPARISON(>=, __hge)
#undef SIM_COMPARISON

    friend SIM_INLINE bool __hisnan(small_float a) {
        return (a.bits & 0x7fff) > infinity;
    }
    friend SIM_INLINE int __hisinf(small_float a) {
        return (a.bits & 0x7fff) == infinity ? (a.bits & 0x8000 ? -1 : 1) : 0;
    }

    /* Without a NaN where one argument is a number; +0 is more than -0. */
    friend SIM_INLINE small_float __hmax(small_float a, small_float b) {
        return __hisnan(a) ? canonical(b) : __hisnan(b) || in_order(b) < in_order(a) ? a : b;
    }
    friend SIM_INLINE small_float __hmin(small_float a, small_float b) {
        return __hisnan(a) ? canonical(b) : __hisnan(b) || in_order(a) < in_order(b) ? a : b;
    }
    friend SIM_INLINE small_float __hmax_nan(small_float a, small_float b) {
        return __hisnan(a) || __hisnan(b) ? from_bits(0x7fff) : __hmax(a, b);
    }
    friend SIM_INLINE small_float __hmin_nan(small_float a, small_float b) {
        return __hisnan(a) || __hisnan(b) ? from_bits(0x7fff) : __hmin(a, b);
    }

    /* ---- functions, computed in double and rounded once ---- */

#define SIM_FUNCTION(name, expression)                                                                       \
    friend SIM_INLINE small_float name(small_float a) {                                                      \
        const double x = static_cast<float>(a);                                                              \
        return small_float(static_cast<double>(expression));                                                 \
    }

    SIM_FUNCTION(hexp, ::exp(x))
    SIM_FUNCTION(hexp2, ::exp2(x))
    SIM_FUNCTION(hexp10, ::pow(10.0, x))
    SIM_FUNCTION(hlog, ::log(x))
    SIM_FUNCTION(hlog2, ::log2(x))
    SIM_FUNCTION(hlog10, ::log10(x))
    SIM_FUNCTION(hsin, ::sin(x))
    SIM_FUNCTION(hcos, ::cos(x))
    SIM_FUNCTION(htanh, ::tanh(x))
    SIM_FUNCTION(htanh_approx, ::tanh(x))
    SIM_FUNCTION(hsqrt, ::sqrt(x))
    SIM_FUNCTION(hrsqrt, 1.0 / ::sqrt(x))
    SIM_FUNCTION(hrcp, 1.0 / x)
    SIM_FUNCTION(hceil, ::ceil(x))
    SIM_FUNCTION(hfloor, ::floor(x))
    SIM_FUNCTION(hrint, ::rint(x))
    SIM_FUNCTION(htrunc, ::trunc(x))
#undef SIM_FUNCTION

  private:
    static constexpr unsigned infinity = ((1u << exponent) - 1) << fraction;

    static SIM_INLINE small_float saturate(small_float a) {
        const float value = static_cast<float>(a);
        return value > 0 ? (value < 1 ? a : small_float(1.0f)) : small_float(0.0f);
    }
    static SIM_INLINE small_float canonical(small_float a) {
        return __hisnan(a) ? from_bits(0x7fff) : a;
    }
    static SIM_INLINE int in_order(small_float a) {
        return a.bits & 0x8000 ? -1 - (a.bits & 0x7fff) : a.bits;
    }

    unsigned short bits;
};

} // namespace sim

#endif
