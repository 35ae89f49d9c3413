/* 16 bytes of a row, and what is computed from them: their state, and their probabilities. Values are taken in pairs, which
 * one instruction converts, compares or rounds. */
#pragma once
#include "ptx.cuh"

static const unsigned ALL_LANES = 0xffffffffu;

/* ---- two neighbouring values ---- */

template <typename T> struct pair_of;
template <> struct pair_of<float> { typedef float2 type; };
template <> struct pair_of<__half> { typedef __half2 type; };
template <> struct pair_of<__nv_bfloat16> { typedef __nv_bfloat162 type; };

static __device__ float2 to_floats(float2 value) {
    return value;
}
static __device__ float2 to_floats(__half2 value) {
    return __half22float2(value);
}
static __device__ float2 to_floats(__nv_bfloat162 value) {
    return __bfloat1622float2(value);
}

static __device__ void round_pair(float2 *out, float2 value) {
    *out = value;
}
static __device__ void round_pair(__half2 *out, float2 value) {
    *out = __float22half2_rn(value);
}
static __device__ void round_pair(__nv_bfloat162 *out, float2 value) {
    *out = __float22bfloat162_rn(value);
}

/* A NaN is passed over, as by fmaxf. */
static __device__ float2 larger(float2 a, float2 b) {
    return make_float2(fmaxf(a.x, b.x), fmaxf(a.y, b.y));
}
static __device__ __half2 larger(__half2 a, __half2 b) {
    return __hmax2(a, b);
}
static __device__ __nv_bfloat162 larger(__nv_bfloat162 a, __nv_bfloat162 b) {
    return __hmax2(a, b);
}

/* 16 bytes, moved by one instruction. */
template <typename T> union group {
    enum { SIZE = 16 / sizeof(T), PAIRS = SIZE / 2 };
    uint4 bits;
    T element[SIZE];
    typename pair_of<T>::type pair[PAIRS];
};

/* A group of which nothing is the row's: -inf throughout, which raises no maximum and adds nothing to a sum. */
template <typename T> static __device__ uint4 masked() {
    typename pair_of<T>::type none;
    round_pair(&none, make_float2(-INFINITY, -INFINITY));
    group<T> g;
#pragma unroll
    for (int p = 0; p < group<T>::PAIRS; p++)
        g.pair[p] = none;
    return g.bits;
}

/* exp(value - shift). A half is at most 65504: multiplied first it does not overflow, and an instruction is saved. */
static const float LOG2_E = 1.4426950408889634f;
template <typename T> static __device__ float exponential(float value, float shift) {
    return power_of_two((value - shift) * LOG2_E);
}
template <> __device__ float exponential<__half>(float value, float shift) {
    return power_of_two(fmaf(value, LOG2_E, -shift * LOG2_E));
}

/* ---- states ---- */

/* The maximum of some values, and the sum of exp(value - max) over them. */
struct alignas(8) state {
    float max, sum;
};

/* The bits of a float as an int of the same order: those of a negative number count backwards. Its own inverse. */
static __device__ int ordered(int bits) {
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}

/* The states of all lanes of a warp, merged, in each lane. One instruction finds the largest int of a warp. */
static __device__ state lanes_merged(state mine) {
    const float max =
        __int_as_float(ordered(__reduce_max_sync(ALL_LANES, ordered(__float_as_int(mine.max)))));
    return state{max, warp_sum(mine.sum * __expf(mine.max - shift_of(max)))};
}

template <typename T> static __device__ float largest(uint4 bits) {
    const group<T> in = {bits};
    typename pair_of<T>::type pair = in.pair[0];
#pragma unroll
    for (int p = 1; p < group<T>::PAIRS; p++)
        pair = larger(pair, in.pair[p]);
    const float2 value = to_floats(pair);
    return fmaxf(value.x, value.y);
}

/* The state of what a thread holds. Four sums, so that an addition does not wait for the one before it. */
template <typename T, int GROUPS> static __device__ state state_of(const uint4 (&held)[GROUPS]) {
    float max = -INFINITY;
#pragma unroll
    for (int g = 0; g < GROUPS; g++)
        max = fmaxf(max, largest<T>(held[g]));

    const float shift = shift_of(max);
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        const group<T> in = {held[g]};
#pragma unroll
        for (int p = 0; p < group<T>::PAIRS; p++) {
            const float2 value = to_floats(in.pair[p]);
            sum[2 * p % 4] += exponential<T>(value.x, shift);
            sum[2 * p % 4 + 1] += exponential<T>(value.y, shift);
        }
    }
    return state{max, (sum[0] + sum[1]) + (sum[2] + sum[3])};
}

/* exp(value - shift) * scale for a whole group. */
template <typename T> static __device__ uint4 probabilities(uint4 bits, float shift, float scale) {
    const group<T> in = {bits};
    group<T> out;
#pragma unroll
    for (int p = 0; p < group<T>::PAIRS; p++) {
        const float2 value = to_floats(in.pair[p]);
        round_pair(&out.pair[p], make_float2(exponential<T>(value.x, shift) * scale,
                                             exponential<T>(value.y, shift) * scale));
    }
    return out.bits;
}
