/* The FP64 oracle (see oracle.h). Sums are kept in long double, so that the error of the oracle stays far
 * below every tolerance also over 131,072 values. */
#include "numbers/oracle.h"

#include <math.h>
#include <stdbool.h>

static bool is_poisonous(double value) {
    return isnan(value) || value == INFINITY;
}

struct oracle_state oracle_state_of(const double *values, size_t count) {
    double max = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (is_poisonous(values[i]))
            return (struct oracle_state){NAN, NAN};
        max = fmax(max, values[i]);
    }
    if (max == -INFINITY)
        return (struct oracle_state){-INFINITY, 0};
    long double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += exp(values[i] - max);
    return (struct oracle_state){max, (double)sum};
}

struct oracle_state oracle_merge(const struct oracle_state *states, size_t count) {
    double max = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (is_poisonous(states[i].max) || isnan(states[i].sum))
            return (struct oracle_state){NAN, NAN};
        max = fmax(max, states[i].max);
    }
    if (max == -INFINITY)
        return (struct oracle_state){-INFINITY, 0};
    long double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += states[i].sum * exp(states[i].max - max);
    return (struct oracle_state){max, (double)sum};
}

double oracle_probability(double value, struct oracle_state row) {
    return exp(value - row.max) / row.sum;
}
