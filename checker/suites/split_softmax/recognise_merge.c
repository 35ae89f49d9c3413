/* Mistakes of the merge stage, recognised by the numbers they give. */
#include "parts.h"

#include <float.h>
#include <math.h>

#define SECTION "Stage 2: merge"

static double as_float(double value) {
    return value > FLT_MAX ? INFINITY : value;
}

/* Only the first so many partials were merged. */
static bool recognise_cut(struct context *context, const struct split_view *view, int64_t row, double got,
                          bool sum) {
    static const int64_t beginnings[] = {1, 32, 64, 128, 256, 512, 1024};
    const struct oracle_state *states = view->states + row * view->chunks;
    double right = sum ? view->row[row].sum : view->row[row].max;
    for (size_t i = sizeof beginnings / sizeof *beginnings;
         i-- > 0;) { /* a maximum may be in several: the longest */
        if (beginnings[i] >= view->chunks)
            continue;
        struct oracle_state cut = oracle_merge(states, (size_t)beginnings[i]);
        const char *means = check_text(
            context,
            "This is what the first %lld partials give: the merge stops before the last of the %lld. A "
            "thread may have to take several states, in steps of the group's width.",
            (long long)beginnings[i], (long long)view->chunks);
        struct suspect suspects[] = {
            {sum ? cut.sum : cut.max, 1e-6, means, SECTION},
            {sum ? cut.sum * exp(cut.max - view->row[row].max) : cut.max, 1e-6, means, SECTION}};
        if (recognise(context, SPLIT_LESSON, got, right, suspects, 2))
            return true;
    }
    return false;
}

/* The states as they are found when [rows, T] is taken for [T, rows]. */
static struct oracle_state transposed(struct context *context, const struct split_view *view, int64_t row) {
    struct oracle_state *states = check_memory(context, (size_t)view->chunks * sizeof *states);
    for (int64_t i = 0; i < view->chunks; i++)
        states[i] = view->states[i * view->rows + row];
    return oracle_merge(states, (size_t)view->chunks);
}

void split_recognise_row_max(struct context *context, const void *data, int64_t row, int64_t col,
                             double got) {
    const struct split_view *view = data;
    const struct oracle_state *right = &view->row[row];
    (void)col;
    if (right->max == -INFINITY && isfinite(got)) {
        explain(context, "Every state of this row is (-INFINITY, 0), and so its maximum is -INFINITY. %s",
                got == 0
                    ? "It came out as 0: the maximum was started at 0, and is wrong for every row of "
                      "negative logits."
                    : check_text(context, "It came out as %.9g: that number stands for -INFINITY somewhere.",
                                 got));
        read_next(context, SPLIT_LESSON, SECTION);
        return;
    }
    if (got == 0 && right->max < 0) {
        explain(context,
                "A maximum of 0 where all maxima are negative: it was started at 0 instead of -INFINITY.");
        read_next(context, SPLIT_LESSON, SECTION);
        return;
    }
    const struct suspect suspects[] = {
        {right->sum, 1e-6, "This is the row's sum: row_max and row_sum are exchanged.", SECTION},
        {transposed(context, view, row).max, 0,
         "This is what comes out when the partials are read as [T, rows]. They are [rows, T], row after row.",
         "Ownership"},
        {-INFINITY, 0, "No state took part in the maximum.", SECTION},
    };
    /* A maximum may be that of several sets of states. Of the first ones and of those read across, the first
     * ones are the more likely. */
    if (recognise_cut(context, view, row, got, false) ||
        recognise(context, SPLIT_LESSON, got, right->max, suspects, sizeof suspects / sizeof *suspects))
        return;
    for (int64_t other = 0; other < view->rows; other++) {
        struct suspect suspect = {view->row[other].max, 0,
                                  check_text(context, "This is the maximum of row %lld.", (long long)other),
                                  SECTION};
        if (recognise(context, SPLIT_LESSON, got, right->max, &suspect, 1))
            return;
    }
    if (isnan(got))
        explain(context, "A maximum that is NaN: a state was read that is not there.");
}

void split_recognise_row_sum(struct context *context, const void *data, int64_t row, int64_t col,
                             double got) {
    const struct split_view *view = data;
    const struct oracle_state *states = view->states + row * view->chunks, right = view->row[row];
    (void)col;
    if (isnan(got)) {
        explain(
            context,
            "-inf - -inf is NaN: the state of a masked chunk, (-INFINITY, 0), says that nothing is to be "
            "added. "
            "It comes from a masked chunk, or from two lanes without a state: identity with identity gives "
            "exp(-inf - -inf). "
            "Where the row's maximum is -INFINITY too, exp(partial_max - row_max) needs its own case. (0 "
            "* inf is "
            "NaN as well: the exponent must be partial_max - row_max, never the other way round.)");
        return;
    }
    long double raw = 0, forgotten = 0, inverted = 0, last = 0, from_first = 0, squared = 0;
    for (int64_t i = 0; i < view->chunks; i++) {
        raw += states[i].sum;
        forgotten += exp(states[i].max - right.max);
        inverted += states[i].sum * exp(right.max - states[i].max);
        from_first += states[i].sum * exp(states[i].max - states[0].max);
        squared += states[i].sum * states[i].sum * exp(states[i].max - right.max);
        if (i + 1 < view->chunks)
            last += states[i].sum * exp(states[i].max - right.max);
    }
    const struct suspect suspects[] = {
        {(double)raw, 1e-5,
         "This is the raw sum of the partial sums. Each of them counts from the maximum of its own chunk, so "
         "they "
         "cannot be added as they are: multiply each by exp(partial_max - row_max) first.",
         SECTION},
        {(double)forgotten, 1e-5,
         "This is the sum of exp(partial_max - row_max) alone: the partial sums were left out.", SECTION},
        {as_float((double)inverted), 1e-5,
         "The exponent has the wrong sign: a partial sum is multiplied by exp(partial_max - row_max), which "
         "is at "
         "most 1.",
         SECTION},
        {as_float((double)from_first), 1e-5,
         "The sums were brought to the maximum of chunk 0 instead of the row's maximum.", SECTION},
        {(double)squared, 1e-5, "Each partial sum was multiplied in twice.", SECTION},
        {right.max, 1e-6, "This is the row's maximum: row_max and row_sum are exchanged.", SECTION},
        {transposed(context, view, row).sum, 1e-5,
         "This is what comes out when the partials are read as [T, rows]. They are [rows, T], row after row.",
         "Ownership"},
        {0, 0, "Nothing was added up.", SECTION},
    };
    if (recognise(context, SPLIT_LESSON, got, right.sum, suspects, sizeof suspects / sizeof *suspects) ||
        recognise_cut(context, view, row, got, true))
        return;
    const struct suspect without_last = {(double)last, 1e-6, "The last chunk was left out.", SECTION};
    if (recognise(context, SPLIT_LESSON, got, right.sum, &without_last, 1))
        return;
    double times = got / right.sum;
    if (times > 1.5 && fabs(times - round(times)) < 1e-4)
        explain(context, "The sum is %.0f times what it should be: each state was counted %.0f times.", times,
                times);
    else if (times > 1.5 && times < 2000)
        explain(
            context,
            "The sum is about %.3g times what it should be: states were counted several times. Look at the "
            "stride: a lane begins at its own state and goes on in steps of the group's width, and each "
            "shuffle adds what no lane has added yet.",
            times);
    else if (fabs(times - 1) < 0.02)
        explain(
            context,
            "The sum is nearly right: a sum that was kept in a 16-bit type, an approximate exponential, or "
            "a small state that was lost or counted twice.");
}
