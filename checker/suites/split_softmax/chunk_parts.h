/* A chunk as the recognisers of stage 1 look at it, and what parts of it would give. */
#ifndef SPLIT_SOFTMAX_CHUNK_PARTS_H
#define SPLIT_SOFTMAX_CHUNK_PARTS_H

#include "parts.h"
#include "suites/shared/warp_model.h"

#define PARTIALS_SECTION "Stage 1: partials"

/* Only where nothing watches for races is a missing barrier still possible. */
#define MAYBE_BARRIER "When it is a different number each time, a barrier is missing in the reduction."

enum partial_kin { ALONE, OF_THE_BEGINNING, OF_LANES, OF_A_START };

/* The columns of the chunks behind it are taken along. */
extern const char chunk_no_end[];

/* The values of one chunk, and of what lies behind the end of its row. */
struct chunk_view {
    const double *values;
    int64_t length, padding,
        to_row_end;   /* to_row_end: columns from the chunk's start to the end of its row */
    int64_t readable; /* values from there to the end of x, at most chunk */
    double max, sum;
};

struct chunk_view chunk_at(const struct split_view *view, int64_t row, int64_t index);
double chunk_max_of(const double *values, int64_t count);

/* The state that the output would have in this place, were it stored as [T, rows]. */
const struct oracle_state *chunk_transposed(const struct split_view *view, int64_t row, int64_t index);

/* What each warp and lane of a block of 1024 threads or fewer adds to the sum, or takes into the maximum. Of a block with fewer
 * warps, those beyond its last one are added to its first ones. */
struct shares {
    double of[LANES][LANES]; /* [warp][lane] */
};

void share_out(struct shares *shares, const struct chunk_view *chunk, int64_t side_by_side, bool sum);

/* Adds suspects of maxima, or of sums: the chunk cut short; a reduction that leaves out lanes or warps. Returns the new count. */
size_t chunk_add_beginnings(struct suspect *suspects, size_t count, const struct chunk_view *chunk, bool sum);
size_t chunk_add_parts(struct suspect *suspects, size_t count, const struct chunk_view *chunk, bool sum);

#endif
