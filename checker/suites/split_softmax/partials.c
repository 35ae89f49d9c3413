/* Stage 1: the state of each chunk. */
#include "parts.h"

#include <math.h>

#define FUNCTION "split_softmax_partials"

/* Runs the stage on x and judges everything: findings, return, guards, maxima, sums. */
static void expect_partials(struct context *context, const struct table *x, int chunk, size_t guard) {
    int64_t chunks = split_chunks(x->cols, chunk), count = x->rows * chunks;
    struct test_case *test_case = case_new(context);
    int input = table_add(context, test_case, "x", x);
    struct guarded max = guarded_add(test_case, "partial_max", TYPE_FP32, (size_t)count, guard);
    struct guarded sum = guarded_add(test_case, "partial_sum", TYPE_FP32, (size_t)count, guard);
    struct arguments arguments = {
        .number = {chunk}, .operand = {table_operand(x, input, 0), guarded_vector(max), guarded_vector(sum)}};
    const struct outcome *outcome =
        split_run_stage(context, test_case, FUNCTION_SPLIT_PARTIALS, arguments, guard != NO_GUARD, FUNCTION);
    table_check_unchanged(context, outcome, x, input, FUNCTION);

    const struct oracle_state *states = split_chunk_states(context, x, chunk);
    const void *maxima = guarded_elements(context, outcome, max, FUNCTION);
    const void *sums = guarded_elements(context, outcome, sum, FUNCTION);
    struct split_view view = {.x = x,
                              .chunk = chunk,
                              .rows = x->rows,
                              .chunks = chunks,
                              .states = states,
                              .row = split_row_states(context, x),
                              .sums = sums};
    struct comparison comparison = {.array = "partial_max",
                                    .col_name = "chunk",
                                    .type = TYPE_FP32,
                                    .rows = x->rows,
                                    .cols = chunks,
                                    .pitch = chunks,
                                    .expected = split_maxima(context, states, count),
                                    .got = maxima,
                                    .nan_is_free = true,
                                    .locate_more = split_locate_chunk,
                                    .suspects = split_suspects_of_max,
                                    .diagnose = split_recognise_partial_max,
                                    .lesson = SPLIT_LESSON,
                                    .data = &view};
    compare(context, comparison);
    comparison.array = "partial_sum";
    comparison.expected = split_sums(context, states, count);
    comparison.got = sums;
    comparison.rtol = 1e-5;
    comparison.suspects = split_suspects_of_sum;
    comparison.diagnose = split_recognise_partial_sum;
    compare(context, comparison);
}

/* The numbers of the lesson. */
void split_partials_by_hand(struct context *context) {
    struct table pair = table_new(context, TYPE_FP32, 1, 2, 2);
    table_fill(&pair, 2);
    expect_partials(context, &pair, 256, NO_GUARD);

    struct table single = table_new(context, TYPE_FP32, 1, 1, 1);
    table_fill(&single, 4);
    expect_partials(context, &single, 256, NO_GUARD);
}

/* A tail of one column: behind it lie the next row and, in the last row, the end of the buffer. The next row
 * begins with its largest values, so that a tail which reads on is seen in the maximum. */
void split_partials_tail(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct table x = table_new(context, supported_types[i], 3, 1025, 1025);
        table_fill_normal(context, &x, 0, 2);
        for (int64_t row = 0; row < x.rows; row++)
            for (int64_t col = 0; col < 200; col++)
                table_set(&x, row, col, 9 + check_normal(context));
        expect_partials(context, &x, 1024, NO_GUARD);
    }
}

void split_partials_negatives(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct table x = table_new(context, supported_types[i], 2, 300, 300);
        table_fill_normal(context, &x, -1000, 1);
        expect_partials(context, &x, 256, NO_GUARD);
    }
}

/* A value whose exponential, from the maximum 1, becomes larger when it is rounded to the type, and lies
 * between 1/4 and 1/2: there the numbers of FP16 are further apart than those of FP32 are at any sum of 4096
 * of them, so that a sum in FP32 is not rounded to one side as well, in whichever order it is made. */
static double value_rounded_up(struct context *context, enum element_type type) {
    for (;;) {
        double value = element_round(type, check_uniform(context, -1, 1)), exponential = exp(value - 1);
        if (exponential > 0.25 && exponential < 0.5 && element_round(type, exponential) > exponential)
            return value;
    }
}

/* 4096 equal values: the sum is 4096, which a sum in the type of x does not reach. In the second row the
 * parts of the sum are no powers of two, so that a tree of such sums is wrong as well; and where exponentials
 * are rounded before they are added, their errors do not cancel each other. The maximum comes last, so that
 * no such error is as large as the last column and is taken for its absence. */
void split_partials_half_sums(struct context *context) {
    for (int i = 1; i < 3; i++) {
        struct table x = table_new(context, supported_types[i], 2, 4096, 4096);
        table_fill_row(&x, 0, 0.5);
        for (int64_t col = 0; col < x.cols - 1; col++)
            table_set(&x, 1, col, value_rounded_up(context, x.type));
        table_set(&x, 1, x.cols - 1, 1);
        expect_partials(context, &x, 4096, NO_GUARD);
    }
}

/* Chunk 1 is masked throughout, chunk 2 but for one column, chunk 3 here and there, as are whole threads' and
 * warps' shares of it; row 1 is masked from end to end, row 2 holds NaN and +inf, whose states are free. */
void split_partials_masked(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct table x = table_new(context, supported_types[i], 3, 1100, 1100);
        table_fill_normal(context, &x, 0, 2);
        for (int64_t col = 256; col < 768; col++)
            table_set(&x, 0, col, -INFINITY);
        table_set(&x, 0, 517, 1.5);
        for (int64_t col = 768; col < 1100; col++)
            if (col % 3 == 0 || (col >= 800 && col < 864))
                table_set(&x, 0, col, -INFINITY);
        table_fill_row(&x, 1, -INFINITY);
        table_set(&x, 2, 10, NAN);
        table_set(&x, 2, 300, INFINITY);
        expect_partials(context, &x, 256, NO_GUARD);

        x = table_new(context, supported_types[i], 2, 8200, 8200); /* the same in the largest chunks */
        table_fill_normal(context, &x, 0, 2);
        for (int64_t col = 0; col < 8192; col++)
            if (col < 4096 || col % 3 == 0 || (col >= 5000 && col < 5600))
                table_set(&x, 0, col, -INFINITY);
        table_fill_row(&x, 1, -INFINITY);
        table_set(&x, 1, 7000, -2);
        expect_partials(context, &x, 4096, NO_GUARD);
    }
}

/* Everything at once, with guards around the outputs. Then as many rows as there can be. */
void split_partials_random(struct context *context) {
    static const int64_t widths[3] = {257, 2500, 4097};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int64_t cols = widths[(i + j) % 3];
            struct table x = table_new(context, supported_types[i], 3, cols, cols);
            table_fill_normal(context, &x, 1, 3);
            expect_partials(context, &x, split_chunk_sizes[j], GUARD);
        }
    struct test_case *test_case = case_new(context);
    const int memory = case_buffer(test_case, "x and states", PLACE_DEVICE, 0, 4096, NULL, 0);
    split_expect_launchable(context, test_case, FUNCTION_SPLIT_PARTIALS,
                            (struct arguments){.number = {256},
                                               .operand = {matrix_in(memory, TYPE_FP32, INT32_MAX, 1, 1),
                                                           at_buffer(memory, 1024), at_buffer(memory, 2048)}},
                            FUNCTION);
}
