/* Mistakes of the partials stage, recognised by the numbers they give. */
#include "parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SECTION "Stage 1: partials"

/* Only where nothing watches for races is a missing barrier still possible. */
#define MAYBE_BARRIER "When it is a different number each time, a barrier is missing in the reduction."

/* The values of one chunk, and of what lies behind the end of its row. */
struct chunk_view {
    const double *values;
    int64_t length, padding,
        readable; /* readable: values from the chunk's start to the end of x, at most chunk */
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

/* What the bits of a 16-bit value mean when they are taken for the other 16-bit type. */
static double misread(enum element_type type, double value) {
    char bytes[8];
    element_put(bytes, 0, type, value);
    return element_get(bytes, 0, type == TYPE_FP16 ? TYPE_BF16 : TYPE_FP16);
}

static double misread_max(const struct chunk_view *chunk, enum element_type type) {
    if (type == TYPE_FP32)
        return NAN;
    double max = -INFINITY;
    for (int64_t i = 0; i < chunk->length; i++)
        max = fmax(max, misread(type, chunk->values[i]));
    return max == 0 ? NAN : max; /* small numbers misread are 0, and 0 comes of much else */
}

/* Suspects that are the same for maxima and sums: the chunk cut short, or another one. */
static bool recognise_cut(struct context *context, const struct chunk_view *chunk, double got, double right,
                          bool sum) {
    static const int64_t beginnings[] = {1, 32, 64, 128, 256, 512, 1024, 2048};
    for (size_t i = sizeof beginnings / sizeof *beginnings;
         i-- > 0;) { /* a maximum may be in several: the longest */
        if (beginnings[i] >= chunk->length)
            continue;
        struct oracle_state cut = oracle_state_of(chunk->values, (size_t)beginnings[i]);
        struct suspect suspect = {
            sum ? cut.sum * exp(cut.max - chunk->max) : cut.max, 1e-6,
            check_text(
                context,
                "This is what the first %lld columns of the chunk give: the others were not looked at. A "
                "thread has to go through the chunk in steps of the block's width until it is at the end.",
                (long long)beginnings[i]),
            SECTION};
        if (recognise(context, SPLIT_LESSON, got, right, &suspect, 1))
            return true;
    }
    return false;
}

/* Whether the maxima came back as [T, rows]: each of them is where that would put it. */
static bool is_transposed(const struct split_view *view) {
    if (view->rows == 1 || view->chunks == 1)
        return false;
    for (int64_t row = 0; row < view->rows; row++)
        for (int64_t index = 0; index < view->chunks; index++)
            if (!isnan(view->states[row * view->chunks + index].max) && /* of NaN the state is free */
                element_get(view->maxima, (size_t)(index * view->rows + row), TYPE_FP32) !=
                    view->states[row * view->chunks + index].max)
                return false;
    return true;
}

void split_recognise_partial_max(struct context *context, const void *data, int64_t row, int64_t index,
                                 double got) {
    const struct split_view *view = data;
    struct chunk_view chunk = chunk_at(view, row, index);
    if (is_transposed(view)) {
        explain(
            context,
            "All maxima are right, but stored as [T, rows]. Both arrays are [rows, T], row after row: the "
            "place is row * T + chunk.");
        read_next(context, SPLIT_LESSON, "Ownership");
        return;
    }
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
    if (got == 0 && chunk.max < 0) {
        explain(context, "A maximum of 0 where all values are negative: the maximum was started at 0, or the "
                         "columns past the end "
                         "of the tail were padded with 0. The value that changes no maximum is -INFINITY.");
        read_next(context, SPLIT_LESSON, SECTION);
        return;
    }
    const struct suspect suspects[] = {
        {max_of(chunk.values, chunk.readable), 1e-9,
         "This is the maximum with the values behind the end of the row: the tail chunk is shorter than the "
         "others, "
         "and a column has to be compared with cols before it is loaded.",
         SECTION},
        {max_of(chunk.values, chunk.length - 1), 1e-9,
         "This is the maximum without the last column of the chunk: the end is one column too early.",
         SECTION},
        {chunk.sum, 1e-6, "This is the sum of the chunk: partial_max and partial_sum are exchanged.",
         SECTION},
        {view->row[row].max, 1e-9,
         "This is the maximum of the whole row. Stage 1 takes the maximum of each chunk alone.", SECTION},
        {misread_max(&chunk, view->x->type), 1e-6,
         "This is what comes out when FP16 is read as BF16, or BF16 as FP16. Look at the switch over x.type.",
         SECTION},
        {-INFINITY, 0, "No value took part in the maximum: look at which columns each thread loads.",
         SECTION},
    };
    if (recognise(context, SPLIT_LESSON, got, chunk.max, suspects, sizeof suspects / sizeof *suspects))
        return;
    if (recognise_cut(context, &chunk, got, chunk.max, false))
        return;
    for (int64_t i = 0; i < view->rows * view->chunks; i++) {
        struct suspect other = {
            view->states[i].max, 1e-9,
            check_text(
                context,
                "This is the maximum of row %lld, chunk %lld. Both arrays are [rows, T], row after row: the "
                "place is row * T + chunk, and the chunk begins at column chunk index * chunk of its own "
                "row.",
                (long long)(i / view->chunks), (long long)(i % view->chunks)),
            "Ownership"};
        if (recognise(context, SPLIT_LESSON, got, chunk.max, &other, 1))
            return;
    }
    explain(context,
            "A maximum has no rounding: it is one of the values of the chunk, or it is wrong. This one is no "
            "chunk's maximum: look at which columns each thread takes, and at what each shuffle combines. %s",
            accesses_are_seen(context) ? "" : MAYBE_BARRIER);
}

static double sum_below(const double *values, int64_t count, double max) {
    long double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += exp(values[i] - max);
    return (double)sum;
}

/* The sum over the columns of each block's first warp: what is left when only one warp reports. */
static bool recognise_first_warp(struct context *context, const struct chunk_view *chunk, double got) {
    for (int64_t block = 64; block <= 1024; block *= 2) {
        long double sum = 0;
        for (int64_t i = 0; i < chunk->length; i++)
            if (i % block < 32)
                sum += exp(chunk->values[i] - chunk->max);
        struct suspect suspect = {
            (double)sum, 1e-5,
            "This is the sum over the columns of the first warp alone: the results of the "
            "other warps have to be added through shared memory.",
            "CUDA facts you need"};
        if (recognise(context, SPLIT_LESSON, got, chunk->sum, &suspect, 1))
            return true;
    }
    return false;
}

static double as_float(double value) {
    return value > FLT_MAX ? INFINITY : value;
}

void split_recognise_partial_sum(struct context *context, const void *data, int64_t row, int64_t index,
                                 double got) {
    const struct split_view *view = data;
    struct chunk_view chunk = chunk_at(view, row, index);
    const struct oracle_state *states = view->states + row * view->chunks;
    double padding = (double)chunk.padding, stops_at = view->x->type == TYPE_FP16 ? 2048 : 256;

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
    long double powers_of_two = 0;
    for (int64_t i = 0; i < chunk.length; i++)
        powers_of_two += exp2(chunk.values[i] - chunk.max);
    const struct suspect suspects[] = {
        {as_float(sum_below(chunk.values, chunk.length, 0)), 2e-5,
         "This is the sum of exp(x): the maximum was not subtracted. exp overflows FP32 above 88.7.",
         SECTION},
        {chunk.sum + padding * exp(-chunk.max), 2e-5,
         "The columns past the end of the row were counted as zeros. They must not count at all: pad with "
         "-INFINITY, whose exponential is 0.",
         SECTION},
        {chunk.sum + padding, 2e-5,
         "The columns past the end of the row were counted, each as 1: a thread beyond the tail has to add "
         "0.",
         SECTION},
        {sum_below(chunk.values, chunk.readable, chunk.max), 2e-5,
         "The sum has the values behind the end of the row in it: the tail chunk is shorter than the others, "
         "and a "
         "column has to be compared with cols before it is loaded.",
         SECTION},
        {sum_below(chunk.values, chunk.length - 1, chunk.max), 2e-6,
         "This is the sum without the last column of the chunk: the end is one column too early.", SECTION},
        {as_float(chunk.sum * exp(chunk.max - view->row[row].max)), 2e-5,
         "The maximum of the whole row was subtracted instead of the chunk's own, to which partial_max "
         "belongs.",
         SECTION},
        {as_float(chunk.sum * exp(chunk.max - states[(index + 1) % view->chunks].max)), 2e-5,
         "The maximum of the next chunk was subtracted instead of the chunk's own.", SECTION},
        {as_float(chunk.sum * exp(chunk.max - states[(index + view->chunks - 1) % view->chunks].max)), 2e-5,
         "The maximum of the chunk before was subtracted instead of the chunk's own.", SECTION},
        {as_float(chunk.sum * exp(chunk.max - states[0].max)), 2e-5,
         "The maximum of chunk 0 was subtracted instead of the chunk's own.", SECTION},
        {(double)powers_of_two, 2e-5,
         "This is a sum of powers of 2 instead of e: exp2f(v) is exp(v) only for v multiplied by log2(e).",
         SECTION},
        {as_float(chunk.sum * exp(chunk.max)), 2e-5,
         "The maximum 0 was subtracted: a maximum that was started at 0, or never computed.", SECTION},
        {chunk.max, 1e-6, "This is the maximum of the chunk: partial_max and partial_sum are exchanged.",
         SECTION},
        {stops_at, 1e-6,
         "The sum stopped growing: it was kept in the type of x. FP16 has no number between 2048 and 2050, "
         "BF16 none "
         "between 256 and 258, so adding 1 changes nothing any more. Sums are FP32.",
         "Numbers"},
        {0, 0, "Nothing was added up, or every exp(x - max) underflowed because max is too large.", SECTION},
    };
    size_t count = sizeof suspects / sizeof *suspects;
    if (recognise(context, SPLIT_LESSON, got, chunk.sum, suspects, count) ||
        recognise_first_warp(context, &chunk, got) || recognise_cut(context, &chunk, got, chunk.sum, true))
        return;
    for (int64_t i = 0; i < view->rows * view->chunks; i++) {
        struct suspect other = {
            view->states[i].sum, 1e-6,
            check_text(context,
                       "This is the sum of row %lld, chunk %lld. Both arrays are [rows, T], row "
                       "after row: the place is row * T + chunk.",
                       (long long)(i / view->chunks), (long long)(i % view->chunks)),
            "Ownership"};
        if (recognise(context, SPLIT_LESSON, got, chunk.sum, &other, 1))
            return;
    }
    double times = got / chunk.sum;
    if (times > 1.5 && fabs(times - round(times)) < 1e-4) {
        explain(context, "The sum is %.0f times what it should be: each value was counted %.0f times.", times,
                times);
        return;
    }
    if (times > 1.5 && times < 2000) {
        explain(
            context,
            "The sum is about %.3g times what it should be: values were counted several times. Look at the "
            "stride: a thread begins at its own column and goes on in steps of the whole block's width.",
            times);
        read_next(context, SPLIT_LESSON, SECTION);
        return;
    }
    if (fabs(times - 1) < 0.02 && view->x->type != TYPE_FP32) {
        explain(context,
                "The sum is nearly right: exponentials or sums were kept in the type of x on the way. "
                "Convert each value to float when it is loaded, and stay in float.");
        read_next(context, SPLIT_LESSON, "Numbers");
        return;
    }
    if (fabs(times - 1) < 1e-3) {
        explain(context, "The sum is nearly right: an approximate exponential, a sum or value that was "
                         "rounded to half on the "
                         "way, or a single column lost or counted twice.");
        return;
    }
    explain(context, "%s",
            accesses_are_seen(context)
                ? "It is none of the usual mistakes. Print what each warp adds, for a chunk of a "
                  "few columns: printf works in a kernel."
                : MAYBE_BARRIER);
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
