/* The plan, and what split_attention refuses: each rule of the contract alone. */
#include "parts.h"
#include "suites/shared/launchable.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define FUNCTION "split_attention"

/* ---- the plan ---- */

struct plan {
    int64_t heads, length;
    int dim, chunk;
};

static void judge_number(struct context *context, const char *call, int64_t got, int64_t right) {
    if (got == right)
        return;
    if (got == right - 1)
        explain(context, "One too few: ceil(length / chunk) rounds up, and in integers it is (length + chunk "
                         "- 1) / chunk.");
    else if (got == right + 1)
        explain(context,
                "One too many: where chunk divides length there is no tail. (length + chunk - 1) / chunk.");
    else if (got == (int64_t)(int32_t)right || got == (int64_t)(uint32_t)right)
        explain(context, "The number was cut to 32 bits on the way: compute in int64_t and size_t.");
    else if (got > 0 && right > got)
        explain(context, "A state is dim + 2 floats of 4 bytes: the maximum, the sum, and a value for each "
                         "column of v. There "
                         "are T of them for each head.");
    check_fail(context, "%s is %lld; %lld is right.", call, (long long)got, (long long)right);
}

void attention_validation_plan(struct context *context) {
    static const struct plan plans[] = {
        {3, 65, 64, 64},       {3, 65, 128, 256},     {8, 4096, 128, 64},    {32, 8192, 128, 256},
        {8, 131072, 64, 1024}, {1, 1, 64, 64},        {1, 64, 128, 64},      {7, 1024, 64, 256},
        {2, 1025, 128, 1024},  {255, 131072, 64, 64}, {33554431, 1, 64, 64}, {65537, 511, 64, 64},
    };
    struct test_case *test_case = case_new(context);
    int stream = case_stream(test_case, STREAM_NONBLOCKING), chunks[COUNT(plans)], bytes[COUNT(plans)];
    for (int i = 0; i < COUNT(plans); i++) {
        const struct plan *plan = &plans[i];
        chunks[i] = case_call(test_case, FUNCTION_ATTENTION_CHUNKS, stream,
                              (struct arguments){.number = {plan->length, plan->chunk}});
        bytes[i] =
            case_call(test_case, FUNCTION_ATTENTION_SCRATCH, stream,
                      (struct arguments){.number = {plan->heads, plan->length, plan->dim, plan->chunk}});
    }
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    const struct returned *first = outcome_return(outcome, chunks[0]),
                          *first_bytes = outcome_return(outcome, bytes[0]);
    if (first == NULL || first->value == -1 || first_bytes == NULL || first_bytes->value == 0)
        check_todo(context);
    for (int i = 0; i < COUNT(plans); i++) {
        const struct plan *plan = &plans[i];
        const int64_t right = (plan->length + plan->chunk - 1) / plan->chunk;
        judge_number(
            context,
            check_text(context, "split_attention_chunks(%lld, %d)", (long long)plan->length, plan->chunk),
            outcome_return(outcome, chunks[i])->value, right);
        judge_number(context,
                     check_text(context, "split_attention_scratch_bytes(%lld, %lld, %d, %d)",
                                (long long)plan->heads, (long long)plan->length, plan->dim, plan->chunk),
                     outcome_return(outcome, bytes[i])->value, 4 * plan->heads * right * (plan->dim + 2));
    }
}

/* ---- each rule alone ---- */

/* The numbers are those; the operands stay those of the valid call. */
static struct refusal with_numbers(const char *what, int64_t heads, int64_t length, int64_t dim) {
    struct refusal refusal = attention_valid_call(what);
    refusal.heads = heads;
    refusal.length = length;
    refusal.dim = dim;
    return refusal;
}

/* 2^31 elements in FP16, and y behind all of them: nothing but the product is wrong. */
static struct refusal with_product(const char *what, int64_t heads, int64_t length, int64_t dim) {
    struct refusal refusal = with_numbers(what, heads, length, dim);
    refusal.type = TYPE_FP16;
    refusal.y.buffer = REFUSAL_FAR;
    return refusal;
}

/* The largest inputs there are have to get past the validation. Nothing that size is in memory: the first allocation
 * of scratch and the first launch are made to fail. */
static void expect_largest_accepted(struct context *context, int64_t heads, int64_t length, int64_t dim) {
    struct test_case *test_case = case_new(context);
    const int memory = case_buffer(test_case, "inputs", PLACE_DEVICE, 0, 4096, NULL, 0);
    const int y = far_buffer(context, test_case, "y", 4096),
              stream = case_stream(test_case, STREAM_NONBLOCKING);
    struct refusal call = with_numbers("", heads, length, dim);
    call.type = TYPE_BF16;
    call.inputs.q = call.inputs.k = call.inputs.v = call.inputs.bias = at_buffer(memory, 0);
    call.inputs.k = matrix_in(memory, TYPE_BF16, 1, dim, dim);
    call.y = at_buffer(y, 0);
    case_fail(test_case, FAIL_ALLOCATION, 1);
    case_fail(test_case, FAIL_LAUNCH, 1);
    const int step = attention_refusal_call(test_case, stream, &call);
    const struct outcome *outcome = case_run(test_case);
    const struct returned *returned = outcome_return(outcome, step);
    if (returned == NULL)
        check_clean(context, outcome);
    else if (returned->value == RETURNED_INVALID_VALUE)
        check_fail(
            context,
            FUNCTION
            " refused %lld heads of %lld keys, dim %lld, which is valid: heads * length * dim is below "
            "2^31. (Inputs may overlap each other; y overlaps none.)",
            (long long)heads, (long long)length, (long long)dim);
}

void attention_validation_size(struct context *context) {
    const struct refusal refusals[] = {
        with_numbers("length is 0", 2, 0, 64),
        with_numbers("length is -3", 2, -3, 64),
        with_numbers("length is 131073", 2, ATTENTION_MAX_LENGTH + 1, 64),
        with_numbers("length is 2^32 + 3, which is 3 in an int", 2, ((int64_t)1 << 32) + 3, 64),
        with_numbers("heads is -1", -1, 3, 64),
        with_numbers("heads is -2^32", -((int64_t)1 << 32), 3, 64),
        with_numbers("dim is 0", 2, 3, 0),
        with_numbers("dim is -64", 2, 3, -64),
        with_numbers("dim is 32", 2, 3, 32),
        with_numbers("dim is 63", 2, 3, 63),
        with_numbers("dim is 65", 2, 3, 65),
        with_numbers("dim is 96", 2, 3, 96),
        with_numbers("dim is 256", 2, 3, 256),
        with_numbers("dim is 0 and heads is 0", 0, 3, 0),
        with_numbers("length is 131073 and heads is 0", 0, ATTENTION_MAX_LENGTH + 1, 64),
        with_product("heads * length * dim is 2^31", 256, ATTENTION_MAX_LENGTH, 64),
        with_product("heads * length * dim is 2^31, in dim 128", 128, ATTENTION_MAX_LENGTH, 128),
        with_numbers("heads * length * dim is 2^32, which is 0 in 32 bits", 512, ATTENTION_MAX_LENGTH, 64),
        with_numbers("heads * length * dim is 2^64, which is 0 in 64 bits", (int64_t)1 << 58, 1, 64),
        with_numbers("heads is 2^62", (int64_t)1 << 62, 2, 64),
    };
    attention_expect_refusals(context, refusals, COUNT(refusals));
    expect_largest_accepted(context, 255, ATTENTION_MAX_LENGTH, 64);
    expect_largest_accepted(context, INT32_MAX / 64, 1, 64);
    expect_largest_accepted(context, INT32_MAX / 128, 1, 128);
}

void attention_validation_type(struct context *context) {
    struct refusal refusals[] = {
        attention_valid_call("type is FP64"),
        attention_valid_call("type is 3, CUDA_R_8I"),
        attention_valid_call("type is 99, which is none"),
        attention_valid_call("type is -1"),
    };
    refusals[0].type = TYPE_FP64;
    refusals[1].type = 3;
    refusals[2].type = 99;
    refusals[3].type = -1;
    attention_expect_refusals(context, refusals, COUNT(refusals));
}

void attention_validation_chunk(struct context *context) {
    static const int sizes[] = {0, -64, 1, 32, 63, 65, 128, 512, 1023, 2048, 4096};
    struct refusal refusals[COUNT(sizes)];
    for (int i = 0; i < COUNT(sizes); i++) {
        refusals[i] = attention_valid_call(check_text(context, "chunk is %d", sizes[i]));
        refusals[i].chunk = sizes[i];
    }
    attention_expect_refusals(context, refusals, COUNT(refusals));
}

/* ---- memory ---- */

/* The operand of a call that has this name: "q", "k", "v", "bias" or "y". */
static struct operand *operand_of(struct refusal *refusal, int which) {
    struct operand *const operands[] = {&refusal->inputs.q, &refusal->inputs.k, &refusal->inputs.v,
                                        &refusal->inputs.bias, &refusal->y};
    return operands[which];
}

static const char *const operand_names[] = {"q", "k", "v", "bias", "y"};
enum { OPERAND_BIAS = 3, OPERAND_COUNT = 5 };

/* A call that is valid, though it may not look so, and its result. */
static void expect_accepted(struct context *context, const struct problem *problem,
                            const struct inputs *inputs, struct test_case *test_case, struct operand y,
                            const char *what) {
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    const int step = attention_call(test_case, stream, problem, inputs, y);
    case_wait_stream(test_case, stream);
    const struct outcome *outcome = case_run(test_case);
    const struct returned *returned = outcome_return(outcome, step);
    if (returned != NULL && returned->value == RETURNED_INVALID_VALUE)
        check_fail(context, FUNCTION " refused %s, which is valid.", what);
    if (returned != NULL && returned->value == RETURNED_NOT_SUPPORTED)
        return; /* accepted; what comes after the validation is not written yet */
    check_clean(context, outcome);
    check_success(context, outcome, step, FUNCTION);
    attention_compare_y(context, problem,
                        (const char *)outcome_buffer(context, outcome, y.buffer) + y.offset);
}

static struct operand in_managed(struct context *context, struct test_case *test_case, const char *name,
                                 const struct table *table) {
    const size_t bytes = table_bytes(table);
    return table_operand(
        table, case_buffer(test_case, name, PLACE_MANAGED, 0, bytes, table_layout(context, table), bytes), 0);
}

static void expect_managed_accepted(struct context *context) {
    const struct problem problem = attention_drawn(context, TYPE_FP32, 2, 3, 64, 64);
    struct test_case *test_case = case_new(context);
    const struct inputs inputs = {in_managed(context, test_case, "k", &problem.k),
                                  in_managed(context, test_case, "v", &problem.v),
                                  in_managed(context, test_case, "q", &problem.q),
                                  in_managed(context, test_case, "bias", &problem.bias)};
    const struct operand y = matrix_in(
        case_buffer(test_case, "y", PLACE_MANAGED, BUFFER_RETURN, 2 * 64 * 4, NULL, 0), TYPE_FP32, 2, 64, 64);
    expect_accepted(context, &problem, &inputs, test_case, y, "managed memory");
}

static void expect_no_bias_accepted(struct context *context) {
    struct problem problem = attention_drawn(context, TYPE_FP32, 2, 3, 64, 64);
    attention_without_bias(&problem);
    struct test_case *test_case = case_new(context);
    const struct inputs inputs = attention_inputs_add(context, test_case, &problem, "");
    const struct guarded y = guarded_add(test_case, "y", TYPE_FP32, 2 * 64, NO_GUARD);
    expect_accepted(context, &problem, &inputs, test_case, guarded_matrix(y, 2, 64), "a bias that is null");
}

void attention_validation_memory(struct context *context) {
    static const struct {
        const char *words;
        int buffer;
    } places[] = {
        {"null", -1}, {"host memory", REFUSAL_HOST}, {"pinned host memory (cudaMallocHost)", REFUSAL_PINNED}};
    struct refusal refusals[OPERAND_COUNT * COUNT(places)];
    int count = 0;
    for (int which = 0; which < OPERAND_COUNT; which++)
        for (int place = 0; place < COUNT(places); place++) {
            if (which == OPERAND_BIAS && places[place].buffer < 0)
                continue; /* there may be none */
            refusals[count] = attention_valid_call(
                check_text(context, "%s is %s", operand_names[which], places[place].words));
            operand_of(&refusals[count++], which)->buffer = places[place].buffer;
        }
    attention_expect_refusals(context, refusals, count);
    expect_no_bias_accepted(context);
    expect_managed_accepted(context);
}

/* ---- overlap ---- */

/* y begins so many bytes behind the start of an input. */
static struct refusal y_in(const char *what, int which, int64_t y_offset, int type) {
    struct refusal refusal = attention_valid_call_of(what, type, 2, 3, 64);
    const struct operand *input = operand_of(&refusal, which);
    refusal.y.buffer = input->buffer;
    refusal.y.offset = y_offset;
    return refusal;
}

/* k and y in one buffer, at these offsets in bytes. */
static void expect_apart_accepted(struct context *context, enum element_type type, int64_t k_offset,
                                  int64_t y_offset, const char *what) {
    enum { BYTES = 4096 };
    const struct problem problem = attention_drawn(context, type, 2, 4, 64, 64);
    struct test_case *test_case = case_new(context);
    struct inputs inputs = attention_inputs_add(context, test_case, &problem, "");
    char *content = check_memory(context, BYTES);
    memset(content, 0xFF, BYTES);
    memcpy(content + k_offset, table_layout(context, &problem.k), table_bytes(&problem.k));
    inputs.k.buffer =
        case_buffer(test_case, "k and y in one buffer", PLACE_DEVICE, BUFFER_RETURN, BYTES, content, BYTES);
    inputs.k.offset = k_offset;
    struct operand y = matrix_in(inputs.k.buffer, type, 2, 64, 64);
    y.offset = y_offset;
    expect_accepted(context, &problem, &inputs, test_case, y,
                    check_text(context, "k and y side by side, in %s (%s)", element_name(type), what));
}

/* k and v may be one memory, and q may lie in it too: only y has to be apart. */
static void expect_shared_inputs_accepted(struct context *context) {
    struct problem problem = attention_drawn(context, TYPE_FP32, 2, 3, 64, 64);
    problem.v = problem.k;
    for (int64_t i = 0; i < 2 * 64; i++)
        problem.q.values[i] = problem.k.values[i];
    struct test_case *test_case = case_new(context);
    struct inputs inputs = attention_inputs_add(context, test_case, &problem, "");
    inputs.v.buffer = inputs.q.buffer = inputs.k.buffer;
    const struct guarded y = guarded_add(test_case, "y", TYPE_FP32, 2 * 64, NO_GUARD);
    expect_accepted(context, &problem, &inputs, test_case, guarded_matrix(y, 2, 64),
                    "q, k and v in one memory, and y apart from it");
}

/* In FP32 q and y have 512 bytes, k and v 1536, bias 24; in 16 bits half of it. */
void attention_validation_overlap(struct context *context) {
    struct refusal behind = attention_valid_call("the end of y lies in k"),
                   gigabytes = with_numbers("k has 2^32 bytes, which is 0 in 32 bits, and y begins inside it",
                                            128, ATTENTION_MAX_LENGTH, 64);
    behind.y.buffer = REFUSAL_K;
    behind.inputs.k.offset = 256;
    gigabytes.y.buffer = REFUSAL_K;
    gigabytes.y.offset = 1024;
    gigabytes.inputs.q.buffer = REFUSAL_FAR;
    gigabytes.inputs.bias.buffer = -1;
    const struct refusal refusals[] = {
        y_in("y and q are the same memory", 0, 0, TYPE_FP32),
        y_in("y and k are the same memory", 1, 0, TYPE_FP32),
        y_in("y and v are the same memory", 2, 0, TYPE_FP32),
        y_in("y and bias are the same memory", 3, 0, TYPE_FP32),
        y_in("y begins in the second head of q", 0, 256, TYPE_FP32),
        y_in("y begins in the last row of k", 1, 1280, TYPE_FP32),
        y_in("y begins in the last row of v", 2, 1280, TYPE_FP32),
        y_in("y begins in the last element of bias", 3, 20, TYPE_FP32),
        y_in("y begins in the last row of k, in FP16", 1, 640, TYPE_FP16),
        y_in("y begins in the last row of k, in BF16", 1, 640, TYPE_BF16),
        y_in("y begins in the last row of v, in BF16", 2, 640, TYPE_BF16),
        behind,
        gigabytes,
    };
    attention_expect_refusals(context, refusals, COUNT(refusals));
    for (int i = 0; i < 3; i++) {
        const int64_t k = (int64_t)(2 * 4 * 64 * element_bytes(supported_types[i])),
                      y = (int64_t)(2 * 64 * element_bytes(supported_types[i]));
        expect_apart_accepted(context, supported_types[i], 0, k, "y begins where k ends");
        expect_apart_accepted(context, supported_types[i], y, 0, "k begins where y ends");
    }
    expect_shared_inputs_accepted(context);
}

/* ---- no heads ---- */

/* A call without heads, in which something else may be wrong. */
static struct refusal no_heads(const char *what) {
    struct refusal call = attention_valid_call(what);
    call.heads = 0;
    call.inputs.k.rows = 0;
    return call;
}

/* No heads: success at once, whatever the pointers; the other rules still hold. */
void attention_validation_empty(struct context *context) {
    struct refusal valid[] = {no_heads("null pointers"), no_heads("y the same memory as k"),
                              no_heads("host memory")};
    valid[0].inputs.q.buffer = valid[0].inputs.k.buffer = valid[0].inputs.v.buffer = -1;
    valid[0].inputs.bias.buffer = valid[0].y.buffer = -1;
    valid[1].y.buffer = REFUSAL_K;
    valid[2].inputs.k.buffer = REFUSAL_HOST;
    struct refusal wrong[] = {no_heads("length = 0"), no_heads("dim = 65"), no_heads("chunk = 65"),
                              no_heads("type 99")};
    wrong[0].length = 0;
    wrong[1].dim = 65;
    wrong[2].chunk = 65;
    wrong[3].type = 99;
    struct test_case *test_case = case_new(context);
    attention_refusal_buffers(context, test_case);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    int steps[COUNT(valid)], invalid[COUNT(wrong)];
    for (int i = 0; i < COUNT(valid); i++)
        steps[i] = attention_refusal_call(test_case, stream, &valid[i]);
    for (int i = 0; i < COUNT(wrong); i++)
        invalid[i] = attention_refusal_call(test_case, stream, &wrong[i]);
    case_wait_stream(test_case, stream);

    const struct outcome *outcome = case_run(test_case);
    for (int i = 0; i < COUNT(valid); i++) {
        const struct returned *returned = outcome_return(outcome, steps[i]);
        if (returned == NULL)
            check_clean(context, outcome);
        else if (returned->value != RETURNED_SUCCESS && returned->value != RETURNED_NOT_SUPPORTED) {
            explain(context,
                    "With no heads there is nothing to do, and nothing to say against the pointers; a launch "
                    "with 0 blocks is an error.");
            check_fail(context, FUNCTION " returned %s for 0 heads and %s; cudaSuccess is expected.",
                       cuda_error_name(context, returned->value), valid[i].what);
        }
        const struct returned *refused = outcome_return(outcome, invalid[0]);
        if (returned != NULL && returned->value == RETURNED_NOT_SUPPORTED && refused &&
            refused->value == RETURNED_INVALID_VALUE)
            check_waits(
                context,
                "It waits for the rule itself: 0 heads still get cudaErrorNotSupported, not cudaSuccess.");
        check_success(context, outcome, steps[i], FUNCTION);
    }
    check_clean(context, outcome);
    if (outcome->kernel_count > 0 || outcome->allocation_count > 0)
        check_fail(context, FUNCTION " launched or allocated something for 0 heads; there is nothing to do.");
    for (int i = 0; i < COUNT(wrong); i++) {
        const struct returned *returned = outcome_return(outcome, invalid[i]);
        if (returned == NULL || returned->value != RETURNED_INVALID_VALUE)
            check_fail(context, FUNCTION " accepted %s because heads was 0; the other rules still hold.",
                       wrong[i].what);
    }
}
