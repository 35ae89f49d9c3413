/* A warp's reduction (see warp_model.h). */
#include "warp_model.h"

#include <math.h>
#include <string.h>

void warp_reduce(double lane[LANES], enum warp_shuffle shuffle, unsigned steps, bool maximum) {
    for (int step = LANES / 2; step > 0; step /= 2) {
        double before[LANES];
        memcpy(before, lane, sizeof before);
        for (int i = 0; i < LANES && (steps & (unsigned)step) != 0; i++) {
            const int below = i + step < LANES ? i + step : i,
                      source = shuffle == SHUFFLE_XOR ? i ^ step : below;
            lane[i] = maximum ? fmax(before[i], before[source]) : before[i] + before[source];
        }
    }
    for (int i = 1; i < LANES && shuffle == SHUFFLE_DOWN_AND_SHARE; i++)
        lane[i] = lane[0];
}

int lane_of(int64_t col, int64_t side_by_side) {
    return (int)(col / side_by_side % LANES);
}
