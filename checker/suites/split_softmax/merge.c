/* Stage 2: the state of each row, from states that the checker makes up. */
#include "parts.h"

#include <math.h>

#define FUNCTION "split_softmax_merge"

static void locate_row(struct context *context, const void *data, int64_t row, int64_t col, double got) {
    const struct split_view *view = data;
    (void)col;
    (void)got;
    locate(context, "Row %lld of %lld, whose state is merged from %lld chunks.", (long long)row,
           (long long)view->rows, (long long)view->chunks);
}

/* Two tables of FP32: the maxima and the sums of [rows, chunks] states, as a kernel reads them. */
struct states {
    struct table max, sum;
};

static struct states states_new(struct context *context, int64_t rows, int64_t chunks) {
    return (struct states){table_new(context, TYPE_FP32, rows, chunks, chunks),
                           table_new(context, TYPE_FP32, rows, chunks, chunks)};
}

static void states_set(struct states *states, int64_t row, int64_t chunk, double max, double sum) {
    table_set(&states->max, row, chunk, max);
    table_set(&states->sum, row, chunk, sum);
}

/* States as stage 1 could have made them: sums between 1 and the chunk's length. */
static void states_draw(struct context *context, struct states *states, double mean, double deviation) {
    for (int64_t row = 0; row < states->max.rows; row++)
        for (int64_t chunk = 0; chunk < states->max.cols; chunk++)
            states_set(states, row, chunk, mean + deviation * check_normal(context),
                       check_uniform(context, 1, 200));
}

static void compare_rows(struct context *context, const struct split_view *view, const char *array,
                         const double *expected, const void *got, double rtol, suspects_of *suspects,
                         diagnosis *diagnose) {
    compare(context, (struct comparison){.array = array,
                                         .type = TYPE_FP32,
                                         .rows = view->rows,
                                         .cols = 1,
                                         .pitch = 1,
                                         .expected = expected,
                                         .got = got,
                                         .rtol = rtol,
                                         .locate_more = locate_row,
                                         .suspects = suspects,
                                         .lesson = SPLIT_LESSON,
                                         .diagnose = diagnose,
                                         .data = view});
}

/* Runs the stage and judges everything: findings, return, guards, maxima, sums. */
static void expect_merge(struct context *context, const struct states *states, size_t guard) {
    int64_t rows = states->max.rows, chunks = states->max.cols;
    struct test_case *test_case = case_new(context);
    int partial_max = table_add(context, test_case, "partial_max", &states->max);
    int partial_sum = table_add(context, test_case, "partial_sum", &states->sum);
    struct guarded max = guarded_add(test_case, "row_max", TYPE_FP32, (size_t)rows, guard);
    struct guarded sum = guarded_add(test_case, "row_sum", TYPE_FP32, (size_t)rows, guard);
    struct arguments arguments = {.number = {rows, chunks},
                                  .operand = {at_buffer(partial_max, 0), at_buffer(partial_sum, 0),
                                              guarded_vector(max), guarded_vector(sum)}};
    const struct outcome *outcome =
        split_run_stage(context, test_case, FUNCTION_SPLIT_MERGE, arguments, guard != NO_GUARD, FUNCTION);
    table_check_unchanged(context, outcome, &states->max, partial_max, FUNCTION);
    table_check_unchanged(context, outcome, &states->sum, partial_sum, FUNCTION);

    struct oracle_state *given = check_memory(context, (size_t)(rows * chunks) * sizeof *given);
    struct oracle_state *merged = check_memory(context, (size_t)rows * sizeof *merged);
    for (int64_t i = 0; i < rows * chunks; i++)
        given[i] = (struct oracle_state){states->max.values[i], states->sum.values[i]};
    for (int64_t row = 0; row < rows; row++)
        merged[row] = oracle_merge(given + row * chunks, (size_t)chunks);
    struct split_view view = {.rows = rows, .chunks = chunks, .states = given, .row = merged};
    compare_rows(context, &view, "row_max", split_maxima(context, merged, rows),
                 guarded_elements(context, outcome, max, FUNCTION), 0, split_suspects_of_row_max,
                 split_recognise_row_max);
    compare_rows(context, &view, "row_sum", split_sums(context, merged, rows),
                 guarded_elements(context, outcome, sum, FUNCTION), 1e-5, split_suspects_of_row_sum,
                 split_recognise_row_sum);
}

/* The numbers of the lesson: (2, 2) with (4, 1) gives (4, 1.270670566). */
void split_merge_by_hand(struct context *context) {
    struct states states = states_new(context, 1, 2);
    states_set(&states, 0, 0, 2, 2);
    states_set(&states, 0, 1, 4, 1);
    expect_merge(context, &states, NO_GUARD);
}

/* Maxima 2000 apart, in either order, and around -1000: no exponent may be positive. */
void split_merge_rescale(struct context *context) {
    struct states states = states_new(context, 4, 3);
    const double maxima[4][3] = {{-1000, 1000, 2}, {1000, -1000, 999}, {-1000, -1001, -999}, {5, 5, 5}};
    for (int64_t row = 0; row < 4; row++)
        for (int64_t chunk = 0; chunk < 3; chunk++)
            states_set(&states, row, chunk, maxima[row][chunk], check_uniform(context, 1, 200));
    expect_merge(context, &states, NO_GUARD);

    states = states_new(context, 5, 33);
    states_draw(context, &states, 0, 3);
    expect_merge(context, &states, NO_GUARD);
}

/* (-inf, 0) is the state of a masked chunk: before, after and between others, and alone. */
void split_merge_identity(struct context *context) {
    static const int64_t widths[3] = {1, 3, 70};
    for (int i = 0; i < 3; i++) {
        int64_t chunks = widths[i];
        struct states states = states_new(context, 4, chunks);
        states_draw(context, &states, -3, 2);
        states_set(&states, 0, 0, -INFINITY, 0);
        states_set(&states, 1, chunks - 1, -INFINITY, 0);
        for (int64_t chunk = 0; chunk < chunks; chunk++) {
            if (chunk != chunks / 2)
                states_set(&states, 2, chunk, -INFINITY, 0);
            states_set(&states, 3, chunk, -INFINITY, 0);
        }
        expect_merge(context, &states, NO_GUARD);
    }
}

/* Row r has its maximum in chunk r, so that each state once decides: one that is passed over shows. */
static void expect_each_chunk_counts(struct context *context, int64_t chunks) {
    struct states states = states_new(context, chunks, chunks);
    states_draw(context, &states, 0, 1);
    for (int64_t row = 0; row < chunks; row++)
        states_set(&states, row, row, 9, check_uniform(context, 1, 200));
    expect_merge(context, &states, NO_GUARD);
}

/* T = 1, 2, 33 and 512, and around the widths of a warp and of a block. The maxima lie close together, so
 * that every state counts, and grow, so that the last ones count most. */
void split_merge_widths(struct context *context) {
    static const int64_t widths[] = {1, 2, 32, 33, 257, 512};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        int64_t chunks = widths[i];
        struct states states = states_new(context, 3, chunks);
        for (int64_t row = 0; row < 3; row++)
            for (int64_t chunk = 0; chunk < chunks; chunk++)
                states_set(&states, row, chunk,
                           (double)(row - chunk % 2) - 2 + 3.0 * (double)chunk / (double)chunks,
                           check_uniform(context, 1, 200));
        expect_merge(context, &states, NO_GUARD);
    }
    expect_each_chunk_counts(context, 33);
    expect_each_chunk_counts(context, 512);
}

/* More rows than a block has warps, and no multiple of them, and a few of many chunks; with guards around the
 * outputs. Then as many rows as there can be. */
void split_merge_rows(struct context *context) {
    static const int64_t shapes[2][2] = {{1 + 67, 3}, {3, 512}};
    for (int i = 0; i < 2; i++) {
        struct states states = states_new(context, shapes[i][0], shapes[i][1]);
        states_draw(context, &states, 0, 3);
        expect_merge(context, &states, GUARD);
    }
    struct test_case *test_case = case_new(context);
    const int memory = case_buffer(test_case, "states", PLACE_DEVICE, 0, 4096, NULL, 0);
    split_expect_launchable(context, test_case, FUNCTION_SPLIT_MERGE,
                            (struct arguments){.number = {INT32_MAX, 1},
                                               .operand = {at_buffer(memory, 0), at_buffer(memory, 1024),
                                                           at_buffer(memory, 2048), at_buffer(memory, 3072)}},
                            FUNCTION);
}
