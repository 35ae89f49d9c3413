/* Stage 2: y of each head, from states that the checker makes up. */
#include "parts.h"

#include <math.h>

#define FUNCTION "split_attention_merge"

/* States as a kernel reads them: maxima and sums [heads, chunks], values [heads * chunks, dim], all FP32. */
struct states {
    int64_t heads, chunks;
    int dim;
    enum element_type type; /* of y */
    struct table max, sum, value;
};

static struct states states_new(struct context *context, enum element_type type, int64_t heads,
                                int64_t chunks, int dim) {
    return (struct states){.heads = heads,
                           .chunks = chunks,
                           .dim = dim,
                           .type = type,
                           .max = table_new(context, TYPE_FP32, heads, chunks, chunks),
                           .sum = table_new(context, TYPE_FP32, heads, chunks, chunks),
                           .value = table_new(context, TYPE_FP32, heads * chunks, dim, dim)};
}

/* A state whose value is the sum times a mean of v, which is drawn from [low, high] for each column. */
static void set_state(struct context *context, struct states *states, int64_t head, int64_t chunk, double max,
                      double sum, double low, double high) {
    table_set(&states->max, head, chunk, max);
    table_set(&states->sum, head, chunk, sum);
    for (int col = 0; col < states->dim; col++)
        table_set(&states->value, head * states->chunks + chunk, col,
                  sum * check_uniform(context, low, high));
}

static void set_masked(struct states *states, int64_t head, int64_t chunk) {
    table_set(&states->max, head, chunk, -INFINITY);
    table_set(&states->sum, head, chunk, 0);
    table_fill_row(&states->value, head * states->chunks + chunk, 0);
}

/* States as stage 1 could have made them. */
static struct states states_drawn(struct context *context, enum element_type type, int64_t heads,
                                  int64_t chunks, int dim) {
    struct states states = states_new(context, type, heads, chunks, dim);
    for (int64_t head = 0; head < heads; head++)
        for (int64_t chunk = 0; chunk < chunks; chunk++)
            set_state(context, &states, head, chunk, 2 * check_normal(context), check_uniform(context, 1, 60),
                      -1, 1);
    return states;
}

/* What is right: y, and the largest |value| / sum of a head, which stands for max |v|. */
struct right {
    double *y, *largest;
    struct oracle_state *states;
};

static struct right right_of(struct context *context, const struct states *states) {
    const int64_t all = states->heads * states->chunks;
    struct right right = {check_memory(context, (size_t)(states->heads * states->dim) * sizeof(double)),
                          check_memory(context, (size_t)states->heads * sizeof(double)),
                          check_memory(context, (size_t)all * sizeof(struct oracle_state))};
    for (int64_t i = 0; i < all; i++)
        right.states[i] = (struct oracle_state){states->max.values[i], states->sum.values[i]};
    for (int64_t head = 0; head < states->heads; head++) {
        const struct oracle_state *of_head = right.states + head * states->chunks;
        const struct oracle_state whole = oracle_merge(of_head, (size_t)states->chunks);
        for (int col = 0; col < states->dim; col++) {
            double sum = 0;
            for (int64_t i = 0; i < states->chunks; i++) {
                const double value = table_get(&states->value, head * states->chunks + i, col);
                if (of_head[i].max == -INFINITY)
                    continue;
                sum += value * exp(of_head[i].max - whole.max);
                right.largest[head] = fmax(right.largest[head], fabs(value) / of_head[i].sum);
            }
            right.y[head * states->dim + col] = sum / whole.sum;
        }
    }
    return right;
}

/* Half a unit of the last place, and what FP32 adds to it: a few roundings of numbers as large as v. */
static const double *one_rounding(struct context *context, const struct states *states,
                                  const struct right *right) {
    double *allowed = check_memory(context, (size_t)(states->heads * states->dim) * sizeof *allowed);
    for (int64_t i = 0; i < states->heads * states->dim; i++)
        allowed[i] = element_spacing(states->type, right->y[i]) / 2 + 1e-5 * right->largest[i / states->dim];
    return allowed;
}

/* Runs the stage and judges everything: findings, return, guards, y. */
static void expect_merge(struct context *context, const struct states *states, size_t guard, bool once) {
    struct test_case *test_case = case_new(context);
    const int max = table_add(context, test_case, "partial_max", &states->max),
              sum = table_add(context, test_case, "partial_sum", &states->sum),
              value = table_add(context, test_case, "partial_value", &states->value);
    const struct guarded y =
        guarded_add(test_case, "y", states->type, (size_t)(states->heads * states->dim), guard);
    const struct arguments arguments = {.number = {states->heads, states->chunks, states->dim},
                                        .operand = {at_buffer(max, 0), at_buffer(sum, 0), at_buffer(value, 0),
                                                    guarded_matrix(y, states->heads, states->dim)}};
    const struct outcome *outcome = attention_run_stage(context, test_case, FUNCTION_ATTENTION_MERGE,
                                                        arguments, guard != NO_GUARD, FUNCTION);

    const struct right right = right_of(context, states);
    const struct view view = {.heads = states->heads,
                              .chunks = states->chunks,
                              .dim = states->dim,
                              .type = states->type,
                              .states = right.states,
                              .values = states->value.values};
    compare(context,
            (struct comparison){.array = "y",
                                .row_name = "head",
                                .col_name = "column",
                                .type = states->type,
                                .rows = states->heads,
                                .cols = states->dim,
                                .pitch = states->dim,
                                .expected = right.y,
                                .allowed_each =
                                    once ? one_rounding(context, states, &right)
                                         : attention_tolerance(context, states->type, right.y, right.largest,
                                                               states->heads, states->dim),
                                .got = guarded_elements(context, outcome, y, FUNCTION),
                                .locate_more = attention_locate_y,
                                .diagnose = attention_recognise_y,
                                .data = &view});
}

/* The numbers of the lesson: (2, 2, 3 + col / 2) with (4, 1, 3 + col / 4). */
void attention_merge_by_hand(struct context *context) {
    struct states states = states_new(context, TYPE_FP32, 1, 2, 64);
    table_set(&states.max, 0, 0, 2);
    table_set(&states.sum, 0, 0, 2);
    table_set(&states.max, 0, 1, 4);
    table_set(&states.sum, 0, 1, 1);
    for (int col = 0; col < states.dim; col++) {
        table_set(&states.value, 0, col, 3 + 0.5 * col);
        table_set(&states.value, 1, col, 3 + 0.25 * col);
    }
    expect_merge(context, &states, NO_GUARD, false);
}

/* Maxima 2000 apart, in either order, and around -1000: no exponent may be positive. Then maxima near each other,
 * and values that differ, so that each chunk's weight counts. */
void attention_merge_rescale(struct context *context) {
    static const double maxima[4][3] = {
        {-1000, 1000, 2}, {1000, -1000, 999}, {-1000, -1001, -999}, {5, 5, 5}};
    for (int i = 0; i < 3; i++) {
        struct states states = states_new(context, supported_types[i], 4, 3, 64);
        for (int64_t head = 0; head < 4; head++)
            for (int64_t chunk = 0; chunk < 3; chunk++)
                set_state(context, &states, head, chunk, maxima[head][chunk], check_uniform(context, 1, 60),
                          0.5, 2);
        expect_merge(context, &states, NO_GUARD, false);
    }
    for (int j = 0; j < 2; j++) {
        struct states states = states_new(context, TYPE_FP32, 5, 33, attention_dims[j]);
        for (int64_t head = 0; head < 5; head++)
            for (int64_t chunk = 0; chunk < 33; chunk++)
                set_state(context, &states, head, chunk, check_uniform(context, -2, 2),
                          check_uniform(context, 1, 60), -1, 1);
        expect_merge(context, &states, NO_GUARD, false);
    }
}

/* (-inf, 0, zeros) is the state of a masked chunk: before, after and between others, and alone. */
void attention_merge_identity(struct context *context) {
    static const int64_t widths[3] = {1, 3, 70};
    for (int i = 0; i < 3; i++) {
        const int64_t chunks = widths[i];
        struct states states = states_drawn(context, supported_types[i], 4, chunks, attention_dims[i % 2]);
        set_masked(&states, 0, 0);
        set_masked(&states, 1, chunks - 1);
        for (int64_t chunk = 0; chunk < chunks; chunk++) {
            if (chunk != chunks / 2)
                set_masked(&states, 2, chunk);
            set_masked(&states, 3, chunk);
        }
        expect_merge(context, &states, NO_GUARD, false);
    }
}

/* Head h has its maximum in chunk h, so that each state once decides: one that is passed over shows. */
static void expect_each_chunk_counts(struct context *context, int64_t chunks) {
    struct states states = states_drawn(context, TYPE_FP32, chunks, chunks, 64);
    for (int64_t head = 0; head < chunks; head++)
        set_state(context, &states, head, head, 14, check_uniform(context, 1, 60), 2, 3);
    expect_merge(context, &states, NO_GUARD, false);
}

/* From one state to the most there can be, and around the widths of a warp and of a block. The maxima lie close
 * together, so that every state counts, and grow, so that the last ones count most. */
void attention_merge_widths(struct context *context) {
    static const int64_t widths[] = {1, 2, 32, 33, 257, 512, 2048};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const int64_t chunks = widths[i], heads = chunks < 512 ? 3 : 2;
        struct states states = states_new(context, TYPE_FP32, heads, chunks, attention_dims[i % 2]);
        for (int64_t head = 0; head < heads; head++)
            for (int64_t chunk = 0; chunk < chunks; chunk++)
                set_state(context, &states, head, chunk,
                          (double)(head - chunk % 2) - 2 + 3.0 * (double)chunk / (double)chunks,
                          check_uniform(context, 1, 60), -1 + 2 * (double)chunk / (double)chunks, 1);
        expect_merge(context, &states, NO_GUARD, false);
    }
    expect_each_chunk_counts(context, 33);
    expect_each_chunk_counts(context, 129);
}

/* More heads than a block has warps, and no multiple of them, in each type; with guards around y. Then as many heads
 * as there can be. */
void attention_merge_heads(struct context *context) {
    for (int i = 0; i < 3; i++) {
        const struct states states =
            states_drawn(context, supported_types[i], 1 + 34, 3, attention_dims[i % 2]);
        expect_merge(context, &states, GUARD, false);
    }
    struct test_case *test_case = case_new(context);
    const int memory = case_buffer(test_case, "states", PLACE_DEVICE, 0, 4096, NULL, 0);
    const int64_t most = INT32_MAX / 64;
    attention_expect_launchable(
        context, test_case, FUNCTION_ATTENTION_MERGE,
        (struct arguments){.number = {most, 1, 64},
                           .operand = {at_buffer(memory, 0), at_buffer(memory, 1024), at_buffer(memory, 2048),
                                       matrix_in(memory, TYPE_FP32, most, 64, 64)}},
        FUNCTION);
}

/* One rounding, to nearest even. Values of one sign: what FP32 adds is then far smaller than half a unit of 16 bits. */
void attention_merge_rounding(struct context *context) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            struct states states = states_new(context, supported_types[i], 6, 9, attention_dims[j]);
            for (int64_t head = 0; head < 6; head++)
                for (int64_t chunk = 0; chunk < 9; chunk++)
                    set_state(context, &states, head, chunk, check_normal(context),
                              check_uniform(context, 1, 60), 1, 3);
            expect_merge(context, &states, NO_GUARD, true);
        }
}
