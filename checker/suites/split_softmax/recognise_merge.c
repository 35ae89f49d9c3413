/* Mistakes of the merge stage, recognised by the numbers they give. */
#include "parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SECTION "Stage 2: merge"

enum kin { ALONE, OF_THE_BEGINNING, OF_LANES };

static double as_float(double value) {
    return value > FLT_MAX ? INFINITY : value;
}

/* The merged state of some of a row's states, its sum brought to the maximum `to`. */
struct part {
    double max, sum;
};

typedef bool takes(int64_t index, int64_t number);

static struct part part_of(const struct split_view *view, int64_t row, takes *takes_it, int64_t number) {
    const struct oracle_state *states = view->states + row * view->chunks;
    struct part part = {-INFINITY, 0};
    for (int64_t i = 0; i < view->chunks; i++)
        if (takes_it(i, number))
            part.max = fmax(part.max, states[i].max);
    for (int64_t i = 0; i < view->chunks; i++)
        if (takes_it(i, number) && states[i].max != -INFINITY)
            part.sum += states[i].sum * exp(states[i].max - part.max);
    return part;
}

static bool is_in_beginning(int64_t index, int64_t number) {
    return index < number;
}

static bool is_without_step(int64_t index, int64_t step) {
    return (index & step) == 0;
}

static bool is_not_32nd(int64_t index, int64_t number) {
    return index % 32 != number;
}

/* Of some of the states only. The sum may count from their own maximum, or from the row's. */
static size_t add_part(struct suspect *suspects, size_t count, const struct split_view *view, int64_t row,
                       struct part part, bool sum, const char *means, int kin, int64_t number) {
    const double to_row = part.max == -INFINITY ? 0 : part.sum * exp(part.max - view->row[row].max);
    suspects[count++] = (struct suspect){sum ? part.sum : part.max, 1e-6, means, SECTION, kin, number};
    if (sum)
        suspects[count++] = (struct suspect){to_row, 1e-6, means, SECTION, kin, number};
    return count;
}

static size_t add_parts(struct suspect *suspects, size_t count, const struct split_view *view, int64_t row,
                        bool sum) {
    static const int64_t beginnings[] = {1024, 512, 256, 128, 64, 32, 1};
    static const char cut[] =
        "This is what the first %lld partials give: the merge stops before the last. A thread may have to "
        "take several states, in steps of the group's width.";
    static const char half_a_warp[] =
        "This is what comes out when a reduction leaves out the shuffle by %lld lanes: only half of "
        "the lanes take part. The steps are 16, 8, 4, 2 and 1.";
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        count = add_part(suspects, count, view, row, part_of(view, row, is_in_beginning, beginnings[i]), sum,
                         cut, OF_THE_BEGINNING, beginnings[i]);
    count = add_part(suspects, count, view, row, part_of(view, row, is_in_beginning, view->chunks - 1), sum,
                     "The last chunk was left out.", ALONE, 0);
    for (int step = 16; step > 0; step /= 2)
        count = add_part(suspects, count, view, row, part_of(view, row, is_without_step, step), sum,
                         half_a_warp, OF_LANES, step);
    return add_part(suspects, count, view, row, part_of(view, row, is_not_32nd, 31), sum,
                    "This is what comes out without every 32nd state: one lane of the group takes none.",
                    OF_LANES, 0);
}

/* The states as they are found when [rows, T] is taken for [T, rows]. */
static struct oracle_state transposed(struct context *context, const struct split_view *view, int64_t row) {
    struct oracle_state *states = check_memory(context, (size_t)view->chunks * sizeof *states);
    for (int64_t i = 0; i < view->chunks; i++)
        states[i] = view->states[i * view->rows + row];
    return oracle_merge(states, (size_t)view->chunks);
}

static const char read_across[] =
    "This is what comes out when the partials are read as [T, rows]. They are [rows, T], row after row.";

static const char max_of_row_zero[] = "This is the maximum of row 0: the row is left out of an index.";

static const char sum_of_row_zero[] = "This is the sum of row 0: the row is left out of an index.";

size_t split_suspects_of_row_max(struct context *context, const void *data, int64_t row, int64_t col,
                                 struct suspect *suspects) {
    const struct split_view *view = data;
    const struct oracle_state *right = &view->row[row];
    const struct suspect known[] = {
        {fmax(0, right->max), 0,
         "A maximum of 0 or more: the maximum was started at 0 instead of -INFINITY, which is wrong where "
         "all are negative.",
         SECTION, ALONE, 0},
        {fmax(FLT_MIN, right->max), 1e-6,
         "The maximum was started at FLT_MIN, which is the smallest positive number and not the lowest one. "
         "-INFINITY is below "
         "them all.",
         SECTION, ALONE, 0},
        {right->sum, 1e-6, "This is the row's sum: row_max and row_sum are exchanged.", SECTION, ALONE, 0},
        {view->row[0].max, 0, max_of_row_zero, "Ownership", ALONE, 0},
        {-INFINITY, 0, "No state took part in the maximum.", SECTION, ALONE, 0},
    };
    size_t count = sizeof known / sizeof *known;
    (void)col;
    memcpy(suspects, known, sizeof known);
    count = add_parts(suspects, count, view, row, false);
    suspects[count++] =
        (struct suspect){transposed(context, view, row).max, 0, read_across, "Ownership", ALONE, 0};
    return count;
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
    for (int64_t other = 0; other < view->rows; other++)
        if (got == (float)view->row[other].max && other != row) {
            explain(context, "This is the maximum of row %lld.", (long long)other);
            read_next(context, SPLIT_LESSON, SECTION);
            return;
        }
    if (isnan(got))
        explain(context, "A maximum that is NaN: a state was read that is not there.");
    else if (got < right->max)
        explain(context, "It is smaller than the largest of the row's maxima: a state is passed over. Each "
                         "lane takes states from its own "
                         "number on, in steps of the group's width, to the last; and each step of the "
                         "reduction has to reach all lanes.");
    else
        explain(context, "It is larger than all of the row's maxima: look at what it was started with, and "
                         "whether the states are "
                         "this row's own.");
    read_next(context, SPLIT_LESSON, SECTION);
}

size_t split_suspects_of_row_sum(struct context *context, const void *data, int64_t row, int64_t col,
                                 struct suspect *suspects) {
    const struct split_view *view = data;
    const struct oracle_state *states = view->states + row * view->chunks, right = view->row[row];
    long double raw = 0, forgotten = 0, inverted = 0, from_first = 0, from_zero = 0, squared = 0;
    static const char several_times[] =
        "Each state was counted %lld times: the sum is so many times what it should be.";
    for (int64_t i = 0; i < view->chunks; i++) {
        raw += states[i].sum;
        forgotten += exp(states[i].max - right.max);
        inverted += states[i].sum * exp(right.max - states[i].max);
        from_first += states[i].sum * exp(states[i].max - states[0].max);
        from_zero += states[i].sum * exp(states[i].max);
        squared += states[i].sum * states[i].sum * exp(states[i].max - right.max);
    }
    const struct suspect known[] = {
        {(double)raw, 1e-5,
         "This is the raw sum of the partial sums. Each of them counts from the maximum of its own chunk, so "
         "they cannot be added "
         "as they are: multiply each by exp(partial_max - row_max) first.",
         SECTION, ALONE, 0},
        {(double)forgotten, 1e-5,
         "This is the sum of exp(partial_max - row_max) alone: the partial sums were left out.", SECTION,
         ALONE, 0},
        {as_float((double)inverted), 1e-5,
         "The exponent has the wrong sign: a partial sum is multiplied by exp(partial_max - row_max), which "
         "is at most 1.",
         SECTION, ALONE, 0},
        {as_float((double)from_first), 1e-5,
         "The sums were brought to the maximum of chunk 0 instead of the row's maximum.", SECTION, ALONE, 0},
        {as_float((double)from_zero), 1e-5,
         "Each partial sum was multiplied by exp(partial_max): the row's maximum was not subtracted.",
         SECTION, ALONE, 0},
        {(double)squared, 1e-5, "Each partial sum was multiplied in twice.", SECTION, ALONE, 0},
        {right.max, 1e-6, "This is the row's maximum: row_max and row_sum are exchanged.", SECTION, ALONE, 0},
        {view->row[0].sum, 1e-6, sum_of_row_zero, "Ownership", ALONE, 0},
        {0, 0, "Nothing was added up.", SECTION, ALONE, 0},
        {2 * right.sum, 1e-5, several_times, SECTION, ALONE, 2},
        {4 * right.sum, 1e-5, several_times, SECTION, ALONE, 4},
        {8 * right.sum, 1e-5, several_times, SECTION, ALONE, 8},
        {32 * right.sum, 1e-5, several_times, SECTION, ALONE, 32},
    };
    size_t count = sizeof known / sizeof *known;
    (void)col;
    memcpy(suspects, known, sizeof known);
    count = add_parts(suspects, count, view, row, true);
    suspects[count++] =
        (struct suspect){transposed(context, view, row).sum, 1e-5, read_across, "Ownership", ALONE, 0};
    return count;
}

void split_recognise_row_sum(struct context *context, const void *data, int64_t row, int64_t col,
                             double got) {
    const struct split_view *view = data;
    (void)col;
    if (isnan(got)) {
        explain(context, "-inf - -inf is NaN: the state of a masked chunk, (-INFINITY, 0), says that nothing "
                         "is to be added. It comes from "
                         "a masked chunk, or from two lanes without a state: identity with identity gives "
                         "exp(-inf - -inf). Where the row's "
                         "maximum is -INFINITY too, exp(partial_max - row_max) needs its own case. (0 * inf "
                         "is NaN as well: the exponent "
                         "must be partial_max - row_max, never the other way round.)");
        return;
    }
    const double times = got / view->row[row].sum;
    if (times > 1.5)
        explain(context,
                "The sum is about %.3g times what it should be: states were counted several times, or "
                "brought to a maximum that is "
                "smaller than the row's. Look at the stride: a lane begins at its own state and goes on in "
                "steps of the group's "
                "width, and each shuffle adds what no lane has added yet.",
                times);
    else if (fabs(times - 1) < 0.02)
        explain(context, "The sum is nearly right: a sum that was kept in a 16-bit type, an approximate "
                         "exponential, or a small "
                         "state that was lost or counted twice.");
    else
        explain(context,
                "The sum is %.3g of what it should be: states are missing in it, or one was multiplied by "
                "too small a factor. Each "
                "partial sum is multiplied by exp(partial_max - row_max), and all of them are added.",
                times);
    read_next(context, SPLIT_LESSON, SECTION);
}
