/* Calls of the submission on lists and states (see states.h). The lists of a case lie in one buffer with a
 * NaN after each, so that whoever reads past a list's end says so by the answer. */
#include "states.h"
#include "numbers/element.h"

#include <math.h>
#include <string.h>

const double ONLINE_RTOL = 1e-12;

static bool spoils(double value) {
    return isnan(value) || value == INFINITY;
}

struct state exact_state(struct list list) {
    double max = -INFINITY;
    for (size_t i = 0; i < list.count; i++) {
        if (spoils(list.values[i]))
            return (struct state){NAN, NAN};
        max = fmax(max, list.values[i]);
    }
    long double sum = 0;
    for (size_t i = 0; i < list.count; i++)
        if (list.values[i] != -INFINITY)
            sum += expl((long double)list.values[i] - max);
    return (struct state){max, (double)sum};
}

struct state exact_merge(struct state a, struct state b) {
    const double max = fmax(a.max, b.max);
    if (max == -INFINITY)
        return (struct state){max, 0};
    return (struct state){
        max, (double)(a.sum * expl((long double)a.max - max) + b.sum * expl((long double)b.max - max))};
}

double exact_probability(double value, struct list list) {
    const struct state state = exact_state(list);
    return (double)(expl((long double)value - state.max) / state.sum);
}

bool close_enough(double got, double expected) {
    if (isnan(expected))
        return isnan(got);
    if (got == expected)
        return true;
    /* Below the normal numbers there are no 12 digits to ask for. */
    return fabs(got - expected) <= ONLINE_RTOL * fabs(expected) + 1e-300;
}

static bool is_todo(struct state state) {
    return isnan(state.max) && state.sum == -1;
}

/* The states that the steps returned, the first step being 0. */
static struct state *states_of(struct context *context, struct test_case *test_case, size_t count) {
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    struct state *states = check_memory(context, count * sizeof *states);
    for (size_t i = 0; i < count; i++) {
        const struct returned *returned = outcome_return(outcome, (int)i);
        if (!returned)
            check_fail(context, "Call %zu of the function did not come back.", i + 1);
        states[i] = (struct state){returned->max, returned->sum};
        if (is_todo(states[i]))
            check_todo(context);
    }
    return states;
}

struct state *summarize_each(struct context *context, const struct list *lists, size_t count) {
    size_t total = 1;
    for (size_t i = 0; i < count; i++)
        total += lists[i].count + 1;
    double *all = check_memory(context, total * sizeof *all);
    memset(all, 0xFF, total * sizeof *all);

    struct test_case *test_case = case_new(context);
    const int stream = case_stream(test_case, STREAM_LEGACY);
    struct operand operands[CASE_MAX_STEPS];
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        operands[i] = lists[i].values
                          ? vector_in(0, TYPE_FP64, (int64_t)lists[i].count, (int64_t)(at * sizeof *all))
                          : no_operand();
        if (lists[i].count > 0)
            memcpy(all + at, lists[i].values, lists[i].count * sizeof *all);
        at += lists[i].count + 1;
    }
    case_buffer(test_case, "values", PLACE_HOST, BUFFER_READ_ONLY, total * sizeof *all, all,
                total * sizeof *all);
    for (size_t i = 0; i < count; i++)
        case_call(test_case, FUNCTION_ONLINE_SUMMARIZE, stream,
                  (struct arguments){.number = {(int64_t)lists[i].count}, .operand = {operands[i]}});
    return states_of(context, test_case, count);
}

struct state *merge_each(struct context *context, const struct state_pair *pairs, size_t count) {
    struct test_case *test_case = case_new(context);
    const int stream = case_stream(test_case, STREAM_LEGACY);
    for (size_t i = 0; i < count; i++)
        case_call(
            test_case, FUNCTION_ONLINE_MERGE, stream,
            (struct arguments){.real = {pairs[i].a.max, pairs[i].a.sum, pairs[i].b.max, pairs[i].b.sum}});
    return states_of(context, test_case, count);
}

void expect_state(struct context *context, struct state got, struct state expected, const char *call) {
    if (got.max == expected.max && close_enough(got.sum, expected.sum))
        return;
    if (got.max == 0 && expected.max < 0)
        explain(context,
                "The maximum started at 0, which is larger than every value. -INFINITY is larger than none.");
    else if (isnan(got.sum) || isnan(got.max))
        explain(context, "A NaN from finite values or -INFINITY comes from exp(-INFINITY - -INFINITY), from "
                         "inf / inf or inf * 0 after an "
                         "exp() that overflowed (above 709.78), or from reading past the end of the list.");
    check_fail(context, "%s gave the state %s; expected %s.", call, state_text(context, got),
               state_text(context, expected));
}

void expect_spoiled(struct context *context, struct state got, const char *call) {
    if (spoils(got.max) || spoils(got.sum))
        return;
    explain(context,
            "A NaN or +INFINITY has to make the whole result NaN. A comparison with NaN is false and fmax "
            "leaves it out, so it is the sum that carries it: see that no test for -INFINITY throws that sum "
            "away.");
    check_fail(context,
               "%s gave the state %s, from which the NaN or +INFINITY among the values has vanished.", call,
               state_text(context, got));
}

const char *list_text(struct context *context, struct list list) {
    if (!list.values)
        return "a null pointer";
    const char *text = "[";
    for (size_t i = 0; i < list.count && i < 6; i++)
        text = check_text(context, "%s%s%g", text, i > 0 ? ", " : "", list.values[i]);
    if (list.count > 6)
        return check_text(context, "%s, ...] (%zu values)", text, list.count);
    return check_text(context, "%s]", text);
}

const char *state_text(struct context *context, struct state state) {
    return check_text(context, "(%.12g, %.12g)", state.max, state.sum);
}
