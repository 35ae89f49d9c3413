/* Stage 1: the state of each chunk. */
#include "parts.h"

#include <math.h>
#include <string.h>

#define FUNCTION "split_attention_partials"

/* The states that came back, and what they are judged by. */
struct partials {
    const void *max, *sum, *value;
};

static struct comparison comparison_of(const struct view *view, const char *array) {
    return (struct comparison){.array = array,
                               .row_name = "head",
                               .col_name = "chunk",
                               .type = TYPE_FP32,
                               .rows = view->heads,
                               .cols = view->chunks,
                               .pitch = view->chunks,
                               .nan_is_free = true,
                               .locate_more = attention_locate_chunk,
                               .data = view};
}

/* Sum and value count from the maximum that came with them, which may be off by a rounding. */
static void compare_partials(struct context *context, const struct view *view, struct partials got) {
    const struct truth *truth = view->truth;
    const int64_t states = view->heads * view->chunks;
    double *max = check_memory(context, (size_t)states * sizeof *max),
           *sum = check_memory(context, (size_t)states * sizeof *sum),
           *sum_allowed = check_memory(context, (size_t)states * sizeof *sum_allowed),
           *value = check_memory(context, (size_t)(states * view->dim) * sizeof *value),
           *value_allowed = check_memory(context, (size_t)(states * view->dim) * sizeof *value_allowed);
    for (int64_t i = 0; i < states; i++) {
        const double max_got = element_get(got.max, (size_t)i, TYPE_FP32);
        max[i] = truth->states[i].max;
        const double factor = isfinite(max[i]) && isfinite(max_got) ? exp(max[i] - max_got) : 1;
        sum[i] = truth->states[i].sum * factor;
        sum_allowed[i] = (truth->error[i] + 2e-5) * sum[i];
        for (int64_t at = i * view->dim; at < (i + 1) * view->dim; at++) {
            value[at] = truth->values[at] * factor;
            value_allowed[at] = (truth->error[i] + 2e-5) * truth->sizes[at] * factor;
        }
    }
    struct comparison comparison = comparison_of(view, "partial_max");
    comparison.expected = max;
    comparison.allowed_each = truth->error;
    comparison.got = got.max;
    comparison.diagnose = attention_recognise_partial_max;
    compare(context, comparison);
    comparison = comparison_of(view, "partial_sum");
    comparison.expected = sum;
    comparison.allowed_each = sum_allowed;
    comparison.got = got.sum;
    comparison.diagnose = attention_recognise_partial_sum;
    compare(context, comparison);
    comparison = comparison_of(view, "partial_value");
    comparison.row_name = "state";
    comparison.col_name = "column";
    comparison.rows = states;
    comparison.cols = comparison.pitch = view->dim;
    comparison.expected = value;
    comparison.allowed_each = value_allowed;
    comparison.got = got.value;
    comparison.locate_more = attention_locate_value;
    comparison.diagnose = attention_recognise_partial_value;
    compare(context, comparison);
}

/* Runs the stage and judges everything: findings, return, guards, maxima, sums, values. */
static void expect_partials(struct context *context, const struct problem *problem, size_t guard) {
    const int64_t states = problem->heads * problem->chunks;
    struct test_case *test_case = case_new(context);
    const struct inputs inputs = attention_inputs_add(context, test_case, problem, "");
    const struct guarded max = guarded_add(test_case, "partial_max", TYPE_FP32, (size_t)states, guard),
                         sum = guarded_add(test_case, "partial_sum", TYPE_FP32, (size_t)states, guard),
                         value = guarded_add(test_case, "partial_value", TYPE_FP32,
                                             (size_t)(states * problem->dim), guard);
    struct arguments arguments = attention_arguments(problem, &inputs, no_operand());
    arguments.operand[5] = guarded_vector(max);
    arguments.operand[6] = guarded_vector(sum);
    arguments.operand[7] = guarded_vector(value);
    const struct outcome *outcome = attention_run_stage(context, test_case, FUNCTION_ATTENTION_PARTIALS,
                                                        arguments, guard != NO_GUARD, FUNCTION);
    attention_inputs_check_unchanged(context, outcome, problem, &inputs, FUNCTION);

    const struct truth truth = attention_truth(context, problem);
    const struct partials got = {guarded_elements(context, outcome, max, FUNCTION),
                                 guarded_elements(context, outcome, sum, FUNCTION),
                                 guarded_elements(context, outcome, value, FUNCTION)};
    const struct view view = {.problem = problem,
                              .truth = &truth,
                              .heads = problem->heads,
                              .chunks = problem->chunks,
                              .dim = problem->dim,
                              .chunk = problem->chunk,
                              .type = problem->type,
                              .states = truth.states,
                              .values = truth.values,
                              .maxima = got.max};
    compare_partials(context, &view, got);
}

/* The numbers of the lesson: two keys of score 2 and then one of score 4, each alone. The query has one element
 * that is not 0, and it makes the score of a key element 3 of k. */
void attention_partials_by_hand(struct context *context) {
    const double scores[3] = {2, 2, 4};
    for (int which = 0; which < 2; which++) {
        const int64_t keys = which == 0 ? 2 : 1;
        struct problem problem = attention_new(context, TYPE_FP32, 1, keys, 64, 64);
        attention_without_bias(&problem);
        table_set(&problem.q, 0, 3, 8);
        for (int64_t key = 0; key < keys; key++) {
            table_set(&problem.k, key, 3, scores[which == 0 ? key : 2]);
            for (int col = 0; col < problem.dim; col++)
                table_set(&problem.v, key, col, (double)(which == 0 ? key + 1 : 3) + 0.25 * col);
        }
        expect_partials(context, &problem, NO_GUARD);
    }
}

/* Scale and bias, in both dims; heads with queries of their own. Scores from -6 to 6. */
void attention_partials_scores(struct context *context) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            for (int with_bias = 0; with_bias < 2; with_bias++) {
                struct problem problem =
                    attention_drawn(context, supported_types[i], 2, 70, attention_dims[j], 256);
                for (int64_t head = 0; head < problem.heads; head++)
                    for (int64_t key = 0; key < problem.length; key++)
                        attention_set_bias(&problem, head, key, check_uniform(context, 0.5, 2.5));
                if (!with_bias)
                    attention_without_bias(&problem);
                expect_partials(context, &problem, NO_GUARD);
            }
}

/* A tail of one key: behind it lie the next head's keys and, in the last head, the end of the buffer. The next head
 * begins with its largest scores, so that a tail which reads on is seen in the maximum. */
void attention_partials_tail(struct context *context) {
    static const int64_t lengths[2] = {65, 1025};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            struct problem problem =
                attention_drawn(context, supported_types[i], 2, lengths[j], 64, j == 0 ? 64 : 1024);
            for (int64_t key = 0; key < 20; key++) {
                for (int col = 0; col < problem.dim; col++)
                    table_set(&problem.k, problem.length + key, col, table_get(&problem.q, 0, col));
                attention_set_bias(&problem, 1, key, 6);
            }
            expect_partials(context, &problem, NO_GUARD);
        }
}

/* The dominant score first, last and in the middle of a chunk, 2000 above the others; heads near -1000; and a head
 * whose scores grow from key to key, so that what was added up has to be brought to a new maximum again and again.
 * The products are exact, and so are the scores but for the last head's. */
void attention_partials_dominant(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct problem problem =
            attention_new(context, supported_types[i], 5, 300, attention_dims[i % 2], 256);
        for (int64_t key = 0; key < problem.heads * problem.length; key++)
            for (int col = 0; col < problem.dim; col++)
                table_set(&problem.v, key, col, check_uniform(context, 0.5, 1.5));
        for (int64_t key = 0; key < problem.length; key++) {
            for (int64_t head = 0; head < 3; head++)
                attention_set_bias(&problem, head, key, -1000);
            attention_set_bias(&problem, 3, key, -1000 + 0.5 * (double)(key % 5));
            attention_set_bias(&problem, 4, key, 0.125 * (double)key);
        }
        attention_set_bias(&problem, 0, 0, 1000);
        attention_set_bias(&problem, 1, 255, 1000);
        attention_set_bias(&problem, 2, 100, 1000);
        expect_partials(context, &problem, NO_GUARD);
    }
}

/* Chunk 1 is masked throughout, chunk 2 but for one key, chunk 3 here and there, as are whole warps' shares of it;
 * head 1 is masked from end to end, head 2 has scores of NaN and +inf, whose states are free, head 3 is to be left
 * alone by all that. */
void attention_partials_masked(struct context *context) {
    for (int i = 0; i < 3; i++)
        for (int size = 0; size < 2; size++) {
            const int chunk = size == 0 ? 64 : 256;
            struct problem problem = attention_drawn(context, supported_types[i], 4, 4 * chunk - 3,
                                                     attention_dims[(i + size) % 2], chunk);
            for (int64_t key = chunk; key < 3 * chunk; key++)
                attention_set_bias(&problem, 0, key, -INFINITY);
            attention_set_bias(&problem, 0, 2 * chunk + 5, 1.5);
            for (int64_t key = 3 * chunk; key < problem.length; key++)
                if (key % 3 == 0 || (key >= 3 * chunk + 16 && key < 3 * chunk + 40))
                    attention_set_bias(&problem, 0, key, -INFINITY);
            for (int64_t key = 0; key < problem.length; key++)
                attention_set_bias(&problem, 1, key, -INFINITY);
            attention_set_bias(&problem, 2, 10, NAN);
            attention_set_bias(&problem, 2, chunk + 10, INFINITY);
            expect_partials(context, &problem, NO_GUARD);
        }
}

/* A bias whose exponential, from the maximum 1, becomes larger when it is rounded to the type. */
static double bias_rounded_up(struct context *context, enum element_type type) {
    for (;;) {
        const double bias = element_round(TYPE_FP32, check_uniform(context, -1, 1)), weight = exp(bias - 1);
        if (weight > 0.25 && weight < 0.5 && element_round(type, weight) > weight * (1 + 2e-4))
            return bias;
    }
}

/* Head 0: 1024 equal keys, whose sum BF16 does not reach, nor FP16 the value. Head 1: weights that become larger
 * when they are rounded to 16 bits, all of them. Head 2: a dot product of equal terms, which a sum in 16 bits does
 * not reach. */
void attention_partials_sums(struct context *context) {
    for (int i = 1; i < 3; i++) {
        struct problem problem = attention_new(context, supported_types[i], 3, 1024, 128, 1024);
        for (int64_t key = 0; key < problem.length; key++) {
            attention_fill_row(&problem.v, &problem, 0, key, 2.5);
            attention_fill_row(&problem.v, &problem, 1, key, 1);
            attention_set_bias(&problem, 1, key, bias_rounded_up(context, problem.type));
            attention_fill_row(&problem.k, &problem, 2, key, key % 7 == 0 ? 4.25 : 4);
            attention_fill_row(&problem.v, &problem, 2, key, check_uniform(context, 0.5, 1.5));
        }
        attention_set_bias(&problem, 1, 1023, 1);
        attention_fill_q(&problem, 2, 8.5);
        expect_partials(context, &problem, NO_GUARD);
    }
}

/* Everything at once, with guards around the outputs. Then as many heads as there can be. */
void attention_partials_random(struct context *context) {
    static const int64_t lengths[3] = {66, 300, 1500};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int d = 0; d < 2; d++) {
                struct problem problem = attention_drawn(context, supported_types[i], 3, lengths[(i + j) % 3],
                                                         attention_dims[d], attention_chunk_sizes[j]);
                if (j == 1)
                    attention_without_bias(&problem);
                expect_partials(context, &problem, GUARD);
            }
    struct test_case *test_case = case_new(context);
    const int memory = case_buffer(test_case, "inputs and states", PLACE_DEVICE, 0, 8192, NULL, 0);
    const int64_t most = INT32_MAX / 64;
    struct arguments arguments = {.number = {most, 1, 64, 64}};
    for (int i = 0; i < STEP_OPERANDS; i++)
        arguments.operand[i] = at_buffer(memory, 1024 * i);
    arguments.operand[0] = matrix_in(memory, TYPE_FP32, most, 64, 64);
    attention_expect_launchable(context, test_case, FUNCTION_ATTENTION_PARTIALS, arguments, FUNCTION);
}
