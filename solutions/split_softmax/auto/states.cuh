/* States: the maximum of some values, and the sum of exp(value - maximum) over them. */
#pragma once
#include "stretch.cuh"

struct chunk_state {
    float max, sum;
};

/* What to subtract before the exponential: the maximum, or 0 where all is masked, for -inf - -inf would be
 * NaN. */
static __device__ float shift_of(float max) {
    return max == -INFINITY ? 0.0f : max;
}

/* The maximum and the sum over a warp, in every lane. All 32 lanes call. */
static __device__ float warp_max(float value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance));
    return value;
}
static __device__ float warp_sum(float value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    return value;
}

/* The states of all lanes, merged. A sum counts from its own maximum; the exponential makes it count from the common
 * one. */
static __device__ chunk_state merge_lanes(chunk_state mine) {
    const float max = warp_max(mine.max);
    return chunk_state{max, warp_sum(mine.sum * __expf(mine.max - shift_of(max)))};
}

/* The state of what a lane holds. A NaN is passed over by the maximum and makes the sum NaN. */
template <typename T, int GROUPS> static __device__ chunk_state state_of_lane(const held<T, GROUPS> &mine) {
    const int values = GROUPS * 16 / sizeof(T);
    float max = mine.edge;
    max = fmaxf(max, -INFINITY);
#pragma unroll
    for (int i = 0; i < values; i++)
        max = fmaxf(max, mine.value[i]);
    const float shift = shift_of(max);
    float even = 0.0f, odd = 0.0f; /* two sums: an addition need not wait for the one before it */
#pragma unroll
    for (int i = 0; i < values; i += 2) {
        even += __expf(mine.value[i] - shift);
        odd += __expf(mine.value[i + 1] - shift);
    }
    return chunk_state{max, even + odd + __expf(mine.edge - shift)};
}

/* The states of a row's chunks, read and merged by a warp, in every lane. Maxima and sums are loaded together: memory is
 * waited for once, and not for the maxima first and then for the sums. */
static __device__ chunk_state merge_row(const float *maxima, const float *sums, int chunks) {
    chunk_state all = {-INFINITY, 0.0f};
#pragma unroll 4
    for (int index = threadIdx.x % WARP; index < chunks; index += WARP) {
        const chunk_state one = {maxima[index], sums[index]};
        const float max = fmaxf(all.max, one.max), shift = shift_of(max);
        all = chunk_state{max, all.sum * __expf(all.max - shift) + one.sum * __expf(one.max - shift)};
    }
    return merge_lanes(all);
}
