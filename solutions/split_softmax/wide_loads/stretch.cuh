/* Up to 1024 neighbouring columns of a row, in the registers of one warp: 16 bytes a load, 16 bytes a store.
 *
 * A stretch is whole groups of 16 bytes (4 floats or 8 halves), and an edge: the columns before the first group and after
 * the last. Where the number of columns is odd each row starts elsewhere, so the first group starts at the first multiple
 * of 16. A stretch of 16 floats, say, that starts 4 bytes after one:
 *
 *   columns      0 1 2 | 3 4 5 6 | 7 8 9 10 | 11 12 13 14 | 15
 *                edge    group 0   group 1    group 2       edge
 *
 * Lane l holds the groups l, l + 32, l + 64 ... and column l of the edge, which is at most 14 columns long. All loads are
 * on their way before the first value is needed. Nothing is loaded or stored that is not the stretch's own. */
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdint.h>

enum { WARP = 32 };

static __device__ float to_float(float value) {
    return value;
}
static __device__ float to_float(__half value) {
    return __half2float(value);
}
static __device__ float to_float(__nv_bfloat16 value) {
    return __bfloat162float(value);
}

/* Rounds to nearest even. */
static __device__ void round_to(float *out, float value) {
    *out = value;
}
static __device__ void round_to(__half *out, float value) {
    *out = __float2half_rn(value);
}
static __device__ void round_to(__nv_bfloat16 *out, float value) {
    *out = __float2bfloat16_rn(value);
}

/* 16 bytes, moved by one instruction. */
template <typename T> union bytes16 {
    uint4 bits;
    T element[16 / sizeof(T)];
};

/* Where a stretch lies. */
struct stretch {
    int start;   /* its first element, counted from x; rows * cols < 2^31: an int holds it */
    int columns; /* 0: nothing is left for this warp */
    int before;  /* columns of the edge before the first group */
    int groups;
};

/* Pointers to a matrix are multiples of 256 bytes, so an element's index says how far from a multiple of 16 it is. */
template <typename T> static __device__ stretch make_stretch(int start, int columns) {
    const int size = 16 / sizeof(T);
    stretch s = {start, columns, 0, 0};
    s.before = min((size - start % size) % size, columns);
    s.groups = (columns - s.before) / size;
    return s;
}

/* Which column of the stretch this lane has of the edge; columns or more stands for none. */
template <typename T> static __device__ int edge_column(stretch s, int lane) {
    return lane < s.before ? lane : lane + s.groups * (int)(16 / sizeof(T));
}

/* What a lane holds, as floats. Where there is no column for it, -inf, as if masked: that raises no maximum, as 0 would in
 * a row of negatives, and adds nothing to a sum. */
template <typename T, int GROUPS> struct held {
    float value[GROUPS * 16 / sizeof(T)];
    float edge;
};

template <typename T, int GROUPS> static __device__ held<T, GROUPS> load_stretch(const T *x, stretch s) {
    const int size = 16 / sizeof(T), lane = threadIdx.x % WARP, edge_at = edge_column<T>(s, lane);
    const T *first = x + s.start;
    const uint4 *groups = reinterpret_cast<const uint4 *>(first + s.before);

    held<T, GROUPS> mine;
    bytes16<T> in[GROUPS];
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        in[g].bits = make_uint4(0, 0, 0, 0);
        if (lane + g * WARP < s.groups)
            in[g].bits = groups[lane + g * WARP];
    }
    mine.edge = edge_at < s.columns ? to_float(first[edge_at]) : -INFINITY;
#pragma unroll
    for (int i = 0; i < GROUPS * size; i++)
        mine.value[i] =
            lane + i / size * WARP < s.groups ? to_float(in[i / size].element[i % size]) : -INFINITY;
    return mine;
}

/* y = exp(value - max) * scale for what this lane holds. y leaves the L2 first: nobody here reads it, and x, which is read
 * twice, needs the room. In a row that is all masked -inf - -inf makes the NaN that it should be. */
template <typename T, int GROUPS>
static __device__ void store_stretch(T *y, stretch s, const held<T, GROUPS> &mine, float max, float scale) {
    const int size = 16 / sizeof(T), lane = threadIdx.x % WARP, edge_at = edge_column<T>(s, lane);
    T *first = y + s.start;
    uint4 *groups = reinterpret_cast<uint4 *>(first + s.before);
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        bytes16<T> out;
#pragma unroll
        for (int i = 0; i < size; i++)
            round_to(&out.element[i], __expf(mine.value[g * size + i] - max) * scale);
        if (lane + g * WARP < s.groups)
            __stcs(&groups[lane + g * WARP], out.bits);
    }
    if (edge_at < s.columns)
        round_to(&first[edge_at], __expf(mine.edge - max) * scale);
}
