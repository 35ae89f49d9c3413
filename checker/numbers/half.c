/* Conversions of the 16-bit types (see half.h).
 *
 * A value is written as n * 2^e with a whole n, where e is the exponent of the last bit that the type can
 * hold at that size; rounding n is then the one rounding. For a normal value n has the hidden bit, for a
 * subnormal it has not, and in both cases the bits of the type are n plus the exponent field shifted up:
 * an n that rounds up to the next power of two carries into the exponent by itself. */
#include "numbers/half.h"

#include <math.h>

struct format {
    int mantissa_bits;
    int bias;
    int infinity; /* the bits of +inf; those above it are NaNs */
};

static const struct format half_format = {.mantissa_bits = 10, .bias = 15, .infinity = 0x7C00};
static const struct format bfloat16_format = {.mantissa_bits = 7, .bias = 127, .infinity = 0x7F80};

static uint16_t encode(struct format format, double value) {
    unsigned sign = signbit(value) ? 0x8000u : 0;
    if (isnan(value))
        return 0x7FFF; /* as the GPU's conversions give it */
    if (isinf(value))
        return (uint16_t)(sign | (unsigned)format.infinity);
    if (value == 0)
        return (uint16_t)sign;

    int smallest = 1 - format.bias; /* exponent of the smallest normal value */
    int exponent = ilogb(value);
    if (exponent < smallest)
        exponent = smallest;
    long n = lrint(ldexp(fabs(value), format.mantissa_bits - exponent)); /* to nearest even */
    long bits = ((long)(exponent - smallest) << format.mantissa_bits) + n;
    if (bits > format.infinity)
        bits = format.infinity;
    return (uint16_t)(sign | (unsigned)bits);
}

static double decode(struct format format, uint16_t bits) {
    double sign = bits & 0x8000 ? -1 : 1;
    int magnitude = bits & 0x7FFF;
    if (magnitude > format.infinity)
        return NAN;
    if (magnitude == format.infinity)
        return sign * INFINITY;
    int hidden = 1 << format.mantissa_bits;
    int field = magnitude >> format.mantissa_bits, n = magnitude & (hidden - 1);
    if (field > 0)
        n += hidden;
    else
        field = 1; /* subnormal: the smallest exponent, no hidden bit */
    return sign * ldexp(n, field - format.bias - format.mantissa_bits);
}

uint16_t half_from_double(double value) {
    return encode(half_format, value);
}

double half_to_double(uint16_t bits) {
    return decode(half_format, bits);
}

uint16_t bfloat16_from_double(double value) {
    return encode(bfloat16_format, value);
}

double bfloat16_to_double(uint16_t bits) {
    return decode(bfloat16_format, bits);
}
