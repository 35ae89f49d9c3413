/* A row of the output beside the oracle's. */
#include "base/memory.h"
#include "matrix.h"
#include "numbers/oracle.h"
#include <math.h>
#include <stdio.h>

enum { SHOWN_COLUMNS = 8 };

static struct oracle_state state_of(const struct run_matrix *matrix, int64_t row) {
    double *values = get_memory((size_t)matrix->cols * sizeof *values + 1);
    for (int64_t col = 0; col < matrix->cols; col++)
        values[col] = element_get(matrix->x, (size_t)(row * matrix->cols + col), matrix->type);
    const struct oracle_state state = oracle_state_of(values, (size_t)matrix->cols);
    free(values);
    return state;
}

struct row_result row_compare(const struct run_matrix *matrix, int64_t row, struct tolerance tolerance) {
    const struct oracle_state state = state_of(matrix, row);
    struct row_result result = {0};
    double worst = -1;
    for (int64_t col = 0; col < matrix->cols; col++) {
        const size_t at = (size_t)(row * matrix->cols + col);
        const double expected = oracle_probability(element_get(matrix->x, at, matrix->type), state);
        const double got = element_get(matrix->y, at, matrix->type);
        const bool both_nan = isnan(expected) && isnan(got);
        /* above 1: outside the tolerance; a NaN on one side alone is as wrong as can be */
        double error = fabs(got - expected) / (tolerance.atol + tolerance.rtol * fabs(expected));
        error = both_nan ? 0 : isnan(error) ? INFINITY : error;
        result.wrong += error > 1;
        result.sum += got;
        if (error > worst) {
            worst = error;
            result.worst = col;
            result.got = got;
            result.expected = expected;
        }
    }
    return result;
}

static void print_numbers(const char *lead, const struct run_matrix *matrix, int64_t row, bool right) {
    const struct oracle_state state = state_of(matrix, row);
    printf("      %s", lead);
    for (int64_t col = 0; col < matrix->cols; col++) {
        const size_t at = (size_t)(row * matrix->cols + col);
        const double x = element_get(matrix->x, at, matrix->type);
        printf(" %9.6f", right ? oracle_probability(x, state) : element_get(matrix->y, at, matrix->type));
    }
    putchar('\n');
}

void row_print(const struct run_matrix *matrix, int64_t row, const struct row_result *result) {
    if (result->wrong == 0)
        printf("  row %lld: right; it adds up to %.6g\n", (long long)row, result->sum);
    else
        printf("  row %lld: WRONG in %lld of %lld columns; column %lld is %.9g, and should be %.9g; it adds "
               "up to "
               "%.6g\n",
               (long long)row, (long long)result->wrong, (long long)matrix->cols, (long long)result->worst,
               result->got, result->expected, result->sum);
    if (matrix->cols > SHOWN_COLUMNS)
        return;
    print_numbers("yours", matrix, row, false);
    if (result->wrong > 0)
        print_numbers("right", matrix, row, true);
}
