/* Rounding to a floating-point format of 16 bits and back, bit by bit, so that half and bfloat16 come out as
 * the hardware's. A format has `exponent` and `fraction` bits beside its sign; 5 and 10 are half, 8 and 7
 * bfloat16.
 *
 * Everything starts from a double: float and every integer up to 53 bits fit one exactly, so there is one
 * rounding. */
#ifndef SIM_SMALL_FLOAT_ROUNDING_H
#define SIM_SMALL_FLOAT_ROUNDING_H

#include <stdint.h>

#include "compiler.h"

namespace sim {

enum rounding { TO_NEAREST_EVEN, TOWARD_ZERO, UPWARD, DOWNWARD };

/* The bits of the number of the format that `value` rounds to. NaN becomes 0x7fff, as CUDA has it. */
template <int exponent, int fraction>
SIM_ON_HOST SIM_ON_DEVICE __attribute__((nodebug)) constexpr uint16_t narrowed(double value, rounding mode) {
    const uint64_t bits = __builtin_bit_cast(uint64_t, value);
    const bool negative = bits >> 63;
    const int bias = (1 << (exponent - 1)) - 1;
    const uint32_t sign = negative ? 0x8000 : 0, infinity = ((1u << exponent) - 1) << fraction;
    const int field = bits >> 52 & 0x7ff;
    const uint64_t low = bits & ((1ull << 52) - 1);
    if (field == 0x7ff)
        return low ? 0x7fff : sign | infinity;

    /* |value| = significand * 2^(scale - 52). Below the smallest normal number the format's exponent stays
     * put, and more bits are cut off. */
    const uint64_t significand = field ? low | 1ull << 52 : low;
    const int scale = (field ? field : 1) - 1023;
    const int format_scale = scale < 1 - bias ? 1 - bias : scale;
    int cut = 52 - fraction + format_scale - scale;
    if (cut > 60)
        cut = 60; /* all of it, and less than half of the last place */
    const uint64_t rest = significand & ((1ull << cut) - 1), half = 1ull << (cut - 1);
    uint64_t kept = significand >> cut;
    switch (mode) {
    case TO_NEAREST_EVEN:
        kept += rest > half || (rest == half && (kept & 1));
        break;
    case UPWARD:
        kept += rest && !negative;
        break;
    case DOWNWARD:
        kept += rest && negative;
        break;
    case TOWARD_ZERO:
        break;
    }
    /* A carry out of the fraction raises the exponent, up to infinity, by itself. */
    const uint64_t magnitude =
        format_scale > bias ? infinity : (static_cast<uint64_t>(format_scale + bias - 1) << fraction) + kept;
    if (magnitude >= infinity) {
        const bool away =
            mode == TO_NEAREST_EVEN || (mode == UPWARD && !negative) || (mode == DOWNWARD && negative);
        return sign | (away ? infinity : infinity - 1);
    }
    return sign | magnitude;
}

/* The value of those bits, exactly. */
template <int exponent, int fraction>
SIM_ON_HOST SIM_ON_DEVICE __attribute__((nodebug)) constexpr float widened(uint16_t bits) {
    const uint32_t sign = static_cast<uint32_t>(bits >> 15) << 31;
    const uint32_t field = bits >> fraction & ((1u << exponent) - 1), low = bits & ((1u << fraction) - 1);
    const int bias = (1 << (exponent - 1)) - 1;
    if (field == 0 && bias != 127) { /* bfloat16's subnormal numbers are float's */
        const float magnitude =
            static_cast<float>(low) * __builtin_bit_cast(float, (128 - bias - fraction) << 23);
        return sign ? -magnitude : magnitude;
    }
    const uint32_t float_field = field == (1u << exponent) - 1 ? 255 : field + 127 - bias;
    return __builtin_bit_cast(float, sign | float_field << 23 | low << (23 - fraction));
}

/* An integer as a double that rounds to any small format as the integer would: what does not fit in 53 bits
 * is cut off, but its being there is kept in the last bit. */
SIM_ON_HOST SIM_ON_DEVICE __attribute__((nodebug)) constexpr double
double_from(unsigned long long magnitude) {
    if (magnitude >> 53)
        magnitude = (magnitude & ~0xfffull) | (magnitude & 0xfff ? 0x1000 : 0);
    return static_cast<double>(magnitude);
}
SIM_ON_HOST SIM_ON_DEVICE __attribute__((nodebug)) constexpr double double_from_signed(long long value) {
    return value < 0 ? -double_from(0 - static_cast<unsigned long long>(value))
                     : double_from(static_cast<unsigned long long>(value));
}

/* a * b + c for factors whose product a double holds exactly, rounded to odd: rounding the result once more
 * to a small format is then right. The sum's error is that of Knuth's two-sum. */
SIM_ON_HOST SIM_ON_DEVICE __attribute__((nodebug)) inline double multiplied_and_added(double a, double b,
                                                                                      double c) {
    const double product = a * b, sum = product + c;
    const double part = sum - product;
    const double error = (product - (sum - part)) + (c - part);
    const uint64_t bits = __builtin_bit_cast(uint64_t, sum);
    if (!(error < 0 || error > 0) || (bits & 1) || !(sum - sum == 0))
        return sum;
    return __builtin_bit_cast(double, (error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

} // namespace sim

#endif
