/* Mistakes of row_scale and row_max by their numbers. */
#include "recognise.h"

#include "judged.h"
#include <float.h>
#include <math.h>

/* ---- row_scale ---- */

/* What a mistake would make of the element. */
struct guess {
    double value;
    const char *means, *section;
};

static bool is_near(double a, double b) {
    return a == b || fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b));
}

/* Explains by the first guess that was got and is not right anyway. */
static bool is_guessed(struct context *context, double got, double right, const struct guess *guesses,
                       size_t count) {
    for (size_t i = 0; i < count; i++)
        if (is_near(got, guesses[i].value) && !is_near(right, guesses[i].value)) {
            explain(context, "%s", guesses[i].means);
            read_next(context, ROW_LESSON, guesses[i].section);
            return true;
        }
    return false;
}

static bool recognise_other_element(struct context *context, const struct row_problem *problem, double got,
                                    double right) {
    const struct table *x = &problem->x;
    for (int64_t row = 0; row < x->rows; row++)
        for (int64_t col = 0; col < x->cols; col++) {
            const struct guess guess = {
                problem->factor * table_get(x, row, col),
                check_text(context,
                           "That is the factor times row %lld, column %lld of x: element (row, column) "
                           "lies at row * pitch + column, in x and in y.",
                           (long long)row, (long long)col),
                ROW_PITCH};
            if (is_guessed(context, got, right, &guess, 1))
                return true;
        }
    return false;
}

void recognise_scaled(struct context *context, const void *data, int64_t row, int64_t col, double got) {
    const struct judged *judged = data;
    const struct row_problem *problem = judged->problem;
    const double value = table_get(&problem->x, row, col), factor = problem->factor, right = factor * value;
    if (problem->explained || row_recognise_unwritten(context, judged, got))
        return;
    const struct guess guesses[] = {
        {factor * row_in_memory(judged, row * problem->x.cols + col),
         "That is what lies at row * cols + column: row r begins at r * pitch.", ROW_PITCH},
        {value, "That is x itself: it was not multiplied by the factor.", ROW_SCALE},
        {trunc(factor) * value,
         "The factor was cut to a whole number: it is a float, also as a kernel's parameter.", ROW_SCALE},
        {factor * factor * value, "It was multiplied by the factor twice.", ROW_SCALE},
        {factor + value, "The factor was added and not multiplied by.", ROW_SCALE},
        {factor * problem->padding, "That is the factor times what lies in the padding.", ROW_PITCH},
    };
    if (is_guessed(context, got, right, guesses, sizeof guesses / sizeof *guesses) ||
        recognise_other_element(context, problem, got, right))
        return;
    if (isnan(got)) {
        explain(context, "It was computed from padding, or from memory that nobody wrote: row r begins at "
                         "r * pitch, and has cols columns.");
        read_next(context, ROW_LESSON, ROW_PITCH);
    } else if (fabs(got - right) < 0.02 * fabs(right)) {
        explain(context, "It is nearly right: a value was rounded to 16 bits on the way.");
        read_next(context, ROW_LESSON, ROW_NUMBERS);
    }
}

/* ---- row_max ---- */

static double started_at_zero(const struct judged *judged, int64_t row, int64_t unused) {
    (void)unused;
    return fmax(judged->expected[row], 0);
}

static double started_at_smallest(const struct judged *judged, int64_t row, int64_t unused) {
    (void)unused;
    return fmax(judged->expected[row], FLT_MIN);
}

static double magnitude(const struct judged *judged, int64_t row, int64_t unused) {
    double max = 0;
    (void)unused;
    for (int64_t col = 0; col < row_input(judged)->cols; col++)
        max = fmax(max, fabs(table_get(row_input(judged), row, col)));
    return max;
}

static double minimum(const struct judged *judged, int64_t row, int64_t unused) {
    double min = INFINITY;
    (void)unused;
    for (int64_t col = 0; col < row_input(judged)->cols; col++)
        min = fmin(min, table_get(row_input(judged), row, col));
    return min;
}

/* The row's maximum was lost: where it was. */
static void explain_lost(struct context *context, const struct judged *judged, int64_t row) {
    int64_t col = 0;
    while (table_get(row_input(judged), row, col) < judged->expected[row])
        col++;
    explain(context,
            "The largest value stands in column %lld, and it was lost on the way: which thread takes that "
            "column, and which step should have passed on what this thread found?%s",
            (long long)col, row_maybe_barrier(context));
    read_next(context, ROW_LESSON, ROW_MAX);
}

void recognise_max(struct context *context, const void *data, int64_t row, int64_t col, double got) {
    static const struct mistake mistakes[] = {
        {started_at_zero, 0,
         "A maximum was started at 0, or threads without a column hold 0. In a row of negative numbers 0 is "
         "larger than all of them: -INFINITY is the value that changes no maximum.",
         ROW_MAX},
        {started_at_smallest, 0,
         "A maximum was started at FLT_MIN, which is the smallest positive number: larger than all negative "
         "ones. -INFINITY is the value that changes no maximum.",
         ROW_MAX},
        {row_at_cols, 0, "That is what comes out when row r is taken at r * cols: it begins at r * pitch.",
         ROW_PITCH},
        {row_with_padding, 0, "The padding was taken in: a row ends at cols, and not at the pitch.",
         ROW_PITCH},
        {row_of_all_rows, 0, "That is the maximum of the whole matrix: each row has its own.", ROW_MAX},
        {row_of_row_zero, 0, "Every row has the maximum of row 0: a block finds out its row by blockIdx.x.",
         ROW_MAX},
        {magnitude, 0, "That is the largest magnitude, without the sign.", ROW_MAX},
        {minimum, 0, "That is the minimum of the row.", ROW_MAX},
    };
    const struct judged *judged = data;
    const double right = judged->expected[row];
    (void)col;
    if (judged->problem->explained || row_recognise_unwritten(context, judged, got) ||
        row_explain_first(context, judged, mistakes, sizeof mistakes / sizeof *mistakes) ||
        row_recognise_part(context, judged))
        return;
    if (isnan(got)) {
        explain(context, "There is no NaN in the row: padding was taken in, or memory that nobody wrote.");
        read_next(context, ROW_LESSON, ROW_PITCH);
    } else if (got < right) {
        explain_lost(context, judged, row);
    } else if (right < -1e9 || (got < 0 && right == -INFINITY)) {
        explain(context,
                "It is no value of the row: was a maximum started at %g, or do threads without a column hold "
                "it? Smaller numbers are valid. -INFINITY is the value that changes no maximum.",
                got);
        read_next(context, ROW_LESSON, ROW_MAX);
    } else {
        explain(context, "It is larger than all values of the row, so something else was taken in.%s",
                row_maybe_barrier(context));
    }
}
