/* Mistakes in a row, recognised by its numbers: what each of its elements would be. */
#include "recognise.h"

#include "numbers/oracle.h"
#include "suites/shared/warp_model.h"
#include <math.h>

#define ROW "Stage 1: one row"

/* y = base^(x - max) / sum, with another max, sum or base than the row's, or x taken for the other 16-bit type. Where a
 * reduction was not made as it has to be, each lane has a maximum and a sum of its own. */
struct mistake {
    double max, sum;
    bool powers_of_two, misread, stored_so; /* stored_so: the result, too, as the other 16-bit type */
    int64_t side_by_side; /* of the columns of a lane; 0: all lanes have the same maximum and sum */
    double lane_max[LANES], lane_sum[LANES];
    const char *means, *section;
    long long number;
    int kin;
};

struct mistakes {
    int64_t row;
    size_t count;
    struct mistake mistake[MOST_SUSPECTS];
};

struct mistakes *mistakes_new(struct context *context) {
    struct mistakes *mistakes = check_memory(context, sizeof *mistakes);
    mistakes->row = -1;
    return mistakes;
}

static double misread(enum element_type type, double value) {
    char bytes[8];
    element_put(bytes, 0, type, value);
    return element_get(bytes, 0, type == TYPE_FP16 ? TYPE_BF16 : TYPE_FP16);
}

static double element_of(const struct mistake *mistake, const struct table *x, int64_t row, int64_t col) {
    const double value = table_get(x, row, col);
    const int lane = mistake->side_by_side ? lane_of(col, mistake->side_by_side) : 0;
    const double max = mistake->side_by_side ? mistake->lane_max[lane] : mistake->max;
    const double sum = mistake->side_by_side ? mistake->lane_sum[lane] : mistake->sum;
    const double from_max = (mistake->misread ? misread(x->type, value) : value) - max;
    const double result = (mistake->powers_of_two ? exp2(from_max) : exp(from_max)) / sum;
    return mistake->stored_so ? misread(x->type == TYPE_FP16 ? TYPE_BF16 : TYPE_FP16, result) : result;
}

/* ---- the mistakes of a row ---- */

static const char lanes_of_zeros[] =
    "That is what comes out when lanes beyond the end of the row hold 0; they have to hold -INFINITY.";

static const char not_shared[] = "Only lane 0 has the whole of it: __shfl_down_sync leaves the result of a "
                                 "reduction in lane 0 alone. __shfl_xor_sync gives it "
                                 "to every lane; or __shfl_sync(mask, value, 0) hands it on.";

static const char sum_not_shared[] = "Only the columns of lane 0 are right: __shfl_down_sync leaves the "
                                     "result of a reduction in lane 0 alone. __shfl_xor_sync gives it "
                                     "to every lane; or __shfl_sync(mask, value, 0) hands it on.";

static const char step_left_out[] = "That is what comes out when the sum of a warp leaves out the shuffle by "
                                    "%lld lanes: only half of the lanes are added up. The "
                                    "steps are 16, 8, 4, 2 and 1.";

static const char other_type[] =
    "This is what comes out when FP16 is read as BF16, or BF16 as FP16. Look at the switch over x.type.";

static struct mistake with_zeros(const struct oracle_state *state, int64_t zeros, const char *means,
                                 const char *section) {
    const struct oracle_state parts[] = {*state, {0, (double)zeros}};
    const struct oracle_state all = oracle_merge(parts, 2);
    return (struct mistake){.max = all.max, .sum = all.sum, .means = means, .section = section};
}

static struct mistake with_powers_of_two(const struct table *x, int64_t row, double max) {
    struct mistake mistake = {
        .max = max,
        .powers_of_two = true,
        .means = "These are powers of 2 instead of e: exp2f(v) is exp(v) only for v multiplied by log2(e).",
        .section = "Numbers",
    };
    for (int64_t col = 0; col < x->cols; col++)
        mistake.sum += exp2(table_get(x, row, col) - max);
    return mistake;
}

static struct mistake with_other_type(const struct table *x, int64_t row, bool stored_so) {
    struct mistake mistake = {.max = -INFINITY,
                              .misread = true,
                              .stored_so = stored_so,
                              .means = other_type,
                              .section = "Stage 5: the operator"};
    for (int64_t col = 0; col < x->cols; col++)
        mistake.max = fmax(mistake.max, misread(x->type, table_get(x, row, col)));
    for (int64_t col = 0; col < x->cols; col++)
        mistake.sum += exp(misread(x->type, table_get(x, row, col)) - mistake.max);
    return mistake;
}

/* How maximum and sum were reduced: which shuffles, and which of their steps. */
struct reduction {
    enum warp_shuffle max, sum;
    unsigned max_steps, sum_steps;
};

static struct mistake with_reduction(const struct table *x, int64_t row, int64_t side_by_side,
                                     struct reduction reduction, const char *means) {
    struct mistake mistake = {.side_by_side = side_by_side, .means = means, .section = ROW};
    for (int lane = 0; lane < LANES; lane++)
        mistake.lane_max[lane] = -INFINITY;
    for (int64_t col = 0; col < x->cols; col++) {
        double *max = &mistake.lane_max[lane_of(col, side_by_side)];
        *max = fmax(*max, table_get(x, row, col));
    }
    warp_reduce(mistake.lane_max, reduction.max, reduction.max_steps, true);
    for (int64_t col = 0; col < x->cols; col++) {
        const int lane = lane_of(col, side_by_side);
        mistake.lane_sum[lane] += exp(table_get(x, row, col) - mistake.lane_max[lane]);
    }
    warp_reduce(mistake.lane_sum, reduction.sum, reduction.sum_steps, false);
    return mistake;
}

static void add(struct mistakes *mistakes, struct mistake mistake) {
    mistakes->mistake[mistakes->count++] = mistake;
}

/* Lanes take every 32nd column, or groups of two, four or eight. */
static void add_reductions(struct mistakes *mistakes, const struct table *x) {
    enum { NOT_SHARED = 1, LEFT_OUT };
    for (int64_t side = 1; side <= 8; side *= 2) {
        const struct reduction of_both = {SHUFFLE_DOWN, SHUFFLE_DOWN, ALL_STEPS, ALL_STEPS},
                               of_sum = {SHUFFLE_XOR, SHUFFLE_DOWN, ALL_STEPS, ALL_STEPS},
                               of_max = {SHUFFLE_DOWN, SHUFFLE_XOR, ALL_STEPS, ALL_STEPS};
        const struct reduction reductions[] = {of_sum, of_both, of_max};
        for (int i = 0; i < 3; i++) {
            struct mistake mistake =
                with_reduction(x, mistakes->row, side, reductions[i], i == 0 ? sum_not_shared : not_shared);
            mistake.kin = NOT_SHARED;
            add(mistakes, mistake);
        }
        for (unsigned step = LANES / 2; step > 0; step /= 2) {
            const enum warp_shuffle shuffles[] = {SHUFFLE_XOR, SHUFFLE_DOWN_AND_SHARE};
            for (int i = 0; i < 2; i++) {
                const struct reduction reduction = {SHUFFLE_XOR, shuffles[i], ALL_STEPS, ALL_STEPS & ~step};
                struct mistake mistake = with_reduction(x, mistakes->row, side, reduction, step_left_out);
                mistake.number = step;
                mistake.kin = LEFT_OUT;
                add(mistakes, mistake);
            }
        }
    }
}

static void find_mistakes(struct mistakes *mistakes, const struct table *x, int64_t row) {
    const struct oracle_state state = oracle_state_of(table_row(x, row), (size_t)x->cols);
    const int64_t cols = x->cols;
    mistakes->row = row;
    mistakes->count = 0;
    add(mistakes, (struct mistake){.max = state.max,
                                   .sum = 1,
                                   .means = "That is exp(x - maximum): it was not divided by the sum.",
                                   .section = ROW});
    add(mistakes, with_powers_of_two(x, row, state.max));
    add(mistakes,
        with_zeros(&state, x->pitch - cols, "That is what comes out when the padding is counted as zeros.",
                   "Stage 3: padding"));
    add(mistakes,
        with_zeros(&state, (cols + 3) / 4 * 4 - cols,
                   "That is what comes out when the last group of four columns is filled up with zeros.",
                   "Stage 3: padding"));
    add(mistakes, with_zeros(&state, (cols + 31) / 32 * 32 - cols, lanes_of_zeros, ROW));
    add(mistakes, with_zeros(&state, (cols + 127) / 128 * 128 - cols, lanes_of_zeros, ROW));
    add(mistakes, with_zeros(&state, 1024 - cols, lanes_of_zeros, ROW));
    add_reductions(mistakes, x);
    if (x->type == TYPE_FP32)
        return;
    add(mistakes, with_other_type(x, row, false));
    add(mistakes, with_other_type(x, row, true));
}

size_t fused_suspects(struct context *context, const void *data, int64_t row, int64_t col,
                      struct suspect *suspects) {
    const struct judged *judged = data;
    const struct table *x = &judged->problem->x;
    struct mistakes *mistakes = judged->mistakes;
    (void)context;
    if (judged->problem->explained)
        return 0;
    if (mistakes->row != row)
        find_mistakes(mistakes, x, row);
    const double rtol = x->type == TYPE_FP32 ? 1e-4 : x->type == TYPE_FP16 ? 1.2e-3 : 1e-2;
    for (size_t i = 0; i < mistakes->count; i++) {
        const struct mistake *mistake = &mistakes->mistake[i];
        suspects[i] = (struct suspect){.value = element_of(mistake, x, row, col),
                                       .rtol = rtol,
                                       .means = mistake->means,
                                       .section = mistake->section,
                                       .kin = mistake->kin,
                                       .number = mistake->number};
    }
    return mistakes->count;
}
