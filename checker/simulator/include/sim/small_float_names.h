/* The names that differ between cuda_fp16.h and cuda_bf16.h only in the name of the type. Each of the two
 * includes this file once, with SIM_TYPE (__half), SIM_PAIR (__half2), SIM_NAME (half) and SIM_PAIR_NAME
 * (half2) defined. */

#define SIM_JOIN_(a, b, c) a##b##c
#define SIM_JOIN(a, b, c) SIM_JOIN_(a, b, c)

/* ---- conversions ---- */

#define SIM_FROM(direction, mode, name, type)                                                                \
    SIM_INLINE SIM_TYPE SIM_JOIN(__##name##2, SIM_NAME, _##direction)(type value) {                          \
        return SIM_TYPE::rounded(value, sim::mode);                                                          \
    }
#define SIM_TO(direction, function, name, type)                                                              \
    SIM_INLINE type SIM_JOIN(__, SIM_NAME, 2##name##_##direction)(SIM_TYPE value) {                          \
        return sim::saturated<type>(::function(static_cast<double>(static_cast<float>(value))));             \
    }
#define SIM_INTEGER(name, type)                                                                              \
    SIM_TO(rn, rint, name, type)                                                                             \
    SIM_TO(rz, trunc, name, type)                                                                            \
    SIM_TO(ru, ceil, name, type)                                                                             \
    SIM_TO(rd, floor, name, type)                                                                            \
    SIM_FROM(rn, TO_NEAREST_EVEN, name, type)                                                                \
    SIM_FROM(rz, TOWARD_ZERO, name, type)                                                                    \
    SIM_FROM(ru, UPWARD, name, type)                                                                         \
    SIM_FROM(rd, DOWNWARD, name, type)

SIM_INTEGER(short, short)
SIM_INTEGER(ushort, unsigned short)
SIM_INTEGER(int, int)
SIM_INTEGER(uint, unsigned int)
SIM_INTEGER(ll, long long)
SIM_INTEGER(ull, unsigned long long)
SIM_FROM(rn, TO_NEAREST_EVEN, float, float)
SIM_FROM(rz, TOWARD_ZERO, float, float)
SIM_FROM(ru, UPWARD, float, float)
SIM_FROM(rd, DOWNWARD, float, float)

#undef SIM_FROM
#undef SIM_TO
#undef SIM_INTEGER

SIM_INLINE SIM_TYPE SIM_JOIN(__float2, SIM_NAME, )(float value) {
    return SIM_TYPE(value);
}
SIM_INLINE SIM_TYPE SIM_JOIN(__double2, SIM_NAME, )(double value) {
    return SIM_TYPE(value);
}
SIM_INLINE float SIM_JOIN(__, SIM_NAME, 2float)(SIM_TYPE value) {
    return value;
}
SIM_INLINE float2 SIM_JOIN(__, SIM_PAIR_NAME, 2float2)(SIM_PAIR value) {
    return {value.x, value.y};
}
SIM_INLINE SIM_PAIR SIM_JOIN(__float2, SIM_PAIR_NAME, _rn)(float value) {
    return {SIM_TYPE(value), SIM_TYPE(value)};
}
SIM_INLINE SIM_PAIR SIM_JOIN(__float22, SIM_PAIR_NAME, _rn)(float2 value) {
    return {SIM_TYPE(value.x), SIM_TYPE(value.y)};
}
SIM_INLINE SIM_PAIR SIM_JOIN(__floats2, SIM_PAIR_NAME, _rn)(float low, float high) {
    return {SIM_TYPE(low), SIM_TYPE(high)};
}

/* ---- bits ---- */

SIM_INLINE unsigned short SIM_JOIN(__, SIM_NAME, _as_ushort)(SIM_TYPE value) {
    return value.to_bits();
}
SIM_INLINE short SIM_JOIN(__, SIM_NAME, _as_short)(SIM_TYPE value) {
    return static_cast<short>(value.to_bits());
}
SIM_INLINE SIM_TYPE SIM_JOIN(__ushort_as_, SIM_NAME, )(unsigned short bits) {
    return SIM_TYPE::from_bits(bits);
}
SIM_INLINE SIM_TYPE SIM_JOIN(__short_as_, SIM_NAME, )(short bits) {
    return SIM_TYPE::from_bits(static_cast<unsigned short>(bits));
}

/* ---- pairs ---- */

SIM_INLINE SIM_PAIR SIM_JOIN(make_, SIM_PAIR_NAME, )(SIM_TYPE x, SIM_TYPE y) {
    return {x, y};
}
SIM_INLINE SIM_PAIR SIM_JOIN(__halves2, SIM_PAIR_NAME, )(SIM_TYPE low, SIM_TYPE high) {
    return {low, high};
}
SIM_INLINE SIM_PAIR SIM_JOIN(__, SIM_NAME, SIM_TO_PAIR)(SIM_TYPE value) {
    return {value, value};
}
SIM_INLINE SIM_TYPE SIM_JOIN(__low2, SIM_NAME, )(SIM_PAIR value) {
    return value.x;
}
SIM_INLINE SIM_TYPE SIM_JOIN(__high2, SIM_NAME, )(SIM_PAIR value) {
    return value.y;
}
SIM_INLINE SIM_PAIR SIM_JOIN(__low2, SIM_PAIR_NAME, )(SIM_PAIR value) {
    return {value.x, value.x};
}
SIM_INLINE SIM_PAIR SIM_JOIN(__high2, SIM_PAIR_NAME, )(SIM_PAIR value) {
    return {value.y, value.y};
}
SIM_INLINE SIM_PAIR SIM_JOIN(__lows2, SIM_PAIR_NAME, )(SIM_PAIR a, SIM_PAIR b) {
    return {a.x, b.x};
}
SIM_INLINE SIM_PAIR SIM_JOIN(__highs2, SIM_PAIR_NAME, )(SIM_PAIR a, SIM_PAIR b) {
    return {a.y, b.y};
}

/* ---- other threads ---- */

SIM_SHUFFLES(SIM_TYPE)
SIM_SHUFFLES(SIM_PAIR)
SIM_ATOMIC(atomicAdd, add, SIM_TYPE)
SIM_ATOMIC(atomicAdd, add, SIM_PAIR)

#undef SIM_JOIN
#undef SIM_JOIN_
