/* Mistakes of the partials stage, recognised by the numbers they give. */
#include "parts.h"

#include "suites/shared/warp_model.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define SECTION "Stage 1: partials"

/* Only where nothing watches for races is a missing barrier still possible. */
#define MAYBE_BARRIER "When it is a different number each time, a barrier is missing in the reduction."

static const char no_end[] = "The columns of the chunks behind it are taken along, to the end of the row: a "
                             "chunk ends at (index + 1) * chunk, or at "
                             "the row's end, where that comes first.";

enum kin { ALONE, OF_THE_BEGINNING, OF_LANES, OF_A_START };

/* The values of one chunk, and of what lies behind the end of its row. */
struct chunk_view {
    const double *values;
    int64_t length, padding,
        to_row_end;   /* to_row_end: columns from the chunk's start to the end of its row */
    int64_t readable; /* values from there to the end of x, at most chunk */
    double max, sum;
};

static struct chunk_view chunk_at(const struct split_view *view, int64_t row, int64_t index) {
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

static double max_of(const double *values, int64_t count) {
    double max = -INFINITY;
    for (int64_t i = 0; i < count; i++)
        max = fmax(max, values[i]);
    return max;
}

static double misread_max(const struct chunk_view *chunk, enum element_type type) {
    double max = -INFINITY;
    for (int64_t i = 0; i < chunk->length; i++)
        max = fmax(max, split_misread(type, chunk->values[i]));
    return max;
}

static double as_float(double value) {
    return value > FLT_MAX ? INFINITY : value;
}

/* The state that the output would have in this place, were it stored as [T, rows]. */
static const struct oracle_state *transposed(const struct split_view *view, int64_t row, int64_t index) {
    const int64_t place = row * view->chunks + index;
    return &view->states[place % view->rows * view->chunks + place / view->rows];
}

/* ---- parts of a chunk ---- */

/* What each warp and lane of a block of 1024 threads or fewer adds to the sum, or takes into the maximum. Of a block with fewer
 * warps, those beyond its last one are added to its first ones. */
struct shares {
    double of[LANES][LANES]; /* [warp][lane] */
};

static void share_out(struct shares *shares, const struct chunk_view *chunk, int64_t side_by_side, bool sum) {
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

static size_t add_parts(struct suspect *suspects, size_t count, const struct chunk_view *chunk, bool sum) {
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
                suspects[count++] = (struct suspect){
                    without_step(&shares, step, warps[i], sum), 1e-5, half_a_warp, SECTION, OF_LANES, step};
        if (side == 1)
            for (int i = 2; i <= LANES; i *= 2)
                suspects[count++] = (struct suspect){
                    first_warp_alone(&shares, i, sum), 1e-5, first_warp, "CUDA facts you need", OF_LANES, 0};
    }
    return count;
}

/* The chunk cut short. Of several beginnings that fit, the longest is told. */
static size_t add_beginnings(struct suspect *suspects, size_t count, const struct chunk_view *chunk,
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
                                             SECTION,
                                             OF_THE_BEGINNING,
                                             beginnings[i]};
    }
    return count;
}

/* ---- maxima ---- */

static double with_start(double start, double max) {
    return fmax(start, max);
}

size_t split_suspects_of_max(struct context *context, const void *data, int64_t row, int64_t index,
                             struct suspect *suspects) {
    const struct split_view *view = data;
    const struct chunk_view chunk = chunk_at(view, row, index);
    const enum element_type type = view->x->type;
    const double padded = chunk.padding > 0 ? 0 : -INFINITY;
    const struct suspect known[] = {
        {with_start(0, chunk.max), 0,
         "The maximum was started at 0. The value that changes no maximum is -INFINITY.", SECTION, OF_A_START,
         0},
        {with_start(padded, chunk.max), 0,
         "The columns past the end of the tail were padded with 0, which is larger than every negative "
         "value. The value that "
         "changes no maximum is -INFINITY.",
         SECTION, ALONE, 0},
        {with_start(FLT_MIN, chunk.max), 1e-6,
         "The maximum was started at FLT_MIN, which is the smallest positive number and not the lowest one. "
         "-INFINITY is below "
         "them all.",
         SECTION, ALONE, 0},
        {transposed(view, row, index)->max, 1e-9,
         "All maxima are right, but stored as [T, rows]. Both arrays are [rows, T], row after row: the place "
         "is row * T + chunk.",
         "Ownership", ALONE, 0},
        {max_of(chunk.values, chunk.readable), 1e-9,
         "This is the maximum with the values behind the end of the row: the tail chunk is shorter than the "
         "others, and a column "
         "has to be compared with cols before it is loaded.",
         SECTION, ALONE, 0},
        {max_of(chunk.values, chunk.to_row_end), 1e-9, no_end, SECTION, ALONE, 0},
        {max_of(chunk.values, chunk.length - 1), 1e-9,
         "This is the maximum without the last column of the chunk: the end is one column too early.",
         SECTION, ALONE, 0},
        {chunk.sum, 1e-6, "This is the sum of the chunk: partial_max and partial_sum are exchanged.", SECTION,
         ALONE, 0},
        {view->row[row].max, 1e-9,
         "This is the maximum of the whole row. Stage 1 takes the maximum of each chunk alone.", SECTION,
         ALONE, 0},
        {view->states[index].max, 1e-9,
         "This is the maximum of the same chunk of row 0: the row is left out of an index. The place is row "
         "* T + chunk, and the "
         "chunk begins at column chunk index * chunk of its own row.",
         "Ownership", ALONE, 0},
        {view->states[row * view->chunks].max, 1e-9,
         "This is the maximum of chunk 0 of the row: the chunk is left out of an index.", "Ownership", ALONE,
         0},
        {type == TYPE_FP32 ? NAN : misread_max(&chunk, type), 1e-6,
         "This is what comes out when FP16 is read as BF16, or BF16 as FP16. Look at the switch over x.type.",
         SECTION, ALONE, 0},
        {-INFINITY, 0, "No value took part in the maximum: look at which columns each thread loads.", SECTION,
         ALONE, 0},
    };
    size_t count = sizeof known / sizeof *known;
    (void)context;
    memcpy(suspects, known, sizeof known);
    count = add_beginnings(suspects, count, &chunk, false);
    return add_parts(suspects, count, &chunk, false);
}

void split_recognise_partial_max(struct context *context, const void *data, int64_t row, int64_t index,
                                 double got) {
    const struct split_view *view = data;
    const struct chunk_view chunk = chunk_at(view, row, index);
    if (chunk.max == -INFINITY && isfinite(got)) {
        explain(context, "Every value of this chunk is masked, and so its maximum is -INFINITY. %s",
                got == 0 ? "It came out as 0: the maximum was started at 0, and is wrong for every chunk of "
                           "negative logits."
                         : check_text(context,
                                      "It came out as %.9g: that number stands for -INFINITY somewhere, as "
                                      "the first maximum or "
                                      "for columns that do not count. There may be logits below it.",
                                      got));
        read_next(context, SPLIT_LESSON, SECTION);
        return;
    }
    for (int64_t i = 0; i < view->rows * view->chunks; i++)
        if (got == (float)view->states[i].max) {
            explain(context,
                    "This is the maximum of row %lld, chunk %lld. Both arrays are [rows, T], row after row: "
                    "the place is row * T "
                    "+ chunk, and the chunk begins at column chunk index * chunk of its own row.",
                    (long long)(i / view->chunks), (long long)(i % view->chunks));
            read_next(context, SPLIT_LESSON, "Ownership");
            return;
        }
    const bool is_a_value = got <= max_of(view->x->values, view->x->rows * view->x->cols);
    explain(context,
            isnan(got)   ? "NaN from a chunk without one: something was read that is not there, or computed "
                           "that is no maximum. %s"
            : is_a_value ? "A maximum has no rounding: it is one of the values of the chunk, or it is wrong. "
                           "This one is no "
                           "chunk's maximum: look at which columns each thread takes, and at what each "
                           "shuffle combines. %s"
                         : "It is larger than every value of x: look at what the maximum was started with, "
                           "at what stands for a "
                           "column past the end, and at the type that x is read as. %s",
            accesses_are_seen(context) ? "" : MAYBE_BARRIER);
}

/* ---- sums ---- */

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
            suspects[count++] = (struct suspect){
                sum_of_two_levels(chunk, warps, steps[i]), 2e-5, not_all_steps, SECTION, OF_LANES, 0};
    for (int64_t side = 1; side <= 4; side *= 4) {
        suspects[count++] = (struct suspect){sum_without_shared_max(chunk, side, SHUFFLE_DOWN, ALL_STEPS),
                                             2e-5,
                                             not_shared,
                                             SECTION,
                                             OF_LANES,
                                             0};
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            suspects[count++] = (struct suspect){sum_without_shared_max(chunk, side, SHUFFLE_XOR, steps[i]),
                                                 2e-5,
                                                 not_all_steps,
                                                 SECTION,
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
         "This is the sum of exp(x): the maximum was not subtracted. exp overflows FP32 above 88.7.", SECTION,
         ALONE, 0},
        {chunk.sum + padding * exp(-chunk.max), 2e-5,
         "The columns past the end of the row were counted as zeros. They must not count at all: pad with "
         "-INFINITY, whose "
         "exponential is 0.",
         SECTION, ALONE, 0},
        {chunk.sum + padding, 2e-5,
         "The columns past the end of the row were counted, each as 1: a thread beyond the tail has to add "
         "0.",
         SECTION, ALONE, 0},
        {sum_below(chunk.values, chunk.readable, chunk.max), 2e-5,
         "The sum has the values behind the end of the row in it: the tail chunk is shorter than the others, "
         "and a column has to "
         "be compared with cols before it is loaded.",
         SECTION, ALONE, 0},
        {sum_below(chunk.values, chunk.to_row_end, chunk.max), 2e-5, no_end, SECTION, ALONE, 0},
        {sum_below(chunk.values, chunk.to_row_end, max_of(chunk.values, chunk.to_row_end)), 2e-5, no_end,
         SECTION, ALONE, 0},
        {sum_below(chunk.values, chunk.length - 1, chunk.max), 2e-6,
         "This is the sum without the last column of the chunk: the end is one column too early.", SECTION,
         ALONE, 0},
        {from_chunk(&chunk, &view->row[row]), 2e-5,
         "The maximum of the whole row was subtracted instead of the chunk's own, to which partial_max "
         "belongs.",
         SECTION, ALONE, 0},
        {from_chunk(&chunk, &states[(index + 1) % view->chunks]), 2e-5,
         "The maximum of the next chunk was subtracted instead of the chunk's own.", SECTION, ALONE, 0},
        {from_chunk(&chunk, &states[(index + view->chunks - 1) % view->chunks]), 2e-5,
         "The maximum of the chunk before was subtracted instead of the chunk's own.", SECTION, ALONE, 0},
        {from_chunk(&chunk, &states[0]), 2e-5,
         "The maximum of chunk 0 was subtracted instead of the chunk's own.", SECTION, ALONE, 0},
        {sum_of_powers_of_two(&chunk), 2e-5,
         "This is a sum of powers of 2 instead of e: exp2f(v) is exp(v) only for v multiplied by log2(e).",
         SECTION, ALONE, 0},
        {transposed(view, row, index)->sum, 1e-5,
         "The sums are right, but stored as [T, rows]. Both arrays are [rows, T], row after row: the place "
         "is row * T + chunk.",
         "Ownership", ALONE, 0},
        {view->states[index].sum, 1e-6,
         "This is the sum of the same chunk of row 0: the row is left out of an index. The place is row * T "
         "+ chunk.",
         "Ownership", ALONE, 0},
        {chunk.max, 1e-6, "This is the maximum of the chunk: partial_max and partial_sum are exchanged.",
         SECTION, ALONE, 0},
        {stopped(chunk.sum, view->x->type == TYPE_FP16 ? 2048 : 256), 1e-6,
         "The sum stopped growing: it was kept in the type of x. FP16 has no number between 2048 and 2050, "
         "BF16 none between 256 "
         "and 258, so adding 1 changes nothing any more. Sums are FP32.",
         "Numbers", ALONE, 0},
        {0, 0, "Nothing was added up, or every exp(x - max) underflowed because max is too large.", SECTION,
         ALONE, 0},
        {2 * chunk.sum, 1e-5, several_times, SECTION, ALONE, 2},
        {4 * chunk.sum, 1e-5, several_times, SECTION, ALONE, 4},
        {8 * chunk.sum, 1e-5, several_times, SECTION, ALONE, 8},
        {32 * chunk.sum, 1e-5, several_times, SECTION, ALONE, 32},
    };
    size_t count = sizeof known / sizeof *known;
    (void)context;
    memcpy(suspects, known, sizeof known);
    count = add_beginnings(suspects, count, &chunk, true);
    count = add_disagreements(suspects, count, &chunk);
    return add_parts(suspects, count, &chunk, true);
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
    read_next(context, SPLIT_LESSON, SECTION);
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
        read_next(context, SPLIT_LESSON, SECTION);
    } else if (times > 1.02 && times < 2000) {
        explain(context,
                "The sum is about %.3g times what it should be: values were counted several times, or values "
                "that are none of the "
                "chunk's. Look at the stride: a thread begins at its own column and goes on in steps of the "
                "whole block's width.",
                times);
        read_next(context, SPLIT_LESSON, SECTION);
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
        read_next(context, SPLIT_LESSON, SECTION);
    }
}

void split_locate_chunk(struct context *context, const void *data, int64_t row, int64_t index, double got) {
    const struct split_view *view = data;
    int64_t first = index * view->chunk, length = split_chunk_length(view->x->cols, view->chunk, index);
    (void)got;
    locate(context, "Row %lld of %lld, chunk %lld of %lld (columns %lld to %lld of %lld), chunk size %d, %s.",
           (long long)row, (long long)view->rows, (long long)index, (long long)view->chunks, (long long)first,
           (long long)(first + length - 1), (long long)view->x->cols, view->chunk,
           element_name(view->x->type));
}
