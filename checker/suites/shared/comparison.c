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

bool comparison_is_right(const struct comparison *c, int64_t row, int64_t col) {
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
    if (c->allowed != NULL)
        allowed += c->allowed[row];
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

/* Which elements were never written: where they lie says more than one of them. */
static const char *unwritten_text(const struct comparison *c, int64_t first_row, int64_t first_col) {
    bool last_column = c->cols > 1, later_rows = first_row > 0 && first_col == 0,
         later_columns = first_col > 0;
    for (int64_t row = 0; row < c->rows; row++)
        for (int64_t col = 0; col < c->cols; col++) {
            const bool unwritten = element_is_poison(c->got, (size_t)(row * c->pitch + col), c->type);
            last_column = last_column && unwritten == (col == c->cols - 1);
            later_rows = later_rows && unwritten == (row >= first_row);
            later_columns = later_columns && unwritten == (col >= first_col);
        }
    if (last_column)
        return "It is the last one of each row, and nothing else: a loop or a guard ends one too early, or a "
               "number of blocks was rounded down.";
    if (later_rows && (first_row == 65535 || first_row == 65536))
        return "All rows before this one are there, and none from it on: its number does not fit in 16 bits, "
               "or a grid was made to "
               "end there. Rows are counted in int64_t, and grid.x takes 2^31 - 1 blocks.";
    if (later_rows)
        return "All rows before this one are there, and none from it on: there are too few blocks, warps or "
               "threads for the rows. "
               "A number of blocks is rounded up: (rows + n - 1) / n.";
    if (later_columns)
        return "In each row all before this one are there, and none from it on: a loop ends too early, or "
               "there are too few "
               "threads or blocks for the columns. A number of blocks is rounded up.";
    return "No thread stores this element: look at which index each thread and block gets, and at whether "
           "the grid has enough of "
           "them.";
}

void compare(struct context *context, struct comparison c) {
    int64_t wrong = 0, first_row = 0, first_col = 0;
    for (int64_t row = 0; row < c.rows; row++)
        for (int64_t col = 0; col < c.cols; col++)
            if (!comparison_is_right(&c, row, col) && wrong++ == 0) {
                first_row = row;
                first_col = col;
            }
    if (wrong == 0)
        return;

    size_t place = (size_t)(first_row * c.pitch + first_col);
    point_at(context, (const char *)c.got + place * element_bytes(c.type));
    double got = element_get(c.got, place, c.type), expected = c.expected[first_row * c.cols + first_col];
    if (c.locate_more != NULL)
        c.locate_more(context, c.data, first_row, first_col, got);
    const char *where = place_text(context, &c, first_row, first_col), *more = more_text(context, wrong - 1);
    if (element_is_poison(c.got, place, c.type)) {
        explain(context, "%s", unwritten_text(&c, first_row, first_col));
        check_fail(context, "%s was never written; %s is expected. %s", where, value_text(context, expected),
                   more);
    }
    /* A lane that is not there gives junk, which may look like anything. */
    const bool known = lanes_were_absent(context)
                           ? explain_by_warning(context)
                           : (c.suspects != NULL && suspects_explain(context, &c, first_row, first_col)) ||
                                 explain_by_warning(context);
    if (!known && c.diagnose != NULL)
        c.diagnose(context, c.data, first_row, first_col, got);
    check_fail(context, "%s is %s; %s is expected. %s", where, value_text(context, got),
               value_text(context, expected), more);
}
