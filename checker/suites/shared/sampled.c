/* Judging a sampled case (see sampled.h). */
#include "sampled.h"

#include "numbers/oracle.h"
#include <math.h>

enum { ENOUGH_ROWS = 32 };

/* Whether this kind of finding may come of values that are unknown only because blocks were left out. */
static bool may_come_of_the_sample(uint32_t kind) {
    switch (kind) {
    case FINDING_OUT_OF_BOUNDS:
    case FINDING_MISALIGNED:
    case FINDING_UNINITIALISED:
    case FINDING_USE_AFTER_FREE:
    case FINDING_KERNEL_TOUCHES_HOST:
    case FINDING_RACE_GRID:
    case FINDING_RACE_STREAMS:
    case FINDING_WAITS_FOR_BLOCK:
    case FINDING_DEVICE_ASSERT:
        return true;
    default:
        return false;
    }
}

bool sampled_ran_well(struct context *context, const struct outcome *outcome, int step) {
    bool doubtful = false;
    for (size_t i = 0; i < outcome->finding_count; i++)
        doubtful |= !outcome->findings[i].warning && may_come_of_the_sample(outcome->findings[i].kind);
    const struct returned *returned = outcome_return(outcome, step);
    if (doubtful || (returned != NULL && returned->value != 0))
        return false;
    check_clean(context, outcome);
    return returned != NULL;
}

static bool is_known(const struct table *x, const void *y, int64_t row) {
    for (int64_t col = 0; col < x->cols; col++)
        if (isnan(element_get(y, (size_t)(row * x->pitch + col), x->type)))
            return false;
    return true;
}

static bool is_right(const struct table *x, const void *y, int64_t row, double rtol, double atol) {
    const struct oracle_state state = oracle_state_of(table_row(x, row), (size_t)x->cols);
    for (int64_t col = 0; col < x->cols; col++) {
        const double expected = oracle_probability(table_get(x, row, col), state);
        if (!(fabs(element_get(y, (size_t)(row * x->pitch + col), x->type) - expected) <=
              atol + rtol * expected))
            return false;
    }
    return true;
}

bool sampled_shows_enough(const struct table *x, const void *y, double rtol, double atol) {
    const int64_t demanded[] = {0, 65535, 65536, x->rows - 1};
    for (size_t i = 0; i < sizeof demanded / sizeof *demanded; i++)
        if (demanded[i] < x->rows && !is_known(x, y, demanded[i]))
            return false;
    int64_t known = 0;
    for (int64_t row = 0; row < x->rows; row++) {
        if (!is_known(x, y, row))
            continue;
        if (!is_right(x, y, row, rtol, atol))
            return false;
        known++;
    }
    return known >= ENOUGH_ROWS;
}
