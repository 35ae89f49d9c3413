/* What parts of a chunk would give (see chunk_parts.h). */
#include "chunk_parts.h"

#include <math.h>

const char chunk_no_end[] = "The columns of the chunks behind it are taken along, to the end of the row: a "
                            "chunk ends at (index + 1) * chunk, or at "
                            "the row's end, where that comes first.";

struct chunk_view chunk_at(const struct split_view *view, int64_t row, int64_t index) {
    const struct table *x = view->x;
    int64_t length = split_chunk_length(x->cols, view->chunk, index);
    int64_t start = row * x->cols + index * view->chunk, left = x->rows * x->cols - start;
    struct oracle_state state = view->states[row * view->chunks + index];
    return (struct chunk_view){.values = x->values + start,
                               .length = length,
                               .padding = view->chunk - length,
                               .to_row_end = x->cols - index * view->chunk,
                               .readable = left < view->chunk ? left : view->chunk,
                               .max = state.max,
                               .sum = state.sum};
}

double chunk_max_of(const double *values, int64_t count) {
    double max = -INFINITY;
    for (int64_t i = 0; i < count; i++)
        max = fmax(max, values[i]);
    return max;
}

/* The state that the output would have in this place, were it stored as [T, rows]. */
const struct oracle_state *chunk_transposed(const struct split_view *view, int64_t row, int64_t index) {
    const int64_t place = row * view->chunks + index;
    return &view->states[place % view->rows * view->chunks + place / view->rows];
}

void share_out(struct shares *shares, const struct chunk_view *chunk, int64_t side_by_side, bool sum) {
    for (int warp = 0; warp < LANES; warp++)
        for (int lane = 0; lane < LANES; lane++)
            shares->of[warp][lane] = sum ? 0 : -INFINITY;
    for (int64_t i = 0; i < chunk->length; i++) {
        double *share = &shares->of[i / side_by_side / LANES % LANES][lane_of(i, side_by_side)];
        *share = sum ? *share + exp(chunk->values[i] - chunk->max) : fmax(*share, chunk->values[i]);
    }
}

static double join(double a, double b, bool sum) {
    return sum ? a + b : fmax(a, b);
}

/* Of a block of so many warps, whose reduction leaves out one step: in each warp, and where several are combined in the same
 * way, there too. */
static double without_step(const struct shares *shares, int step, int warps, bool sum) {
    double all = sum ? 0 : -INFINITY;
    for (int warp = 0; warp < LANES; warp++)
        for (int lane = 0; lane < LANES; lane++)
            if ((lane & step) == 0 && (warp % warps & step) == 0)
                all = join(all, shares->of[warp][lane], sum);
    return all;
}

static double first_warp_alone(const struct shares *shares, int warps, bool sum) {
    double all = sum ? 0 : -INFINITY;
    for (int warp = 0; warp < LANES; warp += warps)
        for (int lane = 0; lane < LANES; lane++)
            all = join(all, shares->of[warp][lane], sum);
    return all;
}

size_t chunk_add_parts(struct suspect *suspects, size_t count, const struct chunk_view *chunk, bool sum) {
    static const char first_warp[] =
        "This is what the columns of the first warp alone give: the results of the other warps have "
        "to be combined through shared memory.";
    static const char half_a_warp[] =
        "This is what comes out when a warp's reduction leaves out the shuffle by %lld lanes: only "
        "half of its lanes take part. The steps are 16, 8, 4, 2 and 1.";
    static const int warps[] = {1, 8, 4, 32};
    struct shares shares;
    for (int64_t side = 1; side <= 4; side *= 4) {
        share_out(&shares, chunk, side, sum);
        for (int step = LANES / 2; step > 0; step /= 2)
            for (int i = 0; i < (sum ? 4 : 2); i++)
                suspects[count++] = (struct suspect){without_step(&shares, step, warps[i], sum),
                                                     1e-5,
                                                     half_a_warp,
                                                     PARTIALS_SECTION,
                                                     OF_LANES,
                                                     step};
        if (side == 1)
            for (int i = 2; i <= LANES; i *= 2)
                suspects[count++] = (struct suspect){
                    first_warp_alone(&shares, i, sum), 1e-5, first_warp, "CUDA facts you need", OF_LANES, 0};
    }
    return count;
}

/* The chunk cut short. Of several beginnings that fit, the longest is told. */
size_t chunk_add_beginnings(struct suspect *suspects, size_t count, const struct chunk_view *chunk,
                            bool sum) {
    static const int64_t beginnings[] = {2048, 1024, 512, 256, 128, 64, 32, 1};
    static const char cut[] =
        "This is what the first %lld columns of the chunk give: the others were not looked at. A thread has "
        "to go through the chunk in steps of the block's width until it is at the end.";
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        const int64_t length = beginnings[i] < chunk->length ? beginnings[i] : chunk->length;
        const struct oracle_state state = oracle_state_of(chunk->values, (size_t)length);
        suspects[count++] = (struct suspect){sum ? state.sum * exp(state.max - chunk->max) : state.max,
                                             1e-6,
                                             cut,
                                             PARTIALS_SECTION,
                                             OF_THE_BEGINNING,
                                             beginnings[i]};
    }
    return count;
}
