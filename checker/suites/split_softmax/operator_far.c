/* The whole operator on a matrix of more than 4 GiB: a byte offset in 32 bits. Only a GPU has the time for it. */
#include "parts.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 3, COLS = SPLIT_MAX_COLS, ROWS = 8193, CHUNK = 4096 };
static const int64_t shown[SHOWN] = {0, ROWS / 2, ROWS - 1}; /* at 0, 2 GiB and 4 GiB */
static const int64_t row_bytes = COLS * (int64_t)sizeof(float);

/* x is NaN, but for the rows that are looked at. Returns the rows of y that belong to them, [SHOWN, COLS]. */
static const float *far_rows(struct context *context, const struct table *x) {
    const size_t bytes = (size_t)(ROWS * row_bytes);
    struct test_case *test_case = case_new(context);
    case_limit(test_case, 60);
    const int far_x = case_buffer(test_case, "x", PLACE_DEVICE, 0, bytes, NULL, 0);
    const int far_y = case_buffer(test_case, "y", PLACE_DEVICE, 0, bytes, NULL, 0);
    const int near_x = table_add(context, test_case, "rows of x", x);
    const int near_y = case_buffer(test_case, "rows of y", PLACE_DEVICE, BUFFER_RETURN,
                                   (size_t)(SHOWN * row_bytes), NULL, 0);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    for (int i = 0; i < SHOWN; i++)
        case_copy_part(test_case, stream, at_buffer(far_x, shown[i] * row_bytes),
                       at_buffer(near_x, i * row_bytes), (size_t)row_bytes);
    const int step = split_call(test_case, stream, matrix_in(far_x, TYPE_FP32, ROWS, COLS, COLS),
                                matrix_in(far_y, TYPE_FP32, ROWS, COLS, COLS), CHUNK);
    for (int i = 0; i < SHOWN; i++)
        case_copy_part(test_case, stream, at_buffer(near_y, i * row_bytes),
                       at_buffer(far_y, shown[i] * row_bytes), (size_t)row_bytes);
    case_wait_stream(test_case, stream);
    const struct outcome *outcome = case_run(test_case);
    locate(context, "%d rows of %d columns, FP32: more than 4 GiB.", (int)ROWS, (int)COLS);
    check_clean(context, outcome);
    check_success(context, outcome, step, "split_softmax");
    return outcome_buffer(context, outcome, near_y);
}

void split_expect_far_rows(struct context *context) {
    if (!check_has_memory(context, 2 * ROWS * (uint64_t)row_bytes))
        return;
    struct table x = table_new(context, TYPE_FP32, SHOWN, COLS, COLS);
    table_fill_normal(context, &x, 0, 2);
    const float *y = far_rows(context, &x);
    const double *expected = split_probabilities(context, &x, split_row_states(context, &x));
    double rtol, atol;
    split_tolerance(TYPE_FP32, &rtol, &atol);
    for (int i = 0; i < SHOWN; i++)
        for (int64_t col = 0; col < COLS; col++) {
            const double wanted = expected[i * COLS + col], got = (double)y[i * COLS + col];
            if (fabs(got - wanted) <= atol + rtol * wanted)
                continue;
            explain(
                context,
                i == 0
                    ? "Smaller matrices came out right. Either too few blocks are launched, or an offset is "
                      "computed in 32 bits, and what belongs 4 GiB further on lands here: make it an int64_t "
                      "or a size_t before anything is multiplied."
                    : "Row 0 is right, and this row lies %s GiB behind it. An offset, or row * cols, is "
                      "computed in 32 bits: make it an int64_t or a size_t before anything is multiplied.",
                i == 1 ? "2" : "4");
            check_fail(
                context,
                "With %d rows of %d columns (4 GiB in FP32), row %lld, column %lld is %g; %g is expected.",
                (int)ROWS, (int)COLS, (long long)shown[i], (long long)col, got, wanted);
        }
}
