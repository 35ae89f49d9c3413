/* Correct: summarize halves its values and merges the halves' states; streaming the same with chunks. */
#include "online_softmax.h"

#include <errno.h>
#include <math.h>

softmax_state softmax_merge(softmax_state a, softmax_state b) {
    softmax_state both = {fmax(a.max, b.max), 0};
    if (a.sum != 0)
        both.sum += a.sum * exp(a.max - both.max);
    if (b.sum != 0)
        both.sum += b.sum * exp(b.max - both.max);
    return both;
}

softmax_state softmax_summarize(const double *values, size_t count) {
    if (count == 0)
        return (softmax_state){-INFINITY, 0};
    if (count == 1) {
        softmax_state one = {values[0], 1};
        if (values[0] == -INFINITY)
            one.sum = 0;
        if (isnan(values[0]) || values[0] == INFINITY)
            one.sum = NAN;
        return one;
    }
    return softmax_merge(softmax_summarize(values, count / 2),
                         softmax_summarize(values + count / 2, count - count / 2));
}

static softmax_state state_of_chunks(const double *values, size_t count, size_t chunk) {
    if (count <= chunk)
        return softmax_summarize(values, count);
    size_t chunks = (count - 1) / chunk + 1, left = chunks / 2 * chunk;
    return softmax_merge(state_of_chunks(values, left, chunk),
                         state_of_chunks(values + left, count - left, chunk));
}

int softmax_streaming(const double *values, size_t count, size_t chunk, double *out) {
    if (chunk == 0 || (count != 0 && (values == NULL || out == NULL)))
        return EINVAL;
    softmax_state state = state_of_chunks(values, count, chunk);
    double scale = 1 / state.sum;
    for (size_t i = 0; i < count; i++)
        out[i] = exp(values[i] - state.max) * scale;
    return 0;
}
