/* Wrong sums of stage 1, recognised by what they are. */
#include "chunk_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double as_float(double value) {
    return value > FLT_MAX ? INFINITY : value;
}

static double sum_below(const double *values, int64_t count, double max) {
    long double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += exp(values[i] - max);
    return (double)sum;
}

static double sum_of_powers_of_two(const struct chunk_view *chunk) {
    long double sum = 0;
    for (int64_t i = 0; i < chunk->length; i++)
        sum += exp2(chunk->values[i] - chunk->max);
    return (double)sum;
}

/* A block of one warp whose lanes do not all get the maximum: each subtracts what __shfl_down_sync left it. */
static double sum_without_shared_max(const struct chunk_view *chunk, int64_t side_by_side,
                                     enum warp_shuffle shuffle, unsigned steps) {
    double max[LANES], sum = 0;
    for (int lane = 0; lane < LANES; lane++)
        max[lane] = -INFINITY;
    for (int64_t i = 0; i < chunk->length; i++)
        max[lane_of(i, side_by_side)] = fmax(max[lane_of(i, side_by_side)], chunk->values[i]);
    warp_reduce(max, shuffle, steps, true);
    for (int64_t i = 0; i < chunk->length; i++)
        sum += exp(chunk->values[i] - max[lane_of(i, side_by_side)]);
    return sum;
}

/* A block of so many warps: each warp's maximum lies in shared memory, and each warp reduces those again, with the same steps. A
 * lane that is left with none subtracts 0. */
static double sum_of_two_levels(const struct chunk_view *chunk, int warps, unsigned steps) {
    struct shares shares;
    double of_warp[LANES], sum = 0;
    share_out(&shares, chunk, 1, false);
    for (int i = warps; i < LANES; i++)
        for (int lane = 0; lane < LANES; lane++)
            shares.of[i % warps][lane] = fmax(shares.of[i % warps][lane], shares.of[i][lane]);
    for (int i = 0; i < LANES; i++) {
        if (i < warps)
            warp_reduce(shares.of[i], SHUFFLE_XOR, steps, true);
        of_warp[i] = i < warps ? shares.of[i][0] : -INFINITY;
    }
    warp_reduce(of_warp, SHUFFLE_XOR, steps, true);
    for (int64_t i = 0; i < chunk->length; i++) {
        const double max = of_warp[lane_of(i, 1)];
        sum += exp(chunk->values[i] - (max == -INFINITY ? 0 : max));
    }
    return sum;
}

/* The maximum of a warp that some steps are missing in: its lanes do not agree on it. */
static size_t add_disagreements(struct suspect *suspects, size_t count, const struct chunk_view *chunk) {
    static const char not_shared[] =
        "That is what comes out when each lane subtracts another maximum: __shfl_down_sync leaves the "
        "maximum in lane 0 alone. "
        "__shfl_xor_sync gives it to every lane; or __shfl_sync(mask, value, 0) hands it on.";
    static const char not_all_steps[] = "That is what comes out when the reduction of the maximum does not "
                                        "go through all of its steps, 16, 8, 4, 2 and 1, so "
                                        "that lanes of one warp subtract different maxima.";
    static const unsigned steps[] = {30, 29, 27, 23, 15, 28, 24, 16};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (int warps = 1; warps <= 8; warps *= 8)
            suspects[count++] = (struct suspect){sum_of_two_levels(chunk, warps, steps[i]),
                                                 2e-5,
                                                 not_all_steps,
                                                 PARTIALS_SECTION,
                                                 OF_LANES,
                                                 0};
    for (int64_t side = 1; side <= 4; side *= 4) {
        suspects[count++] = (struct suspect){sum_without_shared_max(chunk, side, SHUFFLE_DOWN, ALL_STEPS),
                                             2e-5,
                                             not_shared,
                                             PARTIALS_SECTION,
                                             OF_LANES,
                                             0};
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            suspects[count++] = (struct suspect){sum_without_shared_max(chunk, side, SHUFFLE_XOR, steps[i]),
                                                 2e-5,
                                                 not_all_steps,
                                                 PARTIALS_SECTION,
                                                 OF_LANES,
                                                 0};
    }
    return count;
}

/* From the maximum of a chunk that is not this one. */
static double from_chunk(const struct chunk_view *chunk, const struct oracle_state *other) {
    return as_float(chunk->sum * exp(chunk->max - other->max));
}

/* A sum that a type stops at; it says nothing of one that comes out right. */
static double stopped(double sum, double stops_at) {
    return sum > stops_at ? stops_at : NAN;
}

size_t split_suspects_of_sum(struct context *context, const void *data, int64_t row, int64_t index,
                             struct suspect *suspects) {
    const struct split_view *view = data;
    const struct chunk_view chunk = chunk_at(view, row, index);
    const struct oracle_state *states = view->states + row * view->chunks;
    const double padding = (double)chunk.padding;
    static const char several_times[] =
        "Each value was counted %lld times: the sum is so many times what it should be.";
    const struct suspect known[] = {
        {as_float(sum_below(chunk.values, chunk.length, 0)), 2e-5,
         "This is the sum of exp(x): the maximum was not subtracted. exp overflows FP32 above 88.7.",
         PARTIALS_SECTION, ALONE, 0},
        {chunk.sum + padding * exp(-chunk.max), 2e-5,
         "The columns past the end of the row were counted as zeros. They must not count at all: pad with "
         "-INFINITY, whose "
         "exponential is 0.",
         PARTIALS_SECTION, ALONE, 0},
        {chunk.sum + padding, 2e-5,
         "The columns past the end of the row were counted, each as 1: a thread beyond the tail has to add "
         "0.",
         PARTIALS_SECTION, ALONE, 0},
        {sum_below(chunk.values, chunk.readable, chunk.max), 2e-5,
         "The sum has the values behind the end of the row in it: the tail chunk is shorter than the others, "
         "and a column has to "
         "be compared with cols before it is loaded.",
         PARTIALS_SECTION, ALONE, 0},
        {sum_below(chunk.values, chunk.to_row_end, chunk.max), 2e-5, chunk_no_end, PARTIALS_SECTION, ALONE,
         0},
        {sum_below(chunk.values, chunk.to_row_end, chunk_max_of(chunk.values, chunk.to_row_end)), 2e-5,
         chunk_no_end, PARTIALS_SECTION, ALONE, 0},
        {sum_below(chunk.values, chunk.length - 1, chunk.max), 2e-6,
         "This is the sum without the last column of the chunk: the end is one column too early.",
         PARTIALS_SECTION, ALONE, 0},
        {from_chunk(&chunk, &view->row[row]), 2e-5,
         "The maximum of the whole row was subtracted instead of the chunk's own, to which partial_max "
         "belongs.",
         PARTIALS_SECTION, ALONE, 0},
        {from_chunk(&chunk, &states[(index + 1) % view->chunks]), 2e-5,
         "The maximum of the next chunk was subtracted instead of the chunk's own.", PARTIALS_SECTION, ALONE,
         0},
        {from_chunk(&chunk, &states[(index + view->chunks - 1) % view->chunks]), 2e-5,
         "The maximum of the chunk before was subtracted instead of the chunk's own.", PARTIALS_SECTION,
         ALONE, 0},
        {from_chunk(&chunk, &states[0]), 2e-5,
         "The maximum of chunk 0 was subtracted instead of the chunk's own.", PARTIALS_SECTION, ALONE, 0},
        {sum_of_powers_of_two(&chunk), 2e-5,
         "This is a sum of powers of 2 instead of e: exp2f(v) is exp(v) only for v multiplied by log2(e).",
         PARTIALS_SECTION, ALONE, 0},
        {chunk_transposed(view, row, index)->sum, 1e-5,
         "The sums are right, but stored as [T, rows]. Both arrays are [rows, T], row after row: the place "
         "is row * T + chunk.",
         "Ownership", ALONE, 0},
        {view->states[index].sum, 1e-6,
         "This is the sum of the same chunk of row 0: the row is left out of an index. The place is row * T "
         "+ chunk.",
         "Ownership", ALONE, 0},
        {chunk.max, 1e-6, "This is the maximum of the chunk: partial_max and partial_sum are exchanged.",
         PARTIALS_SECTION, ALONE, 0},
        {stopped(chunk.sum, view->x->type == TYPE_FP16 ? 2048 : 256), 1e-6,
         "The sum stopped growing: it was kept in the type of x. FP16 has no number between 2048 and 2050, "
         "BF16 none between 256 "
         "and 258, so adding 1 changes nothing any more. Sums are FP32.",
         "Numbers", ALONE, 0},
        {0, 0, "Nothing was added up, or every exp(x - max) underflowed because max is too large.",
         PARTIALS_SECTION, ALONE, 0},
        {2 * chunk.sum, 1e-5, several_times, PARTIALS_SECTION, ALONE, 2},
        {4 * chunk.sum, 1e-5, several_times, PARTIALS_SECTION, ALONE, 4},
        {8 * chunk.sum, 1e-5, several_times, PARTIALS_SECTION, ALONE, 8},
        {32 * chunk.sum, 1e-5, several_times, PARTIALS_SECTION, ALONE, 32},
    };
    size_t count = sizeof known / sizeof *known;
    (void)context;
    memcpy(suspects, known, sizeof known);
    count = chunk_add_beginnings(suspects, count, &chunk, true);
    count = add_disagreements(suspects, count, &chunk);
    return chunk_add_parts(suspects, count, &chunk, true);
}

/* Whether the sums of whole chunks are right and those of the chunks that are shorter are not. */
static bool only_tails_are_wrong(const struct split_view *view) {
    bool any = false, whole = false;
    for (int64_t row = 0; row < view->rows; row++)
        for (int64_t index = 0; index < view->chunks; index++) {
            const struct chunk_view chunk = chunk_at(view, row, index);
            const double got = element_get(view->sums, (size_t)(row * view->chunks + index), TYPE_FP32);
            if (isnan(chunk.sum))
                continue;
            if ((fabs(got - chunk.sum) <= 2e-5 * chunk.sum) != (chunk.padding == 0))
                return false;
            any |= chunk.padding > 0;
            whole |= chunk.padding == 0;
        }
    return any && whole;
}

/* The number that stands for each column past the end, by what it adds to the sum. */
static void explain_padding(struct context *context, const struct chunk_view *chunk, double got) {
    const double each = (got - chunk->sum) / (double)chunk->padding;
    explain(context,
            "Only the chunks are wrong that are shorter than the others. %s A column past the end of the row "
            "has to be compared with "
            "cols, and what stands for it must not count: -INFINITY, whose exponential is 0.",
            each > 0 ? check_text(context,
                                  "It is what comes out when each of the %lld columns past the end counts as "
                                  "a value of about %.6g.",
                                  (long long)chunk->padding, chunk->max + log(each))
                     : "Columns at the end of the row are left out, or something past it is taken along.");
    read_next(context, SPLIT_LESSON, PARTIALS_SECTION);
}

void split_recognise_partial_sum(struct context *context, const void *data, int64_t row, int64_t index,
                                 double got) {
    const struct split_view *view = data;
    const struct chunk_view chunk = chunk_at(view, row, index);
    if (isnan(got)) {
        explain(
            context,
            chunk.max == -INFINITY
                ? "-inf - -inf is NaN: in a chunk where everything is masked, exp(x - max) needs its own "
                  "case. The state of such a chunk is (-INFINITY, 0)."
                : "-inf - -inf and inf - inf are NaN, and so is poison: look for a thread without columns "
                  "whose maximum is -INFINITY, and for columns past the end of the row.");
        return;
    }
    const double times = got / chunk.sum;
    if (only_tails_are_wrong(view)) {
        explain_padding(context, &chunk, got);
    } else if (got == 0) {
        explain(context, "Nothing was added up, or every exp(x - max) underflowed because max is too large.");
        read_next(context, SPLIT_LESSON, PARTIALS_SECTION);
    } else if (times > 1.02 && times < 2000) {
        explain(context,
                "The sum is about %.3g times what it should be: values were counted several times, or values "
                "that are none of the "
                "chunk's. Look at the stride: a thread begins at its own column and goes on in steps of the "
                "whole block's width.",
                times);
        read_next(context, SPLIT_LESSON, PARTIALS_SECTION);
    } else if (fabs(times - 1) < 0.02 && view->x->type != TYPE_FP32) {
        explain(context,
                "The sum is nearly right: exponentials or sums were kept in the type of x on the way. "
                "Convert each value to float when it is loaded, and stay in float.");
        read_next(context, SPLIT_LESSON, "Numbers");
    } else if (fabs(times - 1) < 1e-3) {
        explain(context, "The sum is nearly right: an approximate exponential, a sum or value that was "
                         "rounded to half on the "
                         "way, or a single column lost or counted twice.");
    } else {
        explain(
            context, "%s%s",
            times > 0 && times < 1
                ? "Some of the values are missing in the sum: look at which columns each thread takes, and "
                  "whether each warp's and each lane's part is added. "
                : "",
            accesses_are_seen(context)
                ? "Print what each warp adds, for a chunk of a few columns: printf works in a kernel."
                : MAYBE_BARRIER);
        read_next(context, SPLIT_LESSON, PARTIALS_SECTION);
    }
}
