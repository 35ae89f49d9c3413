/* The plan: T and the bytes of scratch. */
#include "parts.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

struct plan {
    int64_t rows, cols;
    int chunk;
};

static bool is_cut_to_32_bits(int64_t got, int64_t right) {
    return got == (int64_t)(int32_t)right || got == (int64_t)(uint32_t)right;
}

static const char cut_to_32_bits[] =
    "The number was cut to 32 bits on the way: compute in int64_t and size_t.";

static void judge_chunks(struct context *context, const struct plan *plan, int64_t got) {
    const int64_t right = split_chunks(plan->cols, plan->chunk);
    if (got == right)
        return;
    if (got == right - 1)
        explain(
            context,
            "One too few: ceil(cols / chunk) rounds up, and in integers it is (cols + chunk - 1) / chunk.");
    else if (got == right + 1)
        explain(context,
                "One too many: where chunk divides cols there is no tail. (cols + chunk - 1) / chunk.");
    else if (is_cut_to_32_bits(got, right))
        explain(context, "%s", cut_to_32_bits);
    else
        explain(context,
                "T is ceil(cols / chunk), in integers (cols + chunk - 1) / chunk = (%lld + %d - 1) / %d.",
                (long long)plan->cols, plan->chunk, plan->chunk);
    check_fail(context, "split_softmax_chunks(%lld, %d) is %lld; %lld is right.", (long long)plan->cols,
               plan->chunk, (long long)got, (long long)right);
}

static void judge_bytes(struct context *context, const struct plan *plan, int64_t got) {
    const int64_t chunks = split_chunks(plan->cols, plan->chunk), rows = plan->rows,
                  right = 8 * rows * (chunks + 1);
    if (got == right)
        return;
    const char *formula = check_text(context,
                                     "8 * M * (T + 1) = 8 * %lld * (%lld + 1): a state is two floats of 4 "
                                     "bytes, and each row has T of them, one for "
                                     "each of its chunks, and one for itself.",
                                     (long long)rows, (long long)chunks);
    const char *mistake =
        is_cut_to_32_bits(got, right) ? cut_to_32_bits
        : got == 8 * rows * chunks    ? "The states of the rows have no room: they lie in scratch, too."
        : got == 4 * rows * (chunks + 1)
            ? "That is 2 times too small: 4 bytes for each state, which has a maximum and a sum."
        : got == 2 * rows * (chunks + 1) ? "Those are the floats, and not their bytes."
        : got == 8 * (chunks + 1)        ? "That is for one row."
        : got == 0 && chunks == 1 ? "A row of one chunk has two states as well, as the stages are made."
        : got > right && got % right == 0 ? "It is a multiple of what is needed."
                                          : "";
    explain(context, "%s%s%s", mistake, mistake[0] ? " " : "", formula);
    check_fail(context, "split_softmax_scratch_bytes(%lld, %lld, %d) is %lld; %lld is right.",
               (long long)rows, (long long)plan->cols, plan->chunk, (long long)got, (long long)right);
}

void split_validation_plan(struct context *context) {
    static const struct plan plans[] = {
        {3, 1025, 256},     {3, 1025, 1024},      {3, 1025, 4096},      {4, 32769, 256},
        {64, 131072, 4096}, {1, 1, 256},          {1, 256, 256},        {7, 4096, 1024},
        {2, 4097, 4096},    {16383, 131072, 256}, {2147483647, 1, 256}, {65537, 32767, 256},
    };
    struct test_case *test_case = case_new(context);
    int stream = case_stream(test_case, STREAM_NONBLOCKING), chunks[COUNT(plans)], bytes[COUNT(plans)];
    for (int i = 0; i < COUNT(plans); i++) {
        const struct plan *plan = &plans[i];
        chunks[i] = case_call(test_case, FUNCTION_SPLIT_CHUNKS, stream,
                              (struct arguments){.number = {plan->cols, plan->chunk}});
        bytes[i] = case_call(test_case, FUNCTION_SPLIT_SCRATCH, stream,
                             (struct arguments){.number = {plan->rows, plan->cols, plan->chunk}});
    }
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    const struct returned *first = outcome_return(outcome, chunks[0]),
                          *first_bytes = outcome_return(outcome, bytes[0]);
    if (first == NULL || first->value == -1 || first_bytes == NULL || first_bytes->value == 0)
        check_todo(context);
    for (int i = 0; i < COUNT(plans); i++) {
        const struct plan *plan = &plans[i];
        judge_chunks(context, plan, outcome_return(outcome, chunks[i])->value);
        judge_bytes(context, plan, outcome_return(outcome, bytes[i])->value);
    }
}
