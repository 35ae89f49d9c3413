/* Many heads, of which a sample is walked through (suites/shared/sampled.h). */
#include "parts.h"
#include "suites/shared/sampled.h"

#include <math.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define FUNCTION "split_attention"

static bool is_known(const struct problem *problem, const void *y, int64_t head) {
    for (int col = 0; col < problem->dim; col++)
        if (isnan(element_get(y, (size_t)(head * problem->dim + col), problem->type)))
            return false;
    return true;
}

/* Fails the check at the first head that is known and wrong. With one key a head, y is v, and whatever other blocks
 * would have written does not come into it. Returns whether enough heads are known, both ends and both sides of 65,536
 * among them. */
static bool judge_known(struct context *context, const struct problem *problem, const void *y) {
    enum { ENOUGH = 32 };
    const int64_t demanded[] = {0, 65535, 65536, problem->heads - 1};
    int64_t known = 0;
    for (int64_t head = 0; head < problem->heads; head++) {
        if (!is_known(problem, y, head))
            continue;
        known++;
        for (int col = 0; col < problem->dim; col++) {
            const double right = table_get(&problem->v, head, col),
                         got = element_get(y, (size_t)(head * problem->dim + col), problem->type);
            if (fabs(got - right) <= 1e-2 * fabs(right) + 1e-3)
                continue;
            locate(context, "Head %lld of %s.", (long long)head, attention_text(context, problem));
            explain(context, "With one key y is its row of v. %s",
                    head >= 65535
                        ? "From 65,536 heads on an index of 16 bits begins anew, and grid.y ends at 65,535."
                        : "Look at which head each block gets where there are many.");
            check_fail(context, "y in head %lld, column %d is %s; %s is expected.", (long long)head, col,
                       value_text(context, got), value_text(context, right));
        }
    }
    for (int i = 0; i < COUNT(demanded); i++)
        if (demanded[i] < problem->heads && !is_known(problem, y, demanded[i]))
            return false;
    return known >= ENOUGH;
}

/* In 16 bits, and in one memory, for there is much of it. A call that failed has failed in the sample too. */
static bool sample_is_right(struct context *context, const struct problem *problem) {
    struct test_case *test_case = case_new(context);
    struct operand rows = matrix_in(0, problem->type, problem->heads, problem->dim, problem->dim);
    const size_t bytes = table_bytes(&problem->v);
    rows.buffer = case_buffer(test_case, "q, k and v", PLACE_DEVICE, BUFFER_READ_ONLY, bytes,
                              table_layout(context, &problem->v), bytes);
    const struct inputs inputs = {rows, rows, rows, no_operand()};
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    const struct guarded y =
        guarded_add(test_case, "y", problem->type, (size_t)(problem->heads * problem->dim), NO_GUARD);
    case_sample(test_case, problem->heads);
    const int step =
        attention_call(test_case, stream, problem, &inputs, guarded_matrix(y, problem->heads, problem->dim));
    case_wait_stream(test_case, stream);
    const struct outcome *outcome = case_run(test_case);
    attention_check_call(context, outcome, step, stream, problem);
    const struct returned *returned = outcome_return(outcome, step);
    if (returned == NULL || returned->value != RETURNED_SUCCESS) {
        check_clean(context, outcome);
        check_success(context, outcome, step, FUNCTION);
    }
    return sampled_ran_well(context, outcome, step) &&
           judge_known(context, problem, outcome_buffer(context, outcome, y.buffer));
}

/* One key a head, so that y is v; q and k are the same as v. */
static struct problem many_heads(struct context *context, int64_t heads) {
    struct problem problem = attention_new(context, TYPE_FP16, heads, 1, 64, 64);
    attention_without_bias(&problem);
    for (int64_t i = 0; i < heads * problem.dim; i++)
        problem.v.values[i] = element_round(TYPE_FP16, check_uniform(context, -2, 2));
    problem.q = problem.k = problem.v;
    return problem;
}

/* grid.y and grid.z end at 65,535. What is wrong with 300 heads already needs no more of them to be told. */
void attention_validation_many_heads(struct context *context) {
    attention_need_operator(context);
    const struct problem many = many_heads(context, 65537);
    if (sample_is_right(context, &many))
        return;
    const struct problem few = many_heads(context, 300);
    attention_expect(context, &few, NO_GUARD);
    attention_expect(context, &many, NO_GUARD);
}
