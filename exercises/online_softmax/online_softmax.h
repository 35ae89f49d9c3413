/* Exercise online_softmax: the softmax of a list of numbers, chunk by chunk. The contract; not edited.
 *
 * A state says all that softmax needs to know about some numbers: their maximum, and the sum of
 * exp(value - maximum). Everything is double precision. Lesson: docs/a1_online_softmax.md. */
#ifndef ONLINE_SOFTMAX_H
#define ONLINE_SOFTMAX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No numbers at all, or only -INFINITY (masked logits): {-INFINITY, 0}.
 * Numbers with a NaN or +INFINITY among them: a state of which at least one field is not finite, that
 * makes every result that it goes into NaN. */
typedef struct {
    double max;
    double sum;
} softmax_state;

/* The state of values[0] to values[count - 1]. values may be a null pointer where count is 0. */
softmax_state softmax_summarize(const double *values, size_t count);

/* The state of a's numbers and b's numbers together. */
softmax_state softmax_merge(softmax_state a, softmax_state b);

/* Writes the softmax of values[0] to values[count - 1] to out, working through chunk values at a time
 * (the last chunk may be shorter; chunk may be larger than count). out does not overlap values.
 *
 * A value of -INFINITY gets probability 0. Where every value is -INFINITY, or one is NaN or +INFINITY,
 * every element of out is NaN. Relative error at most 1e-12.
 *
 * Returns 0, or EINVAL where chunk is 0, or where count is not 0 and a pointer is null; then out is left
 * as it was. */
int softmax_streaming(const double *values, size_t count, size_t chunk, double *out);

#ifdef __cplusplus
}
#endif
#endif
