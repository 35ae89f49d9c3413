/* What a block has of its row, where the row may start and end anywhere. */
#pragma once
#include "group.cuh"

/* Groups and columns are counted from a multiple of 16 bytes: the row is at [low, high), the part at [first, end). Groups
 * from whole_first to whole_end lie in the row with all their elements. */
struct part_of_row {
    int low, high, first, end, whole_first, whole_end;
};

static __device__ part_of_row find_part(int low, int high, int size, int first, int groups) {
    part_of_row p = {low, high, first, min(first + groups, (high + size - 1) / size), first, 0};
    if (first == 0 && low > 0)
        p.whole_first = 1;
    p.whole_end = min(first + groups, high / size);
    return p;
}

/* A group whose first or last elements are not the row's: those count as masked. Rare, so not copied to each place that
 * calls it. */
template <typename T>
static __device__ __noinline__ uint4 load_cut(const T *x_row, int low, int high, int at) {
    group<T> g;
    for (int i = 0; i < group<T>::SIZE; i++) {
        const int col = at * group<T>::SIZE + i;
        g.element[i] = col >= low && col < high ? x_row[col] : (T)-INFINITY;
    }
    return g.bits;
}
template <typename T>
static __device__ __noinline__ void store_cut(T *y_row, int low, int high, int at, uint4 bits) {
    group<T> g;
    g.bits = bits;
    for (int i = 0; i < group<T>::SIZE; i++) {
        const int col = at * group<T>::SIZE + i;
        if (col >= low && col < high)
            y_row[col] = g.element[i];
    }
}
