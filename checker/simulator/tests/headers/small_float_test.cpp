/* half and bfloat16 against a reference that shares nothing with them: a table of every finite value, made
 * from the format's definition with ldexp, in which the nearest is looked up. Rounding is tried at each
 * value, at each middle between two neighbours, and one step of double and of float beside each. */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* The finite numbers of a format that are not negative, by their bits, which are in order. */
struct format {
    int exponent, fraction, finite;
    double value[1 << 15];
};

static struct format half_format = {5, 10, 0, {}}, bfloat16_format = {8, 7, 0, {}};

static void fill(struct format *format) {
    const int bias = (1 << (format->exponent - 1)) - 1, steps = 1 << format->fraction;
    format->finite = ((1 << format->exponent) - 1) << format->fraction;
    for (int bits = 0; bits < format->finite; bits++) {
        const int field = bits / steps, low = bits % steps;
        format->value[bits] = field ? ldexp(steps + low, field - bias - format->fraction)
                                    : ldexp(low, 1 - bias - format->fraction);
    }
}

enum mode { NEAREST, ZERO, UP, DOWN };

/* The bits that `x` rounds to, by the table. One past the greatest number stands infinity, as if it were the
 * next. */
static unsigned reference(const struct format *format, double x, enum mode mode) {
    const unsigned sign = signbit(x) ? 0x8000 : 0;
    const double magnitude = fabs(x), greatest = format->value[format->finite - 1];
    const double next = greatest + (greatest - format->value[format->finite - 2]);
    if (isnan(x))
        return 0x7fff;
    if (isinf(x))
        return sign | format->finite;
    int below = 0, above = format->finite;
    while (above - below > 1) {
        const int middle = (below + above) / 2;
        if (format->value[middle] <= magnitude)
            below = middle;
        else
            above = middle;
    }
    if (format->value[below] == magnitude)
        return sign | below;
    const double high = above == format->finite ? next : format->value[above];
    const bool outward = mode == (sign ? DOWN : UP), inward = mode == ZERO || mode == (sign ? UP : DOWN);
    if (outward || inward)
        return sign | (outward ? above : below);
    if (magnitude - format->value[below] != high - magnitude)
        return sign | (magnitude - format->value[below] < high - magnitude ? below : above);
    return sign | (below % 2 ? above : below);
}

/* How each type is asked. */
struct half_type {
    static unsigned from(double x) { return __half_as_ushort(__double2half(x)); }
    static unsigned from(float x, enum mode mode) {
        return __half_as_ushort(mode == NEAREST ? __float2half_rn(x)
                                : mode == ZERO  ? __float2half_rz(x)
                                : mode == UP    ? __float2half_ru(x)
                                                : __float2half_rd(x));
    }
    static float to(unsigned bits) { return __half2float(__ushort_as_half(bits)); }
    typedef __half type;
};
struct bfloat16_type {
    static unsigned from(double x) { return __bfloat16_as_ushort(__double2bfloat16(x)); }
    static unsigned from(float x, enum mode mode) {
        return __bfloat16_as_ushort(mode == NEAREST ? __float2bfloat16_rn(x)
                                    : mode == ZERO  ? __float2bfloat16_rz(x)
                                    : mode == UP    ? __float2bfloat16_ru(x)
                                                    : __float2bfloat16_rd(x));
    }
    static float to(unsigned bits) { return __bfloat162float(__ushort_as_bfloat16(bits)); }
    typedef __nv_bfloat16 type;
};

template <class Type> static void try_double(const struct format *format, double x) {
    const unsigned got = Type::from(x), wanted = reference(format, x, NEAREST);
    ck_assert_msg(got == wanted, "%a became 0x%04x and not 0x%04x", x, got, wanted);
}

template <class Type> static void try_float(const struct format *format, float x) {
    for (int mode = NEAREST; mode <= DOWN; mode++) {
        const unsigned got = Type::from(x, static_cast<enum mode>(mode));
        const unsigned wanted = reference(format, x, static_cast<enum mode>(mode));
        ck_assert_msg(got == wanted, "%a in mode %d became 0x%04x and not 0x%04x", x, mode, got, wanted);
    }
}

template <class Type> static void try_around(const struct format *format, double x) {
    for (int sign = -1; sign <= 1; sign += 2) {
        try_double<Type>(format, sign * x);
        try_double<Type>(format, sign * nextafter(x, INFINITY));
        try_double<Type>(format, sign * nextafter(x, 0));
        const float narrow = static_cast<float>(sign * x);
        try_float<Type>(format, narrow);
        try_float<Type>(format, nextafterf(narrow, INFINITY));
        try_float<Type>(format, nextafterf(narrow, -INFINITY));
    }
}

template <class Type> static void every_pattern(const struct format *format) {
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        const int magnitude = bits & 0x7fff;
        const float x = Type::to(bits);
        if (magnitude > format->finite) {
            ck_assert_msg(isnan(x), "0x%04x is a NaN and became %a", bits, x);
            ck_assert_uint_eq(Type::from(x, NEAREST), 0x7fff);
            continue;
        }
        const double wanted = magnitude == format->finite ? INFINITY : format->value[magnitude];
        ck_assert_msg(fabs(x) == wanted && !signbit(x) == !(bits & 0x8000), "0x%04x became %a", bits, x);
        ck_assert_uint_eq(Type::from(x, NEAREST), bits);
        ck_assert_uint_eq(Type::from(static_cast<double>(x)), bits);
    }
}

template <class Type> static void every_neighbourhood(const struct format *format) {
    for (int bits = 0; bits + 1 < format->finite; bits++) {
        const double low = format->value[bits], high = format->value[bits + 1];
        try_around<Type>(format, low);
        try_around<Type>(format, low + (high - low) / 2);
    }
    const double greatest = format->value[format->finite - 1],
                 step = greatest - format->value[format->finite - 2];
    const double extreme[] = {greatest, greatest + step / 2, greatest + step, 2 * greatest,
                              3.4e38,   0x1.fffffffp127};
    for (double x : extreme)
        try_around<Type>(format, x);
    const double tiny[] = {
        0, 4.9e-324, 2.3e-308, 1e-300, 1e-45, 1e-40, format->value[1] / 4, format->value[1] * 0.75};
    for (double x : tiny)
        try_around<Type>(format, x);
    const double large[] = {1e39, 1e300, 1.7976931348623157e308, INFINITY};
    for (double x : large) {
        try_double<Type>(format, x);
        try_double<Type>(format, -x);
    }
}

START_TEST(half_every_pattern)
{ every_pattern<half_type>(&half_format); }
END_TEST
START_TEST(bfloat16_every_pattern)
{ every_pattern<bfloat16_type>(&bfloat16_format); }
END_TEST
START_TEST(half_every_neighbourhood)
{ every_neighbourhood<half_type>(&half_format); }
END_TEST
START_TEST(bfloat16_every_neighbourhood)
{ every_neighbourhood<bfloat16_type>(&bfloat16_format); }
END_TEST

/* + - * / and fma of values from the whole range, against long double, which holds every one of these results
 * of half exactly enough: 64 digits, and the quotient of 11-digit numbers is never so near to a tie. */
template <class Type> static void arithmetic(const struct format *format) {
    typedef typename Type::type number;
    srand(1);
    for (int i = 0; i < 300000; i++) {
        unsigned bits[3];
        long double x[3];
        for (int k = 0; k < 3; k++) {
            bits[k] = static_cast<unsigned>(rand() % format->finite);
            /* Every other time near the first, where sums cancel and round. */
            if (k && i % 2) {
                const int near =
                    static_cast<int>(bits[0]) + rand() % (16 << format->fraction) - (8 << format->fraction);
                bits[k] = static_cast<unsigned>(near < 0                 ? 0
                                                : near >= format->finite ? format->finite - 1
                                                                         : near);
            }
            x[k] = format->value[bits[k]] * (rand() % 2 ? 1 : -1);
            bits[k] |= signbit(x[k]) ? 0x8000 : 0;
        }
        const number a = number::from_bits(bits[0]), b = number::from_bits(bits[1]),
                     c = number::from_bits(bits[2]);
        const long double wanted[] = {x[0] + x[1], x[0] - x[1], x[0] * x[1], x[0] / x[1]};
        const number got[] = {a + b, a - b, a * b, a / b};
        for (int k = 0; k < 4; k++) {
            if (wanted[k] == 0 || wanted[k] != wanted[k])
                continue;
            const unsigned right = reference(format, static_cast<double>(wanted[k]), NEAREST);
            ck_assert_msg(got[k].to_bits() == right, "operation %d of %La and %La: 0x%04x and not 0x%04x", k,
                          x[0], x[1], got[k].to_bits(), right);
        }
        /* Exact where the exponents lie close enough for 64 digits; elsewhere the case is left out. */
        const long double product = x[0] * x[1], sum = product + x[2];
        if (sum == 0 || sum - product != x[2] || sum - x[2] != product || static_cast<double>(sum) != sum)
            continue;
        const unsigned right = reference(format, static_cast<double>(sum), NEAREST);
        ck_assert_msg(__hfma(a, b, c).to_bits() == right, "fma of %La, %La, %La: 0x%04x and not 0x%04x", x[0],
                      x[1], x[2], __hfma(a, b, c).to_bits(), right);
    }
}

START_TEST(half_arithmetic)
{ arithmetic<half_type>(&half_format); }
END_TEST
START_TEST(bfloat16_arithmetic)
{ arithmetic<bfloat16_type>(&bfloat16_format); }
END_TEST

/* Products that are ties of bfloat16, and an addend too small to be seen in a double beside them: it decides.
 */
START_TEST(fma_rounds_once)
{
    const float tiny = 0x1p-100f;
    const __nv_bfloat16 seven = 7.0f, nine = 9.0f, b = 37.0f / 256, c = 29.0f / 256;
    const struct {
        __nv_bfloat16 a, b, c;
        float wanted;
    } cases[] = {{seven, b, 0.0f, 130.0f / 128},  {seven, b, tiny, 130.0f / 128},
                 {seven, b, -tiny, 129.0f / 128}, {nine, c, 0.0f, 130.0f / 128},
                 {nine, c, tiny, 131.0f / 128},   {nine, c, -tiny, 130.0f / 128}};
    for (const auto &one : cases) {
        ck_assert_float_eq(static_cast<float>(__hfma(one.a, one.b, one.c)), one.wanted);
        ck_assert_float_eq(static_cast<float>(__hfma(-one.a, one.b, -one.c)), -one.wanted);
    }
    ck_assert(isnan(static_cast<float>(__hfma(seven, CUDART_INF_BF16, -CUDART_INF_BF16))));
    ck_assert_float_eq(static_cast<float>(__hfma(seven, CUDART_INF_BF16, nine)), INFINITY);
}
END_TEST

START_TEST(integers)
{
    ck_assert_uint_eq(__half_as_ushort(__half(2049)), 0x6800); /* a tie: 2048 */
    ck_assert_uint_eq(__half_as_ushort(__half(2051)), 0x6802); /* a tie: 2052 */
    ck_assert_uint_eq(__half_as_ushort(__int2half_rz(2051)), 0x6801);
    ck_assert_uint_eq(__half_as_ushort(__half(65520)), 0x7c00); /* infinity from here on */
    ck_assert_uint_eq(__half_as_ushort(__half(65519)), 0x7bff);
    ck_assert_uint_eq(__half_as_ushort(__half(-1)), 0xbc00);
    /* 2^62 + 2^54 is a tie of bfloat16; one more is not, and a double cannot tell. */
    const long long tie = (1ll << 62) + (1ll << 54);
    ck_assert_uint_eq(__bfloat16_as_ushort(__nv_bfloat16(tie)), 0x5e80);
    ck_assert_uint_eq(__bfloat16_as_ushort(__nv_bfloat16(tie + 1)), 0x5e81);
    ck_assert_uint_eq(__bfloat16_as_ushort(__nv_bfloat16(-tie - 1)), 0xde81);
    ck_assert_uint_eq(__bfloat16_as_ushort(__nv_bfloat16(~0ull)), 0x5f80);
    ck_assert_int_eq(__half2int_rn(__half(2.5f)), 2);
    ck_assert_int_eq(__half2int_ru(__half(2.5f)), 3);
    ck_assert_int_eq(__half2int_rd(__half(-2.5f)), -3);
    ck_assert_int_eq(__half2int_rz(__half(-2.5f)), -2);
    ck_assert_int_eq(__half2short_rz(__half(INFINITY)), 32767);
    ck_assert_int_eq(__half2int_rz(__half(NAN)), 0);
}
END_TEST

START_TEST(comparison_and_extremes)
{
    const __half nan = __ushort_as_half(0x7e00), one = 1.0f, two = 2.0f, zero = 0.0f, minus_zero = -0.0f;
    ck_assert(one < two && two > one && one <= one && one != two && zero == minus_zero);
    ck_assert(!(nan == nan) && nan != nan && !(nan < one) && !__hne(nan, one) && __hneu(nan, one) &&
              __hltu(nan, one));
    ck_assert_uint_eq(__half_as_ushort(__hmax(nan, one)), 0x3c00);
    ck_assert_uint_eq(__half_as_ushort(__hmin(one, nan)), 0x3c00);
    ck_assert_uint_eq(__half_as_ushort(__hmax(nan, nan)), 0x7fff);
    ck_assert_uint_eq(__half_as_ushort(__hmax_nan(nan, one)), 0x7fff);
    ck_assert_uint_eq(__half_as_ushort(__hmax(minus_zero, zero)), 0x0000);
    ck_assert_uint_eq(__half_as_ushort(__hmin(zero, minus_zero)), 0x8000);
    ck_assert_uint_eq(__half_as_ushort(__hmax(__half(-2.0f), __half(-3.0f))), 0xc000);
    ck_assert_uint_eq(__half_as_ushort(-one), 0xbc00);
    ck_assert_int_eq(__hisinf(-CUDART_INF_FP16), -1);
    ck_assert(__hisnan(CUDART_NAN_FP16) && !__hisnan(CUDART_INF_FP16));
    ck_assert_float_eq(static_cast<float>(hexp(one)), 2.71875f); /* e to 11 digits */
}
END_TEST

START_TEST(pairs)
{
    const __half2 a = __floats2half2_rn(1.0f, 2.0f), b = __halves2half2(__half(3.0f), __half(4.0f));
    const float2 sum = __half22float2(__hadd2(a, b)), product = __half22float2(a * b);
    ck_assert(sum.x == 4 && sum.y == 6 && product.x == 3 && product.y == 8);
    ck_assert(__low2float(a) == 1 && __high2float(a) == 2 && static_cast<float>(__high2half(b)) == 4);
    ck_assert(a == a && a != b && __hblt2(a, b) && !__hbgt2(a, b));
    ck_assert_uint_eq(__hgt2_mask(__floats2half2_rn(1, 5), __floats2half2_rn(2, 4)), 0xffff0000u);
    const __nv_bfloat162 c = __float22bfloat162_rn(make_float2(1.5f, -2.0f));
    ck_assert(__bfloat1622float2(__hneg2(c)).x == -1.5f && __low2float(__lowhigh2highlow(c)) == -2.0f);
    ck_assert_uint_eq(sizeof(__half2), 4);
    ck_assert_uint_eq(alignof(__nv_bfloat162), 4);
}
END_TEST

int main(void) {
    fill(&half_format);
    fill(&bfloat16_format);
    Suite *suite = suite_create("small floats");
    TCase *group = tcase_create("half and bfloat16");
    tcase_set_timeout(group, 120);
    tcase_add_test(group, half_every_pattern);
    tcase_add_test(group, bfloat16_every_pattern);
    tcase_add_test(group, half_every_neighbourhood);
    tcase_add_test(group, bfloat16_every_neighbourhood);
    tcase_add_test(group, half_arithmetic);
    tcase_add_test(group, bfloat16_arithmetic);
    tcase_add_test(group, fma_rounds_once);
    tcase_add_test(group, integers);
    tcase_add_test(group, comparison_and_extremes);
    tcase_add_test(group, pairs);
    suite_add_tcase(suite, group);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
