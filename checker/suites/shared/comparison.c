/* Comparing arrays (see comparison.h). */
#include "comparison.h"

#include <math.h>

const char *value_text(struct context *context, double value) {
    if (isnan(value))
        return "NaN";
    if (isinf(value))
        return value > 0 ? "+inf" : "-inf";
    return check_text(context, "%.9g", value);
}

static bool is_right(const struct comparison *c, int64_t row, int64_t col) {
    size_t place = (size_t)(row * c->pitch + col);
    double expected = c->expected[row * c->cols + col], got = element_get(c->got, place, c->type);
    if (isnan(expected) && c->nan_is_free)
        return true;
    if (element_is_poison(c->got, place, c->type))
        return false;
    if (isnan(expected))
        return isnan(got);
    if (got == expected)
        return true;
    double allowed = c->atol + c->rtol * fabs(expected);
    if (c->spacings > 0)
        allowed += c->spacings * element_spacing(c->type, expected);
    return fabs(got - expected) <= allowed;
}

/* "partial_sum of row 1, chunk 2"; the element stands first in the sentence. */
static const char *place_text(struct context *context, const struct comparison *c, int64_t row, int64_t col) {
    if (c->col_name == NULL)
        return check_text(context, "%s of row %lld", c->array, (long long)row);
    return check_text(context, "%s in row %lld, %s %lld", c->array, (long long)row, c->col_name,
                      (long long)col);
}

static const char *more_text(struct context *context, int64_t more) {
    if (more == 0)
        return "All other elements are right.";
    return check_text(context, "%lld more %s wrong.", (long long)more, more == 1 ? "is" : "are");
}

void compare(struct context *context, struct comparison c) {
    int64_t wrong = 0, first_row = 0, first_col = 0;
    for (int64_t row = 0; row < c.rows; row++)
        for (int64_t col = 0; col < c.cols; col++)
            if (!is_right(&c, row, col) && wrong++ == 0) {
                first_row = row;
                first_col = col;
            }
    if (wrong == 0)
        return;

    size_t place = (size_t)(first_row * c.pitch + first_col);
    double got = element_get(c.got, place, c.type), expected = c.expected[first_row * c.cols + first_col];
    if (c.locate_more != NULL)
        c.locate_more(context, c.data, first_row, first_col, got);
    const char *where = place_text(context, &c, first_row, first_col), *more = more_text(context, wrong - 1);
    if (element_is_poison(c.got, place, c.type)) {
        explain(context,
                "No thread stores this element: look at which index each thread and block gets, and at "
                "whether the grid has enough of them.");
        check_fail(context, "%s was never written; %s is expected. %s", where, value_text(context, expected),
                   more);
    }
    if (!explain_by_warning(context) && c.diagnose != NULL)
        c.diagnose(context, c.data, first_row, first_col, got);
    check_fail(context, "%s is %s; %s is expected. %s", where, value_text(context, got),
               value_text(context, expected), more);
}

/* A NaN is near nothing: it says that something went wrong, and not what. */
static bool is_near(double a, double b, double rtol) {
    if (isnan(a) || isnan(b))
        return false;
    if (isinf(a) || isinf(b))
        return a == b;
    return a == b || fabs(a - b) <= rtol * fmax(fabs(a), fabs(b));
}

bool recognise(struct context *context, const char *lesson, double got, double right,
               const struct suspect *suspects, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double rtol = suspects[i].rtol > 0 ? suspects[i].rtol : 1e-4;
        if (!is_near(got, suspects[i].value, rtol) || is_near(right, suspects[i].value, rtol))
            continue;
        explain(context, "%s", suspects[i].means);
        read_next(context, lesson, suspects[i].section);
        return true;
    }
    return false;
}
