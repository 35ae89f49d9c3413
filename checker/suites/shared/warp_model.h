/* What a warp's reduction gives each lane, when it is made as some students make it. */
#ifndef WARP_MODEL_H
#define WARP_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum { LANES = 32, ALL_STEPS = 31 };

enum warp_shuffle { SHUFFLE_XOR, SHUFFLE_DOWN, SHUFFLE_DOWN_AND_SHARE /* lane 0 hands its value on */ };

/* Reduces in place, by maximum or by sum, in steps of 16, 8, 4, 2 and 1, of which those in the mask are made. A lane whose
 * source is past the end of the warp gets its own value, as __shfl_down_sync has it. */
void warp_reduce(double lane[LANES], enum warp_shuffle shuffle, unsigned steps, bool maximum);

/* The lane of a column, where lanes take so many columns side by side. */
int lane_of(int64_t col, int64_t side_by_side);

#endif
