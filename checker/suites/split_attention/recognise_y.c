/* Mistakes in y, recognised by the numbers they give: those of the merge, and those of the whole operator as they
 * show in its result. */
#include "parts.h"

#include <float.h>
#include <math.h>

static double as_float(double value) {
    return value > FLT_MAX ? INFINITY : value < -FLT_MAX ? -INFINITY : value;
}

/* What wrong merges of a head's states give in one column. */
struct merges {
    double raw_sums, raw_values, raw, averaged, weighted, undivided, first, last_left_out, from_first,
        inverted, squared, transposed, no_sum;
};

static struct merges merges_of(const struct view *view, int64_t head, int64_t col) {
    const struct oracle_state *states = view->states + head * view->chunks;
    const double *values = view->values + head * view->chunks * view->dim + col;
    double max = -INFINITY, without_last = -INFINITY;
    for (int64_t i = 0; i < view->chunks; i++) {
        max = fmax(max, states[i].max);
        without_last = i + 1 < view->chunks ? max : without_last;
    }
    double sum = 0, value = 0, raw_sum = 0, raw_value = 0, averaged = 0, weights = 0, weighted = 0,
           cut_sum = 0, cut_value = 0, first_sum = 0, first_value = 0, inverted_sum = 0, inverted_value = 0,
           squared = 0, across_sum = 0, across_value = 0, across_max = -INFINITY;
    for (int64_t i = 0; i < view->chunks; i++) {
        const double s = states[i].sum, v = values[i * view->dim], up = exp(states[i].max - max);
        if (states[i].max == -INFINITY)
            continue;
        sum += s * up;
        value += v * up;
        raw_sum += s;
        raw_value += v;
        averaged += v / s / (double)view->chunks;
        weights += up;
        weighted += v / s * up;
        squared += v * up * up;
        first_sum += s * exp(states[i].max - states[0].max);
        first_value += v * exp(states[i].max - states[0].max);
        inverted_sum += s / up;
        inverted_value += v / up;
        if (i + 1 < view->chunks) {
            cut_sum += s * exp(states[i].max - without_last);
            cut_value += v * exp(states[i].max - without_last);
        }
    }
    for (int64_t i = 0; i < view->chunks; i++)
        across_max = fmax(across_max, view->states[i * view->heads + head].max);
    for (int64_t i = 0; i < view->chunks; i++) {
        const int64_t at = i * view->heads + head;
        const double up = exp(view->states[at].max - across_max);
        across_sum += view->states[at].sum * up;
        across_value += view->values[at * view->dim + col] * up;
    }
    return (struct merges){.raw_sums = value / raw_sum,
                           .raw_values = raw_value / sum,
                           .raw = raw_value / raw_sum,
                           .averaged = averaged,
                           .weighted = weighted / weights,
                           .undivided = value,
                           .first = values[0] / states[0].sum,
                           .last_left_out = cut_value / cut_sum,
                           .from_first = as_float(first_value) / as_float(first_sum),
                           .inverted = as_float(inverted_value) / as_float(inverted_sum),
                           .squared = squared / sum,
                           .transposed = across_value / across_sum,
                           .no_sum = value / weights};
}

bool attention_recognise_merge(struct context *context, const struct view *view, int64_t head, int64_t col,
                               double got, double right) {
    const struct merges m = merges_of(view, head, col);
    const double near = view->type == TYPE_FP32 ? 1e-5 : view->type == TYPE_FP16 ? 6e-4 : 5e-3;
    const struct suspect suspects[] = {
        {m.raw, near,
         "Sums and values of the chunks were added as they are. Each counts from the maximum of its own "
         "chunk: "
         "multiply both by exp(partial_max - the head's maximum) first.",
         SECTION_MERGE, 0, 0},
        {m.raw_sums, near,
         "The values were brought to one maximum, and the sums were not: both count from the maximum of "
         "their chunk, "
         "and both take the factor exp(partial_max - the head's maximum).",
         SECTION_MERGE, 0, 0},
        {m.raw_values, near,
         "The sums were brought to one maximum, and the values were not: both take the factor "
         "exp(partial_max - the "
         "head's maximum).",
         SECTION_MERGE, 0, 0},
        {m.averaged, near,
         "This is the average of what the chunks give by themselves. Divide once, at the end: a chunk that "
         "has been "
         "divided by its own sum has forgotten how much it weighs.",
         SECTION_MERGE, 0, 0},
        {m.weighted, near,
         "Each chunk was divided by its own sum, and then weighed by exp(partial_max - the head's maximum) "
         "alone: its "
         "sum is missing from its weight. Do not divide before the end.",
         SECTION_MERGE, 0, 0},
        {m.no_sum, near,
         "It was divided by the sum of exp(partial_max - the head's maximum): the partial sums were "
         "left out.",
         SECTION_MERGE, 0, 0},
        {m.undivided, near, "This is the numerator: it was not divided by the head's sum.", SECTION_MERGE, 0,
         0},
        {m.from_first, near,
         "The states were brought to the maximum of chunk 0 instead of the head's maximum.", SECTION_MERGE, 0,
         0},
        {m.inverted, near,
         "The exponent has the wrong sign: the factor exp(partial_max - the head's maximum) is at "
         "most 1.",
         SECTION_MERGE, 0, 0},
        {m.squared, near, "The values took their factor twice.", SECTION_MERGE, 0, 0},
        {m.transposed, near,
         "This is what comes out when the states are read as [T, heads]. They are [heads, T], row after row.",
         SECTION_OWNERSHIP, 0, 0},
        {m.first, near, "This is chunk 0 alone: the other chunks were not merged.", SECTION_MERGE, 0, 0},
        {m.last_left_out, near, "The last chunk was left out.", SECTION_MERGE, 0, 0},
    };
    const size_t count = view->chunks > 1 ? sizeof suspects / sizeof *suspects : 0;
    if (attention_recognise(context, got, right, suspects, count))
        return true;
    const struct suspect plain = {
        m.undivided,   near, "This is the numerator: it was not divided by the head's sum.",
        SECTION_MERGE, 0,    0};
    return attention_recognise(context, got, right, &plain, 1);
}

static double right_y(const struct view *view, int64_t head, int64_t col) {
    const struct oracle_state *states = view->states + head * view->chunks;
    const struct oracle_state whole = oracle_merge(states, (size_t)view->chunks);
    double value = 0;
    for (int64_t i = 0; i < view->chunks; i++)
        if (states[i].max > -INFINITY || isnan(states[i].max))
            value +=
                view->values[(head * view->chunks + i) * view->dim + col] * exp(states[i].max - whole.max);
    return value / whole.sum;
}

/* Only the first so many states were merged. */
static bool recognise_cut(struct context *context, const struct view *view, int64_t head, int64_t col,
                          double got, double right, double near) {
    static const int64_t beginnings[] = {1024, 512, 256, 128, 64, 32, 16, 8, 4, 2};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        struct view cut = *view;
        cut.states = view->states + head * view->chunks;
        cut.values = view->values + head * view->chunks * view->dim;
        cut.chunks = beginnings[i];
        if (beginnings[i] >= view->chunks)
            continue;
        const struct suspect suspect = {
            right_y(&cut, 0, col),
            near,
            check_text(context,
                       "This is what the first %lld states give: the merge stops before the last of the "
                       "%lld. A thread "
                       "may have to take several states, in steps of the group's width.",
                       (long long)beginnings[i], (long long)view->chunks),
            SECTION_MERGE,
            0,
            0};
        if (attention_recognise(context, got, right, &suspect, 1))
            return true;
    }
    return false;
}

/* A value as the other 16-bit type has its bits. */
static double misread(enum element_type type, double value) {
    char bytes[8];
    if (type == TYPE_FP32)
        return NAN;
    element_put(bytes, 0, type, value);
    return element_get(bytes, 0, type == TYPE_FP16 ? TYPE_BF16 : TYPE_FP16);
}

void attention_recognise_y(struct context *context, const void *data, int64_t head, int64_t col, double got) {
    const struct view *view = data;
    const double right = right_y(view, head, col);
    if (isnan(right)) {
        explain(
            context,
            "A head whose keys are all masked has nothing to choose from, and one with a NaN or +inf among "
            "its scores has no weights: y is NaN, as torch gives it. fmaxf forgets a NaN, so it is the "
            "sum that carries it: no test for -inf may throw that sum away, nor a sum of 0 be replaced.");
        read_next(context, ATTENTION_LESSON, SECTION_NUMBERS);
        return;
    }
    if (isnan(got)) {
        bool masked = false;
        for (int64_t i = 0; i < view->chunks; i++)
            masked |= view->states[head * view->chunks + i].max == -INFINITY;
        explain(
            context, "%s",
            masked ? "NaN in a head without one, and it has a masked chunk: -inf - -inf. The state of a "
                     "masked chunk is "
                     "(-INFINITY, 0, zeros), and adds nothing."
                   : "NaN in a head without one: inf / inf or 0 * inf, because no maximum was subtracted, or "
                     "because "
                     "an exponent was positive: it is partial_max - the head's maximum, at most 0, never the "
                     "other "
                     "way round and never by another chunk's maximum. Or memory was read that nobody wrote.");
        read_next(context, ATTENTION_LESSON, SECTION_MERGE);
        return;
    }
    if (got == 0) {
        explain(context,
                "0 where a value belongs: nothing was added up, or every exp(max - the head's maximum) "
                "underflowed.");
        read_next(context, ATTENTION_LESSON, SECTION_MERGE);
        return;
    }
    if (attention_recognise_merge(context, view, head, col, got, right))
        return;
    const double near = view->type == TYPE_FP32 ? 1e-5 : view->type == TYPE_FP16 ? 6e-4 : 5e-3;
    if (recognise_cut(context, view, head, col, got, right, near))
        return;
    for (int64_t other = 0; other < view->heads; other++) {
        const struct suspect suspect = {
            right_y(view, other, col), near, check_text(context, "This is y of head %lld.", (long long)other),
            SECTION_OWNERSHIP,         0,    0};
        if (other != head && attention_recognise(context, got, right, &suspect, 1))
            return;
    }
    const struct suspect suspects[] = {
        {right_y(view, head, (col + 1) % view->dim), near, "This belongs one column to the right.",
         SECTION_OWNERSHIP, 0, 0},
        {right_y(view, head, (col + view->dim - 1) % view->dim), near, "This belongs one column to the left.",
         SECTION_OWNERSHIP, 0, 0},
        {misread(view->type, right), near,
         "The result was stored as the other 16-bit type. Look at the switch over the type.", SECTION_NUMBERS,
         0, 0},
    };
    if (attention_recognise(context, got, right, suspects, sizeof suspects / sizeof *suspects))
        return;
    if (view->type != TYPE_FP32 && fabs(got - right) <= 2.5 * element_spacing(view->type, right)) {
        explain(
            context,
            "It is off by a unit in the last place: rounded more than once, or cut off instead of rounded. "
            "Stay in float until the store, and round there, once, to nearest even.");
        read_next(context, ATTENTION_LESSON, SECTION_NUMBERS);
    } else if (view->problem != NULL) {
        explain(
            context,
            "The stages are right one by one? Then it is what lies between them: which of the three arrays "
            "is where in the scratch, and which order the launches have. If not, their stage tells more.");
        read_next(context, ATTENTION_LESSON, SECTION_STREAMS);
    }
}

void attention_locate_y(struct context *context, const void *data, int64_t head, int64_t col, double got) {
    const struct view *view = data;
    (void)col, (void)got;
    if (view->problem != NULL)
        locate(context, "Head %lld of %s.", (long long)head, attention_text(context, view->problem));
    else
        locate(context, "Head %lld of %lld, merged from %lld chunks, dim %d, %s.", (long long)head,
               (long long)view->heads, (long long)view->chunks, view->dim, element_name(view->type));
}
