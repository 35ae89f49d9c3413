/* Mistakes in a row, recognised by its numbers. Each states what all elements of the row would be, and is
 * told only where all are so: one number fits many a mistake by chance. */
#include "recognise.h"

#include <math.h>

/* y = base^(x - max) / sum, with another max, sum or base than the row's, or x taken for the other 16-bit
 * type. */
struct mistake {
    double max, sum;
    bool powers_of_two, misread, stored_so; /* stored_so: the result, too, as the other 16-bit type */
    const char *means, *section;
};

static double misread(enum element_type type, double value) {
    char bytes[8];
    element_put(bytes, 0, type, value);
    return element_get(bytes, 0, type == TYPE_FP16 ? TYPE_BF16 : TYPE_FP16);
}

static double element_of(const struct mistake *mistake, const struct table *x, double value) {
    const double from_max = (mistake->misread ? misread(x->type, value) : value) - mistake->max;
    const double result = (mistake->powers_of_two ? exp2(from_max) : exp(from_max)) / mistake->sum;
    return mistake->stored_so ? misread(x->type == TYPE_FP16 ? TYPE_BF16 : TYPE_FP16, result) : result;
}

static double tolerance(enum element_type type) {
    return type == TYPE_FP32 ? 1e-4 : type == TYPE_FP16 ? 1.2e-3 : 1e-2;
}

static bool is_near(enum element_type type, double a, double b) {
    return fabs(a - b) <= tolerance(type) * fmax(fabs(a), fabs(b));
}

/* Elements that vanish say nothing. */
static bool counts(double right) {
    return right > 1e-6;
}

/* Whether the row came out as the mistake has it, and not as it should be. */
static bool explains(const struct mistake *mistake, const struct row_view *view) {
    const enum element_type type = view->x->type;
    size_t counted = 0;
    bool differs = false;
    for (int64_t col = 0; col < view->x->cols; col++) {
        const double value = table_get(view->x, view->row, col),
                     right = oracle_probability(value, view->state);
        if (!counts(right))
            continue;
        const double mistaken = element_of(mistake, view->x, value);
        if (!is_near(type, element_get(view->y, (size_t)col, type), mistaken))
            return false;
        differs |= !is_near(type, mistaken, right);
        counted++;
    }
    return counted > 0 && differs;
}

static struct mistake with_zeros(const struct row_view *view, int64_t zeros, const char *means,
                                 const char *section) {
    const struct oracle_state parts[] = {view->state, {0, (double)zeros}};
    const struct oracle_state all = oracle_merge(parts, 2);
    return (struct mistake){.max = all.max, .sum = all.sum, .means = means, .section = section};
}

static struct mistake with_powers_of_two(const struct row_view *view) {
    struct mistake mistake = {
        .max = view->state.max,
        .powers_of_two = true,
        .means = "These are powers of 2 instead of e: exp2f(v) is exp(v) only for v multiplied by log2(e).",
        .section = "Numbers",
    };
    for (int64_t col = 0; col < view->x->cols; col++)
        mistake.sum += exp2(table_get(view->x, view->row, col) - mistake.max);
    return mistake;
}

static struct mistake with_other_type(const struct row_view *view, bool stored_so) {
    struct mistake mistake = {
        .max = -INFINITY,
        .misread = true,
        .stored_so = stored_so,
        .means = "This is what comes out when FP16 is read as BF16, or BF16 as FP16. Look at the switch over "
                 "x.type.",
        .section = "Stage 5: the operator",
    };
    for (int64_t col = 0; col < view->x->cols; col++)
        mistake.max = fmax(mistake.max, misread(view->x->type, table_get(view->x, view->row, col)));
    for (int64_t col = 0; col < view->x->cols; col++)
        mistake.sum += exp(misread(view->x->type, table_get(view->x, view->row, col)) - mistake.max);
    return mistake;
}

/* Whether the columns of lane 0 are right and no others, where a lane has so many columns side by side. */
static bool only_lane_0_is_right(const struct row_view *view, int64_t side_by_side) {
    const enum element_type type = view->x->type;
    bool others = false;
    for (int64_t col = 0; col < view->x->cols; col++) {
        const double right = oracle_probability(table_get(view->x, view->row, col), view->state);
        const bool of_lane_0 = col / side_by_side % 32 == 0;
        if (!counts(right))
            continue;
        if (is_near(type, element_get(view->y, (size_t)col, type), right) != of_lane_0)
            return false;
        others |= !of_lane_0;
    }
    return others;
}

bool recognise_row(struct context *context, const struct row_view *view, const char *lesson) {
    static const char lanes[] =
        "That is what comes out when lanes beyond the end of the row hold 0; they have to hold -INFINITY.";
    const int64_t cols = view->x->cols;
    if (only_lane_0_is_right(view, 1) || only_lane_0_is_right(view, 4)) {
        explain(context,
                "Only the columns of lane 0 are right: __shfl_down_sync leaves the result of a reduction in "
                "lane 0 alone. "
                "__shfl_xor_sync gives it to every lane; or __shfl_sync(mask, value, 0) hands it on.");
        read_next(context, lesson, "Stage 1: one row");
        return true;
    }
    const struct mistake mistakes[] = {
        {view->state.max, 1, false, false, false, "That is exp(x - maximum): it was not divided by the sum.",
         "Stage 1: one row"},
        with_powers_of_two(view),
        with_zeros(view, view->x->pitch - cols,
                   "That is what comes out when the padding is counted as zeros.", "Stage 3: padding"),
        with_zeros(view, (cols + 3) / 4 * 4 - cols,
                   "That is what comes out when the last group of four columns is filled up with zeros.",
                   "Stage 3: padding"),
        with_zeros(view, (cols + 31) / 32 * 32 - cols, lanes, "Stage 1: one row"),
        with_zeros(view, (cols + 127) / 128 * 128 - cols, lanes, "Stage 1: one row"),
        with_zeros(view, 1024 - cols, lanes, "Stage 1: one row"),
        with_other_type(view, false),
        with_other_type(view, true),
    };
    const size_t count = sizeof mistakes / sizeof *mistakes - (view->x->type == TYPE_FP32 ? 2 : 0);
    for (size_t i = 0; i < count; i++)
        if (explains(&mistakes[i], view)) {
            explain(context, "%s", mistakes[i].means);
            read_next(context, lesson, mistakes[i].section);
            return true;
        }
    return false;
}
