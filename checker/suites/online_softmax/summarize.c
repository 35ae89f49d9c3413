/* Stage summarize: the state of one chunk. */
#include "checks.h"
#include "states.h"

#include <float.h>
#include <math.h>

/* The sum over the first values of a list, from this maximum. */
static double sum_from(struct list list, size_t count, double max) {
    long double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += list.values[i] == -INFINITY ? 0 : expl((long double)list.values[i] - max);
    return (double)sum;
}

/* Names a mistake that accounts for the whole state, if there is one. */
static void explain_summary(struct context *context, struct list list, struct state got, struct state right) {
    if (got.max != right.max || close_enough(got.sum, right.sum) || isnan(got.sum) ||
        right.max == -INFINITY) {
        if (got.max == DBL_MIN || got.max == FLT_MIN)
            explain(context, "The maximum started at DBL_MIN or FLT_MIN, which is the smallest positive "
                             "number and not the lowest "
                             "one. -INFINITY is below them all.");
        return;
    }
    if (list.count > 1 && close_enough(got.sum, sum_from(list, list.count - 1, right.max)))
        explain(context, "That is the sum without the last value: the loop ends one too early.");
    else if (right.max != 0 && close_enough(got.sum, sum_from(list, list.count, 0)))
        explain(context, "That is the sum of exp(value): the maximum was not subtracted.");
    else if (fabs(got.sum - right.sum) <= 1e-5 * right.sum)
        explain(context,
                "It is nearly right, to about %.1g of the sum: something is computed in float. Use exp() and "
                "double, not "
                "expf() and float.",
                fabs(got.sum - right.sum) / right.sum);
}

/* Every list must get its exact state. */
static void expect_exact(struct context *context, const struct list *lists, size_t count) {
    const struct state *states = summarize_each(context, lists, count);
    for (size_t i = 0; i < count; i++) {
        explain_summary(context, lists[i], states[i], exact_state(lists[i]));
        point_at_call(context, (int)i);
        expect_state(context, states[i], exact_state(lists[i]),
                     check_text(context, "softmax_summarize(%s)", list_text(context, lists[i])));
    }
}

void summarize_by_hand(struct context *context) {
    const struct list lists[] = {LIST(2, 2),    LIST(4),          LIST(1, 3, 2),
                                 LIST(3, 2, 1), LIST(0, 0, 0, 0), LIST(-5)};
    expect_exact(context, lists, sizeof lists / sizeof *lists);
}

void summarize_empty(struct context *context) {
    const double unread = 7;
    const struct list lists[] = {{NULL, 0}, {&unread, 0}};
    expect_exact(context, lists, sizeof lists / sizeof *lists);
}

void summarize_far_from_zero(struct context *context) {
    const struct list lists[] = {
        LIST(1000, 1001, 999.5),      LIST(-1000, -1001, -999.5),
        LIST(-1000, -1000),           LIST(1000, -1000),
        LIST(-1000, 1000, 0),         LIST(1e300, 1e300),
        LIST(-1e300, -1e300, -2e300), LIST(700, 720, 740, 760),
    };
    expect_exact(context, lists, sizeof lists / sizeof *lists);
}

void summarize_masked(struct context *context) {
    const struct list lists[] = {
        LIST(-INFINITY),    LIST(-INFINITY, -INFINITY, -INFINITY),         LIST(-INFINITY, 1),
        LIST(1, -INFINITY), LIST(-INFINITY, -INFINITY, -2, -INFINITY, -3), LIST(-1000, -INFINITY),
    };
    expect_exact(context, lists, sizeof lists / sizeof *lists);
}

void summarize_not_finite(struct context *context) {
    const struct list lists[] = {
        LIST(NAN),
        LIST(NAN, 1),
        LIST(1, NAN),
        LIST(1, 2, NAN, 3),
        LIST(INFINITY),
        LIST(INFINITY, 1),
        LIST(1, INFINITY),
        LIST(INFINITY, INFINITY),
        LIST(NAN, -INFINITY),
        LIST(-INFINITY, NAN),
        LIST(-INFINITY, INFINITY),
    };
    const size_t count = sizeof lists / sizeof *lists;
    const struct state *states = summarize_each(context, lists, count);
    for (size_t i = 0; i < count; i++) {
        point_at_call(context, (int)i);
        expect_spoiled(context, states[i],
                       check_text(context, "softmax_summarize(%s)", list_text(context, lists[i])));
    }
}

void summarize_long(struct context *context) {
    enum { COUNT = 5000 };
    double *values = check_memory(context, 3 * COUNT * sizeof *values);
    for (int i = 0; i < COUNT; i++) {
        values[i] = 10 * check_normal(context);
        values[COUNT + i] = i * 0.01;      /* every value is a new maximum */
        values[2 * COUNT + i] = -i * 0.01; /* the first one stays it */
    }
    const struct list lists[] = {{values, COUNT}, {values + COUNT, COUNT}, {values + 2 * COUNT, COUNT}};
    expect_exact(context, lists, sizeof lists / sizeof *lists);
}
