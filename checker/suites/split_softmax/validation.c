/* What split_softmax refuses: each rule of the contract alone. validation_plan.c has the plan. */
#include "parts.h"
#include "suites/shared/launchable.h"
#include "suites/shared/sampled.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define FUNCTION "split_softmax"

/* ---- each rule alone ---- */

static struct refusal with_shape(const char *what, int64_t rows, int64_t cols) {
    struct refusal refusal = split_valid_call(what);
    refusal.x.rows = refusal.y.rows = rows;
    refusal.x.cols = refusal.y.cols = refusal.x.pitch = refusal.y.pitch = cols;
    return refusal;
}

/* The largest matrices there are have to get past the validation. Nothing that size is in memory: the first
 * allocation of scratch and the first launch are made to fail. */
static void expect_largest_accepted(struct context *context, int64_t rows, int64_t cols) {
    struct test_case *test_case = case_new(context);
    int x_buffer = case_buffer(test_case, "x", PLACE_DEVICE, 0, 4096, NULL, 0);
    int y_buffer = far_buffer(context, test_case, "y", 4096);
    int stream = case_stream(test_case, STREAM_NONBLOCKING);
    case_fail(test_case, FAIL_ALLOCATION, 1);
    case_fail(test_case, FAIL_LAUNCH, 1);
    int step = split_call(test_case, stream, matrix_in(x_buffer, TYPE_BF16, rows, cols, cols),
                          matrix_in(y_buffer, TYPE_BF16, rows, cols, cols), 4096);
    const struct outcome *outcome = case_run(test_case);
    const struct returned *returned = outcome_return(outcome, step);
    if (returned == NULL)
        check_clean(context, outcome);
    else if (returned->value == RETURNED_INVALID_VALUE)
        check_fail(context,
                   FUNCTION
                   " refused rows = %lld and cols = %lld, which is valid: rows * cols is below 2^31.",
                   (long long)rows, (long long)cols);
}

void split_validation_size(struct context *context) {
    struct refusal fewer_rows = split_valid_call("y has fewer rows than x");
    fewer_rows.y.rows = 1;
    struct refusal more_rows = split_valid_call("y has more rows than x");
    more_rows.y.rows = 3;
    struct refusal fewer_cols = split_valid_call("y has fewer columns than x");
    fewer_cols.y.cols = fewer_cols.y.pitch = 5;
    struct refusal more_cols = split_valid_call("y has more columns than x");
    more_cols.y.cols = more_cols.y.pitch = 7;
    /* Far apart in memory, so that no overlap is refused in its place. */
    struct refusal large = with_shape("rows * cols is 2^31", 16384, SPLIT_MAX_COLS);
    large.x.type = large.y.type = TYPE_BF16;
    large.chunk = 4096;
    large.y.buffer = REFUSAL_FAR;
    struct refusal tall_y = split_valid_call("y has 2^32 rows more than x");
    tall_y.y.rows += (int64_t)1 << 32;
    struct refusal wide_y = split_valid_call("y has 2^32 columns more than x");
    wide_y.y.cols += (int64_t)1 << 32;
    wide_y.y.pitch = wide_y.y.cols;
    /* Whoever divides by the columns of one has to know that it has some. */
    struct refusal no_x_cols = split_valid_call("x has 0 columns, and y 6");
    no_x_cols.x.cols = no_x_cols.x.pitch = 0;
    struct refusal no_y_cols = split_valid_call("y has 0 columns, and x 6");
    no_y_cols.y.cols = no_y_cols.y.pitch = 0;
    struct refusal refusals[] = {
        with_shape("rows is -1", -1, 6),
        with_shape("rows is -2^60, and the bytes of 4 columns overflow to 0", -((int64_t)1 << 60), 4),
        with_shape("cols is 0", 2, 0),
        with_shape("cols is -6", 2, -6),
        with_shape("cols is 131073", 2, SPLIT_MAX_COLS + 1),
        with_shape("cols is 131073 and rows is 0", 0, SPLIT_MAX_COLS + 1),
        with_shape("cols is 2^32 + 6, which is 6 in an int", 2, ((int64_t)1 << 32) + 6),
        fewer_rows,
        more_rows,
        fewer_cols,
        more_cols,
        with_shape("rows * cols is 2^64, which is 0 in 64 bits", (int64_t)1 << 61, 8),
        with_shape("rows * cols is 2^32, which is 0 in 32 bits", 65536, 65536),
        large,
        tall_y,
        wide_y,
        no_x_cols,
        no_y_cols,
    };
    split_expect_refusals(context, refusals, COUNT(refusals));
    expect_largest_accepted(context, 16383, SPLIT_MAX_COLS);
    expect_largest_accepted(context, INT32_MAX, 1);
}

void split_validation_type(struct context *context) {
    enum { UNSUPPORTED = 4, PAIRS = 6 };
    struct refusal refusals[UNSUPPORTED + PAIRS] = {
        split_valid_call("x and y are FP64"),
        split_valid_call("x is FP64"),
        split_valid_call("x and y are of type 3, CUDA_R_8I"),
        split_valid_call("x and y are of type 99, which is none"),
    };
    refusals[0].x.type = refusals[0].y.type = TYPE_FP64;
    refusals[1].x.type = TYPE_FP64;
    refusals[2].x.type = refusals[2].y.type = 3;
    refusals[3].x.type = refusals[3].y.type = 99;
    int count = UNSUPPORTED;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (i == j)
                continue;
            const enum element_type x = supported_types[i], y = supported_types[j];
            refusals[count] = split_valid_call(
                check_text(context, "x is %s and y is %s", element_name(x), element_name(y)));
            refusals[count].x.type = x;
            refusals[count++].y.type = y;
        }
    split_expect_refusals(context, refusals, count);
}

void split_validation_chunk(struct context *context) {
    static const int sizes[] = {0, -256, 1, 128, 255, 257, 512, 2048, 4095, 8192};
    struct refusal refusals[COUNT(sizes)];
    for (int i = 0; i < COUNT(sizes); i++) {
        refusals[i] = split_valid_call(check_text(context, "chunk is %d", sizes[i]));
        refusals[i].chunk = sizes[i];
    }
    split_expect_refusals(context, refusals, COUNT(refusals));
}

void split_validation_pitch(struct context *context) {
    struct refusal refusals[] = {
        split_valid_call("the pitch of x and y is 8 for 6 columns"),
        split_valid_call("the pitch of x is 8 for 6 columns"),
        split_valid_call("the pitch of y is 8 for 6 columns"),
        split_valid_call("the pitch of x and y is 4 for 6 columns"),
        split_valid_call("the pitch of x and y is 0"),
        split_valid_call("the pitch of x is 4 for 6 columns"),
        split_valid_call("the pitch of y is 4 for 6 columns"),
        split_valid_call("the pitch of x and y is 2^32 + 6 for 6 columns"),
    };
    refusals[0].x.pitch = refusals[0].y.pitch = refusals[1].x.pitch = refusals[2].y.pitch = 8;
    refusals[3].x.pitch = refusals[3].y.pitch = 4;
    refusals[4].x.pitch = refusals[4].y.pitch = 0;
    refusals[5].x.pitch = refusals[6].y.pitch = 4;
    refusals[7].x.pitch = refusals[7].y.pitch = ((int64_t)1 << 32) + 6;
    split_expect_refusals(context, refusals, COUNT(refusals));
}

static struct operand null_like(struct operand operand) {
    operand.buffer = -1;
    return operand;
}

void split_validation_memory(struct context *context) {
    struct refusal refusals[] = {
        split_valid_call("x is null"),
        split_valid_call("y is null"),
        split_valid_call("x is host memory"),
        split_valid_call("y is host memory"),
        split_valid_call("x is pinned host memory (cudaMallocHost)"),
        split_valid_call("y is pinned host memory (cudaMallocHost)"),
    };
    refusals[0].x = null_like(refusals[0].x);
    refusals[1].y = null_like(refusals[1].y);
    refusals[2].x.buffer = REFUSAL_HOST;
    refusals[3].y.buffer = REFUSAL_HOST;
    refusals[4].x.buffer = REFUSAL_PINNED;
    refusals[5].y.buffer = REFUSAL_PINNED;
    split_expect_refusals(context, refusals, COUNT(refusals));

    /* Managed memory, on the other hand, is device memory. */
    struct table x = table_new(context, TYPE_FP32, 2, 6, 6);
    table_fill_normal(context, &x, 0, 1);
    struct test_case *test_case = case_new(context);
    size_t bytes = table_bytes(&x);
    int input = case_buffer(test_case, "x in managed memory", PLACE_MANAGED, 0, bytes,
                            table_layout(context, &x), bytes);
    int output = case_buffer(test_case, "y in managed memory", PLACE_MANAGED, BUFFER_RETURN, bytes, NULL, 0);
    int stream = case_stream(test_case, STREAM_BLOCKING);
    int step = split_call(test_case, stream, table_operand(&x, input, 0), table_operand(&x, output, 0), 256);
    case_wait_stream(test_case, stream);
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    const struct returned *returned = outcome_return(outcome, step);
    if (returned != NULL && returned->value == RETURNED_INVALID_VALUE)
        check_fail(context, FUNCTION " refused managed memory; it counts as device memory.");
    if (returned != NULL && returned->value == RETURNED_NOT_SUPPORTED)
        return; /* accepted; what comes after the validation is not written yet */
    check_success(context, outcome, step, FUNCTION);
    split_compare_y(context, &x, 256, outcome_buffer(context, outcome, output));
}

static struct refusal with_offset(const char *what, int64_t x_offset, int64_t y_offset) {
    struct refusal refusal = split_valid_call(what);
    refusal.y.buffer = REFUSAL_X;
    refusal.x.offset = x_offset;
    refusal.y.offset = y_offset;
    return refusal;
}

/* Where x and y begin in one buffer, in bytes. */
struct apart {
    const char *what;
    int64_t x, y;
};

static void expect_apart_accepted(struct context *context, enum element_type type,
                                  const struct apart *apart) {
    enum { BYTES = 1024, MATRIX = 256 };
    const int64_t cols = MATRIX / 2 / (int64_t)element_bytes(type);
    struct table x = table_new(context, type, 2, cols, cols);
    table_fill_normal(context, &x, 0, 1);
    char *content = check_memory(context, BYTES);
    memset(content, 0xFF, BYTES);
    memcpy(content + apart->x, table_layout(context, &x), MATRIX);
    struct test_case *test_case = case_new(context);
    int buffer =
        case_buffer(test_case, "x and y in one buffer", PLACE_DEVICE, BUFFER_RETURN, BYTES, content, BYTES);
    int stream = case_stream(test_case, STREAM_NONBLOCKING);
    int step = split_call(test_case, stream, table_operand(&x, buffer, apart->x),
                          table_operand(&x, buffer, apart->y), 256);
    case_wait_stream(test_case, stream);
    const struct outcome *outcome = case_run(test_case);
    const struct returned *returned = outcome_return(outcome, step);
    if (returned != NULL && returned->value == RETURNED_INVALID_VALUE) {
        explain(context, "A matrix ends behind its last element, rows * cols elements of their own size from "
                         "its start (2 bytes in FP16 and "
                         "BF16). Two overlap where each begins before the other ends, and not where one "
                         "begins at the other's end.");
        check_fail(context, FUNCTION " refused x and y side by side, in %s: %s, which is no overlap.",
                   element_name(type), apart->what);
    }
    if (returned != NULL && returned->value == RETURNED_NOT_SUPPORTED)
        return; /* accepted; what comes after the validation is not written yet */
    check_clean(context, outcome);
    check_success(context, outcome, step, FUNCTION);
    split_compare_y(context, &x, 256, (const char *)outcome_buffer(context, outcome, buffer) + apart->y);
}

/* 2 x 6 in FP32 are 48 bytes. Offsets are multiples of 256 only where the contract asks for it: an overlap
 * may begin anywhere, so these calls put the start of one matrix inside the other. */
void split_validation_overlap(struct context *context) {
    struct refusal long_rows = with_offset("the end of x lies in y", 0, 256);
    long_rows.x.cols = long_rows.y.cols = long_rows.x.pitch = long_rows.y.pitch = 33; /* 264 bytes */
    struct refusal reversed = long_rows;
    reversed.what = "the end of y lies in x";
    reversed.x.offset = 256;
    reversed.y.offset = 0;
    struct refusal half = long_rows;
    half.what = "the last FP16 element of x lies in y";
    half.x.type = half.y.type = TYPE_FP16;
    half.x.cols = half.y.cols = half.x.pitch = half.y.pitch = 129;
    half.x.rows = half.y.rows = 1;
    struct refusal bfloat = half;
    bfloat.what = "the last BF16 element of x lies in y";
    bfloat.x.type = bfloat.y.type = TYPE_BF16;
    struct refusal gigabytes =
        with_shape("x has 2^32 bytes, which is 0 in 32 bits, and y begins inside it", 8192, SPLIT_MAX_COLS);
    gigabytes.y.buffer = REFUSAL_X;
    gigabytes.y.offset = 256;
    struct refusal refusals[] = {
        with_offset("x and y are the same memory", 0, 0), long_rows, reversed, half, bfloat, gigabytes};
    split_expect_refusals(context, refusals, COUNT(refusals));

    /* One may begin where the other ends, or further on: x and y have 256 bytes each. */
    static const struct apart apart[] = {{"y begins where x ends", 0, 256},
                                         {"x begins where y ends", 256, 0},
                                         {"x lies far behind y", 768, 0}};
    for (int type = 0; type < 3; type++)
        for (int i = 0; i < COUNT(apart); i++)
            expect_apart_accepted(context, supported_types[type], &apart[i]);
}

/* Calls without rows in which something else is wrong, each rule alone. */
static void no_rows_and_a_broken_rule(struct operand none, struct refusal wrong[8]) {
    static const char *const what[8] = {"cols = 0",
                                        "chunk = 255",
                                        "type 99",
                                        "x in FP16 and y in FP32",
                                        "y with 1 row",
                                        "y with one column more",
                                        "a pitch of 8 for 6 columns",
                                        "a pitch of y of 8 for 6 columns"};
    for (int i = 0; i < 8; i++)
        wrong[i] = (struct refusal){what[i], none, none, 256};
    wrong[0].x.cols = wrong[0].y.cols = wrong[0].x.pitch = wrong[0].y.pitch = 0;
    wrong[1].chunk = 255;
    wrong[2].x.type = wrong[2].y.type = 99;
    wrong[3].x.type = TYPE_FP16;
    wrong[4].y.rows = 1;
    wrong[5].y.cols = wrong[5].y.pitch = 7;
    wrong[6].x.pitch = wrong[6].y.pitch = 8;
    wrong[7].y.pitch = 8;
}

/* No rows: success at once, whatever the pointers; the other rules still hold. */
void split_validation_empty(struct context *context) {
    struct test_case *test_case = case_new(context);
    int device = case_buffer(test_case, "y", PLACE_DEVICE, BUFFER_RETURN, 256, NULL, 0);
    int host = case_buffer(test_case, "host memory", PLACE_HOST, 0, 256, NULL, 0);
    int stream = case_stream(test_case, STREAM_NONBLOCKING);
    struct operand empty = matrix_in(device, TYPE_FP32, 0, 6, 6), none = null_like(empty), on_host = empty;
    on_host.buffer = host;
    const struct {
        const char *what;
        struct operand x, y;
    } calls[] = {{"null pointers", none, none},
                 {"x and y the same memory", empty, empty},
                 {"host memory", on_host, empty}};
    int steps[COUNT(calls)];
    for (int i = 0; i < COUNT(calls); i++)
        steps[i] = split_call(test_case, stream, calls[i].x, calls[i].y, 256);
    enum { RULES = 8 };
    struct refusal wrong[RULES];
    no_rows_and_a_broken_rule(none, wrong);
    int invalid[RULES];
    for (int i = 0; i < RULES; i++)
        invalid[i] = split_call(test_case, stream, wrong[i].x, wrong[i].y, wrong[i].chunk);
    case_wait_stream(test_case, stream);

    const struct outcome *outcome = case_run(test_case);
    for (int i = 0; i < COUNT(calls); i++) {
        const struct returned *returned = outcome_return(outcome, steps[i]);
        if (returned == NULL)
            check_clean(context, outcome);
        else if (returned->value != RETURNED_SUCCESS && returned->value != RETURNED_NOT_SUPPORTED) {
            explain(context,
                    "With no rows there is nothing to do, and nothing to say against the pointers; a launch "
                    "with 0 blocks is an error.");
            check_fail(context, FUNCTION " returned %s for 0 rows and %s; cudaSuccess is expected.",
                       cuda_error_name(context, returned->value), calls[i].what);
        }
        const struct returned *refused = outcome_return(outcome, invalid[0]);
        if (returned->value == RETURNED_NOT_SUPPORTED && refused && refused->value == RETURNED_INVALID_VALUE)
            check_waits(
                context,
                "It waits for the rule itself: 0 rows still get cudaErrorNotSupported, not cudaSuccess.");
        check_success(context, outcome, steps[i], FUNCTION);
    }
    check_clean(context, outcome);
    if (outcome->kernel_count > 0 || outcome->allocation_count > 0)
        check_fail(context, FUNCTION " launched or allocated something for 0 rows; there is nothing to do.");
    for (int i = 0; i < RULES; i++) {
        const struct returned *returned = outcome_return(outcome, invalid[i]);
        if (returned == NULL || returned->value != RETURNED_INVALID_VALUE)
            check_fail(context, FUNCTION " accepted %s because rows was 0; the other rules still hold.",
                       wrong[i].what);
    }
}

static bool sample_is_right(struct context *context, const struct table *x, int chunk) {
    struct test_case *test_case = case_new(context);
    const int input = table_add(context, test_case, "x", x),
              stream = case_stream(test_case, STREAM_NONBLOCKING);
    const struct guarded y = guarded_add(test_case, "y", x->type, (size_t)(x->rows * x->cols), NO_GUARD);
    case_sample(test_case, x->rows);
    const int step =
        split_call(test_case, stream, table_operand(x, input, 0), guarded_matrix(y, x->rows, x->cols), chunk);
    case_wait_stream(test_case, stream);
    const struct outcome *outcome = case_run(test_case);
    double rtol, atol;
    split_tolerance(x->type, &rtol, &atol);
    split_check_call(context, outcome, step, stream, x, chunk);
    return sampled_ran_well(context, outcome, step) &&
           sampled_shows_enough(x, outcome_buffer(context, outcome, y.buffer), rtol, atol);
}

static void expect_rows(struct context *context, int64_t rows, bool sampled) {
    struct table x = table_new(context, TYPE_FP32, rows, 2, 2);
    table_fill_normal(context, &x, 0, 1);
    const int chunk = 256;
    if (!sampled || !sample_is_right(context, &x, chunk))
        split_expect_softmax(context, &x, &chunk, 1, NO_GUARD);
}

/* grid.y and grid.z end at 65,535. What is wrong with 300 rows already needs no more of them to be told. */
void split_validation_many_rows(struct context *context) {
    split_need_operator(context);
    expect_rows(context, 300, false);
    expect_rows(context, 65537, true);
}
