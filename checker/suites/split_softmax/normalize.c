/* Stage 3: y from x and row states that the checker makes up, so that only those can have been used. */
#include "parts.h"

#include <math.h>

#define FUNCTION "split_softmax_normalize"

struct rounding {
    double rtol, atol, spacings;
};

/* Runs the stage and judges everything: findings, return, x, guards, y. */
static void expect_normalize(struct context *context, const struct table *x, int chunk,
                             const struct oracle_state *states, struct rounding rounding, size_t guard) {
    struct test_case *test_case = case_new(context);
    struct table max = table_new(context, TYPE_FP32, x->rows, 1, 1),
                 sum = table_new(context, TYPE_FP32, x->rows, 1, 1);
    struct oracle_state *given = check_memory(context, (size_t)x->rows * sizeof *given);
    for (int64_t row = 0; row < x->rows; row++) {
        table_set(&max, row, 0, states[row].max);
        table_set(&sum, row, 0, states[row].sum);
        given[row] = (struct oracle_state){table_get(&max, row, 0), table_get(&sum, row, 0)};
    }
    int input = table_add(context, test_case, "x", x);
    int row_max = table_add(context, test_case, "row_max", &max);
    int row_sum = table_add(context, test_case, "row_sum", &sum);
    struct guarded y = guarded_add(test_case, "y", x->type, (size_t)(x->rows * x->cols), guard);
    struct arguments arguments = {.number = {chunk},
                                  .operand = {table_operand(x, input, 0), at_buffer(row_max, 0),
                                              at_buffer(row_sum, 0), guarded_matrix(y, x->rows, x->cols)}};
    const struct outcome *outcome =
        split_run_stage(context, test_case, FUNCTION_SPLIT_NORMALIZE, arguments, guard != NO_GUARD, FUNCTION);
    table_check_unchanged(context, outcome, x, input, FUNCTION);

    const void *got = guarded_elements(context, outcome, y, FUNCTION);
    struct split_view view = {.x = x,
                              .chunk = chunk,
                              .rows = x->rows,
                              .chunks = split_chunks(x->cols, chunk),
                              .row = given,
                              .y = got,
                              .mistaken = split_mistaken_new(context)};
    compare(context, (struct comparison){.array = "y",
                                         .col_name = "column",
                                         .type = x->type,
                                         .rows = x->rows,
                                         .cols = x->cols,
                                         .pitch = x->cols,
                                         .expected = split_probabilities(context, x, given),
                                         .got = got,
                                         .rtol = rounding.rtol,
                                         .atol = rounding.atol,
                                         .spacings = rounding.spacings,
                                         .locate_more = split_locate_column,
                                         .suspects = split_suspects_of_probability,
                                         .lesson = SPLIT_LESSON,
                                         .diagnose = split_recognise_probability,
                                         .data = &view});
}

static struct rounding tolerance(enum element_type type) {
    struct rounding rounding = {0};
    split_tolerance(type, &rounding.rtol, &rounding.atol);
    return rounding;
}

/* The numbers of the lesson: [2, 2, 4] with (4, 1.270670566). */
void split_normalize_by_hand(struct context *context) {
    struct table x = table_new(context, TYPE_FP32, 1, 3, 3);
    table_fill(&x, 2);
    table_set(&x, 0, 2, 4);
    struct oracle_state state = {4, 1.270670566};
    expect_normalize(context, &x, 256, &state, tolerance(TYPE_FP32), NO_GUARD);
}

/* Ragged tails in all types: each column of y written, nothing beside it. Then as many rows as there can be. */
void split_normalize_columns(struct context *context) {
    static const int64_t widths[3] = {257, 1025, 4099};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int64_t cols = widths[(i + j) % 3];
            struct table x = table_new(context, supported_types[i], 3, cols, cols);
            table_fill_normal(context, &x, 0, 2);
            expect_normalize(context, &x, split_chunk_sizes[j], split_row_states(context, &x),
                             tolerance(x.type), j == 1 ? NO_GUARD : GUARD);
        }
    struct test_case *test_case = case_new(context);
    const int memory = case_buffer(test_case, "x and states", PLACE_DEVICE, 0, 4096, NULL, 0);
    struct operand x = matrix_in(memory, TYPE_FP32, INT32_MAX, 1, 1), y = x;
    y.offset = 3072;
    split_expect_launchable(
        context, test_case, FUNCTION_SPLIT_NORMALIZE,
        (struct arguments){.number = {256},
                           .operand = {x, at_buffer(memory, 1024), at_buffer(memory, 2048), y}},
        FUNCTION);
}

/* States that are not those of x, another one for each row, some far from 0. */
void split_normalize_state(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct table x = table_new(context, supported_types[i], 4, 700, 700);
        struct oracle_state states[4];
        const double means[4] = {0, 12, -900, 800};
        for (int64_t row = 0; row < 4; row++) {
            for (int64_t col = 0; col < x.cols; col++)
                table_set(&x, row, col, means[row] + check_uniform(context, -4, 4));
            states[row] = (struct oracle_state){means[row] + 5 + check_uniform(context, 0, 1),
                                                check_uniform(context, 1, 9)};
        }
        expect_normalize(context, &x, 256, states, tolerance(x.type), NO_GUARD);
    }
}

/* One rounding, to nearest even: half a unit of the last place, and what FP32 adds to it. Row 1 of each x has
 * probabilities down to 1e-7, which are subnormal in FP16: those are rounded, too, and not cut off. */
void split_normalize_rounding(struct context *context) {
    for (int i = 1; i < 3; i++) {
        struct table x = table_new(context, supported_types[i], 2, 2000, 2000);
        for (int64_t col = 0; col < x.cols; col++) {
            table_set(&x, 0, col, check_uniform(context, -5, 0));
            table_set(&x, 1, col, check_uniform(context, -16, -9));
        }
        struct oracle_state states[2];
        for (int row = 0; row < 2; row++)
            states[row] =
                (struct oracle_state){check_uniform(context, 0, 0.5), check_uniform(context, 1.1, 1.9)};
        expect_normalize(context, &x, 1024, states, (struct rounding){3e-5, 1e-9, 0.5}, NO_GUARD);
    }
}

/* Masked columns get 0. A masked row, and one whose state says NaN, are NaN throughout. */
void split_normalize_masked(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct table x = table_new(context, supported_types[i], 3, 300, 300);
        table_fill_normal(context, &x, 0, 2);
        for (int64_t col = 0; col < x.cols; col++)
            if (col % 3 == 0 || col >= 256)
                table_set(&x, 0, col, -INFINITY);
        table_fill_row(&x, 1, -INFINITY);
        struct oracle_state states[3] = {
            oracle_state_of(table_row(&x, 0), (size_t)x.cols), {-INFINITY, 0}, {NAN, NAN}};
        expect_normalize(context, &x, 256, states, tolerance(x.type), NO_GUARD);
    }
}
