/* online_softmax, finished: a state (max, sum) for each chunk, states merged from left to right, then one
 * pass that writes the probabilities.
 *
 * Each value is shifted by a maximum before it is exponentiated, so that no exponential exceeds 1. A NaN or
 * +INFINITY needs no code of its own: it makes the sum NaN, and nothing below turns a NaN back into a number.
 */
#include "online_softmax.h"

#include <errno.h>
#include <math.h>

/* A NaN is passed over, whichever of the two it is: fmax does that, a > b ? a : b would keep it in one place and not in
 * the other. */
static double larger(double a, double b) {
    return fmax(a, b);
}

softmax_state softmax_summarize(const double *values, size_t count) {
    double max = -INFINITY;
    for (size_t i = 0; i < count; i++)
        max = larger(values[i], max);

    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        /* A masked value adds nothing. Computed, it would do so too, exp(-inf - max) = 0, except where all
         * are masked: there -inf - -inf is NaN. */
        if (values[i] != -INFINITY)
            sum += exp(values[i] - max);
    }
    return (softmax_state){max, sum};
}

/* The part of a state's sum that is left when it is seen from a maximum at least as large as its own. */
static double rescaled(softmax_state state, double max) {
    /* A state that is masked throughout has no maximum to shift from: its 0 (or its NaN) stays what it is. */
    return state.max == -INFINITY ? state.sum : state.sum * exp(state.max - max);
}

softmax_state softmax_merge(softmax_state a, softmax_state b) {
    const double max = larger(a.max, b.max);
    return (softmax_state){max, rescaled(a, max) + rescaled(b, max)};
}

int softmax_streaming(const double *values, size_t count, size_t chunk, double *out) {
    if (chunk == 0 || (count > 0 && (!values || !out)))
        return EINVAL;

    softmax_state state = {-INFINITY, 0};
    for (size_t start = 0; start < count;) {
        /* By what is left, not by ceil(count / chunk): count + chunk - 1 may overflow. */
        const size_t left = count - start;
        const size_t length = chunk < left ? chunk : left;
        state = softmax_merge(state, softmax_summarize(values + start, length));
        start += length;
    }

    /* Where everything is masked this is exp(-inf - -inf) / 0, the NaN that the contract asks for. */
    for (size_t i = 0; i < count; i++)
        out[i] = exp(values[i] - state.max) / state.sum;
    return 0;
}
