/* Correct: one pass with a running maximum; whenever it grows, the sum is rescaled. merge is the only place
 * that knows how, and a value is the state (value, 1). */
#include "online_softmax.h"

#include <errno.h>
#include <math.h>

softmax_state softmax_merge(softmax_state a, softmax_state b) {
    softmax_state high = b.max > a.max ? b : a, low = b.max > a.max ? a : b;
    if (low.max != -INFINITY)
        high.sum += low.sum * exp(low.max - high.max);
    else
        high.sum += low.sum; /* 0, or a NaN that must not be lost */
    return high;
}

softmax_state softmax_summarize(const double *values, size_t count) {
    softmax_state state = {-INFINITY, 0};
    while (count-- > 0) {
        double value = *values++;
        if (value == -INFINITY)
            continue;
        state = softmax_merge(state, (softmax_state){value, 1});
        if (isnan(value) || value == INFINITY)
            state.sum = NAN;
    }
    return state;
}

int softmax_streaming(const double *values, size_t count, size_t chunk, double *out) {
    if (!chunk)
        return EINVAL;
    if (!count)
        return 0;
    if (!values || !out)
        return EINVAL;
    softmax_state state = {-INFINITY, 0};
    size_t chunks = count / chunk + (count % chunk != 0);
    for (size_t i = 0; i < chunks; i++) {
        size_t length = i + 1 < chunks ? chunk : count - i * chunk;
        state = softmax_merge(state, softmax_summarize(values + i * chunk, length));
    }
    for (size_t i = 0; i < count; i++)
        out[i] = exp(values[i] - state.max) / state.sum;
    return 0;
}
