/* Correct: long double sums, and a state (NaN, NaN) that is looked for by name. */
#include "online_softmax.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

static const softmax_state empty = {-INFINITY, 0}, spoiled = {NAN, NAN};

static bool is_spoiled(softmax_state s) {
    return isnan(s.max) || isnan(s.sum);
}

static bool is_empty(softmax_state s) {
    return s.max == -INFINITY;
}

softmax_state softmax_summarize(const double *values, size_t count) {
    softmax_state state = empty;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]) || values[i] == INFINITY)
            return spoiled;
        if (values[i] > state.max)
            state.max = values[i];
    }
    if (is_empty(state))
        return empty;
    long double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += expl((long double)values[i] - state.max);
    state.sum = (double)sum;
    return state;
}

softmax_state softmax_merge(softmax_state a, softmax_state b) {
    if (is_spoiled(a) || is_spoiled(b))
        return spoiled;
    if (is_empty(a))
        return b;
    if (is_empty(b))
        return a;
    if (a.max < b.max)
        return softmax_merge(b, a);
    a.sum += b.sum * exp(b.max - a.max);
    return a;
}

int softmax_streaming(const double *values, size_t count, size_t chunk, double *out) {
    if (chunk == 0)
        return EINVAL;
    if (count > 0 && (values == NULL || out == NULL))
        return EINVAL;
    softmax_state state = empty;
    size_t start = 0;
    while (count - start > chunk) {
        state = softmax_merge(state, softmax_summarize(values + start, chunk));
        start += chunk;
    }
    if (count > start)
        state = softmax_merge(state, softmax_summarize(values + start, count - start));
    for (size_t i = 0; i < count; i++) {
        if (is_spoiled(state) || is_empty(state))
            out[i] = NAN;
        else
            out[i] = exp(values[i] - state.max) / state.sum;
    }
    return 0;
}
