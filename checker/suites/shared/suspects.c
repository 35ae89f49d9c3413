/* Recognising a mistake by its numbers (see suspects.h). */
#include "suspects.h"

#include "comparison.h"
#include <math.h>
#include <string.h>

enum {
    LOOKED_AT =
        400 /* elements of an array, spread over it: enough that chance is out, few enough for a wide row */
};

/* A NaN is near nothing: it says that something went wrong, and not what. */
static bool is_near(double a, double b, double rtol) {
    if (isnan(a) || isnan(b))
        return false;
    if (isinf(a) || isinf(b))
        return a == b;
    return a == b || fabs(a - b) <= rtol * fmax(fabs(a), fabs(b));
}

static double rtol_of(const struct suspect *suspect) {
    return suspect->rtol > 0 ? suspect->rtol : 1e-4;
}

/* What came, as nearly as the comparison itself asks for: small numbers of a 16-bit type have few digits. */
static bool fits(const struct comparison *c, const struct suspect *suspect, double got) {
    const double value = element_round(c->type, suspect->value);
    if (is_near(got, suspect->value, rtol_of(suspect)) || got == value)
        return true;
    return isfinite(got) && isfinite(value) && fabs(got - value) <= c->atol + element_spacing(c->type, value);
}

static double got_at(const struct comparison *c, int64_t row, int64_t col) {
    return element_get(c->got, (size_t)(row * c->pitch + col), c->type);
}

static double right_at(const struct comparison *c, int64_t row, int64_t col) {
    return c->expected[row * c->cols + col];
}

/* Whether an element has something to say: it was written, and a number is expected. */
static bool speaks(const struct comparison *c, int64_t row, int64_t col) {
    return !element_is_poison(c->got, (size_t)(row * c->pitch + col), c->type) &&
           !isnan(right_at(c, row, col));
}

/* Which of the suspects account for the first wrong element, and would not have made it right as well; or say nothing of it. */
static size_t suspect_first(const struct comparison *c, int64_t row, int64_t col,
                            const struct suspect *suspects, size_t count, bool *suspected) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        suspected[i] = isnan(suspects[i].value) ||
                       (is_near(got_at(c, row, col), suspects[i].value, rtol_of(&suspects[i])) &&
                        !is_near(right_at(c, row, col), suspects[i].value, rtol_of(&suspects[i])));
        left += suspected[i];
    }
    return left;
}

/* Takes away the suspects that do not account for this element. Returns how many are left. */
static size_t clear_by(struct context *context, const struct comparison *c, int64_t row, int64_t col,
                       bool *suspected, bool *proven) {
    struct suspect here[MOST_SUSPECTS];
    const size_t count = c->suspects(context, c->data, row, col, here);
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        suspected[i] = suspected[i] && (isnan(here[i].value) || fits(c, &here[i], got_at(c, row, col)));
        if (proven != NULL && suspected[i] && !isnan(here[i].value))
            proven[i] = true;
        left += suspected[i];
    }
    return left;
}

/* Goes through the elements that are wrong, the first LOOKED_AT of them, and as many that lie spread over the array. */
static bool any_is_left(struct context *context, const struct comparison *c, bool *suspected, bool *proven) {
    const int64_t elements = c->rows * c->cols, step = elements / LOOKED_AT + 1;
    int64_t wrong = 0;
    for (int64_t i = 0; i < elements; i++) {
        const int64_t row = i / c->cols, col = i % c->cols;
        const bool counts = wrong < LOOKED_AT && !comparison_is_right(c, row, col);
        wrong += counts;
        if ((counts || i % step == 0) && speaks(c, row, col) &&
            clear_by(context, c, row, col, suspected, counts ? proven : NULL) == 0)
            return false;
    }
    return true;
}

/* "A. Or: B", of the first and the next that is not of its kin. */
static void tell(struct context *context, const char *lesson, const struct suspect *suspects,
                 const bool *suspected, size_t count) {
    const struct suspect *told = NULL;
    const char *first = "";
    for (size_t i = 0; i < count; i++) {
        if (!suspected[i])
            continue;
        const char *means = strstr(suspects[i].means, "%lld")
                                ? check_text(context, suspects[i].means, suspects[i].number)
                                : suspects[i].means;
        if (told == NULL) {
            told = &suspects[i];
            first = means;
            explain(context, "%s", first);
            read_next(context, lesson, told->section);
        } else if (strcmp(first, means) != 0 && (told->kin == 0 || told->kin != suspects[i].kin)) {
            explain(context, "%s Or: %s", first, means);
            return;
        }
    }
}

bool suspects_explain(struct context *context, const struct comparison *c, int64_t row, int64_t col) {
    struct suspect suspects[MOST_SUSPECTS];
    bool suspected[MOST_SUSPECTS], proven[MOST_SUSPECTS] = {false};
    const size_t count = c->suspects(context, c->data, row, col, suspects);
    if (isnan(right_at(c, row, col)) || suspect_first(c, row, col, suspects, count, suspected) == 0 ||
        !any_is_left(context, c, suspected, proven))
        return false;
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any |= suspected[i] = suspected[i] && proven[i];
    if (any)
        tell(context, c->lesson, suspects, suspected, count);
    return any;
}
