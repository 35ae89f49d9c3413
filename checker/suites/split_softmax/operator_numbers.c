/* The whole operator: its numbers. */
#include "parts.h"

#include <math.h>
#include <string.h>

/* The shapes of the contract, in all types and chunk sizes; the widest is the cap itself. */
void split_operator_shapes(struct context *context) {
    static const int64_t shapes[4][2] = {{1, 1}, {3, 1025}, {2, 32769}, {1, SPLIT_MAX_COLS}};
    for (int shape = 0; shape < 4; shape++)
        for (int i = 0; i < 3; i++) {
            struct table x =
                table_new(context, supported_types[i], shapes[shape][0], shapes[shape][1], shapes[shape][1]);
            table_fill_normal(context, &x, 0, 2);
            split_expect_softmax(context, &x, split_chunk_sizes, 3, shape < 2 ? GUARD : NO_GUARD);
        }
}

/* Rows of large constants, large values with small differences, one dominant logit in the tail, and a row
 * near the lowest finite number: below what somebody may have put for -INFINITY. */
void split_operator_values(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct table x = table_new(context, supported_types[i], 6, 1030, 1030);
        table_fill_normal(context, &x, 0, 1);
        table_fill_row(&x, 0, 1000);
        table_fill_row(&x, 1, -1000);
        for (int64_t col = 0; col < x.cols; col++) {
            table_set(&x, 2, col, 1000 + check_uniform(context, -4, 4));
            table_set(&x, 3, col, -1000 + check_uniform(context, -4, 4));
        }
        table_set(&x, 4, 1028, 100);
        table_fill_row(&x, 5, x.type == TYPE_FP16 ? -60000 : -3e38);
        split_expect_softmax(context, &x, split_chunk_sizes, 3, NO_GUARD);
    }
}

/* Elements of about 0.02 in the 16-bit types, one in 21 columns: there the rounding is far larger than what
 * FP32 adds to it. */
static void expect_rounding(struct context *context) {
    enum { ROWS = 2, COLS = 1030 };
    for (int i = 1; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            struct table x = table_new(context, supported_types[i], ROWS, COLS, COLS);
            table_fill(&x, -40);
            for (int64_t row = 0; row < ROWS; row++)
                for (int64_t col = row; col < COLS; col += 21)
                    table_set(&x, row, col, check_uniform(context, -1, 1));
            struct test_case *test_case = case_new(context);
            const int input = table_add(context, test_case, "x", &x),
                      stream = case_stream(test_case, STREAM_NONBLOCKING), chunk = split_chunk_sizes[j];
            const struct guarded y = guarded_add(test_case, "y", x.type, ROWS * COLS, NO_GUARD);
            const int step = split_call(test_case, stream, table_operand(&x, input, 0),
                                        guarded_matrix(y, ROWS, COLS), chunk);
            case_wait_stream(test_case, stream);
            const struct outcome *outcome = case_run(test_case);
            split_check_call(context, outcome, step, stream, &x, chunk);
            check_clean(context, outcome);
            check_success(context, outcome, step, "split_softmax");
            split_compare_rounding(context, &x, chunk,
                                   guarded_elements(context, outcome, y, "split_softmax"));
        }
}

/* Each row adds up to 1, as near as one rounding of each element allows. That is nearer than the tolerance of
 * an element in the 16-bit types, so a row that is off as a whole by less than that is seen here. */
void split_operator_row_sums(struct context *context) {
    enum { ROWS = 3, COLS = 3000, CHUNK = 1024 };
    for (int i = 0; i < 3; i++) {
        struct table x = table_new(context, supported_types[i], ROWS, COLS, COLS);
        table_fill_normal(context, &x, -2, 0.7);
        struct test_case *test_case = case_new(context);
        int input = table_add(context, test_case, "x", &x),
            stream = case_stream(test_case, STREAM_NONBLOCKING);
        struct guarded y = guarded_add(test_case, "y", x.type, ROWS * COLS, NO_GUARD);
        int step =
            split_call(test_case, stream, table_operand(&x, input, 0), guarded_matrix(y, ROWS, COLS), CHUNK);
        case_wait_stream(test_case, stream);
        const struct outcome *outcome = case_run(test_case);
        split_check_call(context, outcome, step, stream, &x, CHUNK);
        check_clean(context, outcome);
        check_success(context, outcome, step, "split_softmax");

        const void *got = guarded_elements(context, outcome, y, "split_softmax");
        for (int row = 0; row < ROWS; row++) {
            double total = 0, allowed = 3e-5;
            for (int col = 0; col < COLS; col++) {
                double value = element_get(got, (size_t)(row * COLS + col), x.type);
                total += value;
                allowed += isfinite(value) ? element_spacing(x.type, value) / 2 : 0;
            }
            if (fabs(total - 1) <= allowed)
                continue;
            if (isnan(total)) /* the first element that is one says more than the sum */
                split_compare_y(context, &x, CHUNK, got);
            point_at(context, (const char *)got + (size_t)(row * COLS) * element_bytes(x.type));
            locate(context, "Row %d of %d, %d columns, chunk size %d, %s.", row, ROWS, COLS, CHUNK,
                   element_name(x.type));
            explain(context,
                    "The sum of the row is wrong, or not kept in FP32 throughout. When it is far off, the "
                    "partial sums were added without bringing them to the row's maximum.");
            read_next(context, SPLIT_LESSON, "Stage 2: merge");
            check_fail(context, "Row %d of y adds up to %s; it is 1 but for %.2g.", row,
                       value_text(context, total), allowed);
        }
    }
    expect_rounding(context);
}

/* The same for the largest chunk: masked as a whole, and with a NaN or +inf in it or in the tail. */
static void expect_special_in_large_chunks(struct context *context, enum element_type type) {
    static const int chunk = 4096;
    struct table x = table_new(context, type, 5, 4200, 4200);
    table_fill_normal(context, &x, -3, 2);
    for (int64_t col = 0; col < x.cols; col++)
        table_set(&x, col < chunk ? 0 : 1, col, -INFINITY);
    table_set(&x, 2, 3000, NAN);
    table_set(&x, 3, 4199, INFINITY);
    split_expect_softmax(context, &x, &chunk, 1, NO_GUARD);
}

/* Masked columns, chunks and rows; NaN and +inf at the beginning, in a chunk of its own, and in the tail. */
void split_operator_special(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct table x = table_new(context, supported_types[i], 9, 1025, 1025);
        table_fill_normal(context, &x, -3, 2);
        for (int64_t col = 0; col < x.cols; col++) {
            if (check_random(context) % 2)
                table_set(&x, 0, col, -INFINITY); /* row 0: here and there */
            if (col >= 256 && col < 512)
                table_set(&x, 1, col, -INFINITY); /* row 1: a whole chunk */
            if (col < 1024)
                table_set(&x, 2, col, -INFINITY); /* row 2: all but the tail */
        }
        table_fill_row(&x, 3, -INFINITY);
        table_set(&x, 4, 700, NAN);
        table_set(&x, 5, 1024, INFINITY);
        table_fill_row(&x, 6, -INFINITY);
        table_set(&x, 6, 300, NAN);
        for (int64_t col = 256; col < 512; col++)
            table_set(&x, 7, col, NAN);
        split_expect_softmax(context, &x, split_chunk_sizes, 3, NO_GUARD); /* row 8: not to be harmed */
        expect_special_in_large_chunks(context, supported_types[i]);
    }
}

/* The widest row that is valid, and the first that is not. */
void split_operator_cap(struct context *context) {
    enum { CHUNK = 4096 };
    struct table x = table_new(context, TYPE_BF16, 1, SPLIT_MAX_COLS, SPLIT_MAX_COLS);
    table_fill_normal(context, &x, 0, 2);
    const int chunk = CHUNK;
    split_expect_softmax(context, &x, &chunk, 1, NO_GUARD);

    struct table wide = table_new(context, TYPE_BF16, 1, SPLIT_MAX_COLS + 1, SPLIT_MAX_COLS + 1);
    struct test_case *test_case = case_new(context);
    int input = table_add(context, test_case, "x", &wide),
        stream = case_stream(test_case, STREAM_NONBLOCKING);
    struct guarded y = guarded_add(test_case, "y", TYPE_BF16, SPLIT_MAX_COLS + 1, NO_GUARD);
    int step = split_call(test_case, stream, table_operand(&wide, input, 0),
                          guarded_matrix(y, 1, SPLIT_MAX_COLS + 1), CHUNK);
    case_wait_stream(test_case, stream);
    const struct outcome *outcome = case_run(test_case);
    const struct returned *returned = outcome_return(outcome, step);
    if (returned != NULL && returned->value == RETURNED_SUCCESS) {
        read_next(context, SPLIT_LESSON, "Validation");
        check_fail(context, "split_softmax accepted a row of %d columns; the most it may take is %d.",
                   SPLIT_MAX_COLS + 1, SPLIT_MAX_COLS);
    }
    check_clean(context, outcome);
    if (returned == NULL || returned->value != RETURNED_INVALID_VALUE)
        check_fail(context,
                   "split_softmax returned %s for a row of %d columns; cudaErrorInvalidValue is expected.",
                   cuda_error_name(context, returned ? returned->value : -1), SPLIT_MAX_COLS + 1);
    guarded_check_untouched(context, outcome, y, "split_softmax");
    if (check_runtime(context) == RUNTIME_CUDA)
        split_expect_far_rows(context);
}
