/* The 16-bit floating-point types in plain C: conversions from and to FP64, each with one rounding, to
 * nearest even. So what is expected of a kernel is never computed by the header the kernel uses. */
#ifndef HALF_H
#define HALF_H

#include <stdint.h>

/* IEEE 754 binary16: 5 bits of exponent, 10 of mantissa. */
uint16_t half_from_double(double value);
double half_to_double(uint16_t bits);

/* bfloat16: the upper half of an FP32, 8 bits of exponent, 7 of mantissa. */
uint16_t bfloat16_from_double(double value);
double bfloat16_to_double(uint16_t bits);

#endif
