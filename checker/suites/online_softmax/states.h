/* What the checks of online_softmax share: calling the submission's functions on lists and states, and
 * judging the states that come back. */
#ifndef ONLINE_STATES_H
#define ONLINE_STATES_H

#include "check/check.h"

struct state {
    double max, sum;
};

/* Some values, or none: values may be null where count is 0. */
struct list {
    const double *values;
    size_t count;
};

struct state_pair {
    struct state a, b;
};

/* A list of the values given: LIST(2, 2). */
#define LIST(...)                                                                                            \
    ((struct list){(const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)})

/* Relative error that is allowed (online_softmax.h). */
extern const double ONLINE_RTOL;

/* The right state and probability, in long double. Of a list with a NaN or +inf: NaN. */
struct state exact_state(struct list list);
struct state exact_merge(struct state a, struct state b);
double exact_probability(double value, struct list list);

/* Call the submission once for each, and give its answers in that order (at most 60). End the check where a
 * call did not come back, or is not written yet. */
struct state *summarize_each(struct context *context, const struct list *lists, size_t count);
struct state *merge_each(struct context *context, const struct state_pair *pairs, size_t count);

/* Fails the check unless max is equal and sum within ONLINE_RTOL. call: "softmax_summarize([2, 2])". */
void expect_state(struct context *context, struct state got, struct state expected, const char *call);

/* Fails the check unless the state lets nothing finite come out of it. */
void expect_spoiled(struct context *context, struct state got, const char *call);

bool close_enough(double got, double expected);

/* Texts for messages: "[2, 2]" (long lists are cut short), "(4, 1.27067056647)". */
const char *list_text(struct context *context, struct list list);
const char *state_text(struct context *context, struct state state);

#endif
