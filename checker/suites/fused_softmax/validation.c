/* Stage validation: every rule of the contract broken alone, all else being valid; and a valid call beside
 * it, so that refusing everything earns nothing. */
#include "checks.h"
#include "problem.h"
#include "suites/shared/launchable.h"

#include <limits.h>
#include <string.h>

enum { INVALID_VALUE = 1, NOT_SUPPORTED = 801, ROWS = 4, COLS = 16, PITCH = 16, BYTES = 16384 };

/* A call, and what is wrong with it: "rows_per_block 3". */
struct call {
    const char *what;
    struct operand x, y;
    int rows_per_block;
    bool valid;
};

/* A case with x and y in one buffer (x at 0, y at Y), so that overlaps can be built, and memory of other
 * kinds. */
struct desk {
    struct test_case *test_case;
    const char
        *rule; /* how this is asked for, and what of it is easily got wrong; null: its case says it all */
    int stream, memory, host, pinned, managed, valid;
};

enum { Y = BYTES / 2, BEFORE = 0x3C /* each byte: 0.0115 as FP32, 1.06 as FP16 */ };

static struct desk desk_new(struct context *context) {
    struct desk desk = {.test_case = case_new(context)};
    /* Valid logits everywhere: a call that is wrongly accepted does no other harm. */
    void *content = check_memory(context, BYTES);
    memset(content, BEFORE, BYTES);
    desk.stream = case_stream(desk.test_case, STREAM_NONBLOCKING);
    desk.memory = case_buffer(desk.test_case, "x and y", PLACE_DEVICE, BUFFER_RETURN, BYTES, content, BYTES);
    desk.host = case_buffer(desk.test_case, "host memory", PLACE_HOST, BUFFER_RETURN, BYTES, content, BYTES);
    desk.pinned =
        case_buffer(desk.test_case, "pinned host memory", PLACE_PINNED, BUFFER_RETURN, BYTES, content, BYTES);
    desk.managed = case_buffer(desk.test_case, "managed memory", PLACE_MANAGED, 0, BYTES, content, BYTES);
    desk.valid =
        case_buffer(desk.test_case, "memory of a valid call", PLACE_DEVICE, 0, BYTES, content, BYTES);
    return desk;
}

static struct operand place(int buffer, int64_t offset) {
    struct operand operand = matrix_in(buffer, TYPE_FP32, ROWS, COLS, PITCH);
    operand.offset = offset;
    return operand;
}

static struct call good(const struct desk *desk) {
    return (struct call){.x = place(desk->memory, 0), .y = place(desk->memory, Y), .rows_per_block = 1};
}

static struct call with_shape(const struct desk *desk, const char *what, int64_t rows, int64_t cols,
                              int64_t pitch) {
    struct call call = good(desk);
    call.what = what;
    call.x.rows = call.y.rows = rows;
    call.x.cols = call.y.cols = cols;
    call.x.pitch = call.y.pitch = pitch;
    return call;
}

/* ---- judging ---- */

static void check_return(struct context *context, const struct outcome *outcome, int step,
                         const struct call *call, const char *rule) {
    const struct returned *returned = outcome_return(outcome, step);
    const int expected = call->valid ? 0 : INVALID_VALUE;
    locate(context, "fused_softmax, called with %s.", call->what);
    if (!returned) {
        check_clean(context, outcome);
        check_fail(context, "fused_softmax did not come back.");
    }
    if (returned->value == NOT_SUPPORTED)
        check_todo(context);
    if (returned->value == expected)
        return;
    if (rule != NULL)
        explain(context, "%s", rule);
    const char *name = cuda_error_name(context, returned->value);
    if (call->valid)
        check_fail(context, "Valid arguments were refused: with %s, it returned %s.", call->what, name);
    if (returned->value == 0)
        check_fail(
            context,
            "Invalid arguments were accepted: it returned cudaSuccess, and not cudaErrorInvalidValue.");
    check_fail(context, "It returned %s, and not cudaErrorInvalidValue.", name);
}

/* Nothing may be launched or allocated by a call that launches nothing when it is right. */
static void check_nothing_done(struct context *context, const struct outcome *outcome, int step,
                               const struct call *call) {
    for (size_t i = 0; i < outcome->kernel_count; i++)
        if (outcome->kernels[i].step == step)
            check_fail(context, "fused_softmax with %s launched kernel %s.", call->what,
                       outcome->kernels[i].name);
    for (size_t i = 0; i < outcome->allocation_count; i++)
        if (outcome->allocations[i].step == step)
            check_fail(context, "fused_softmax with %s allocated memory.", call->what);
}

/* Where no call of the case writes, memory holds what it held. */
static void check_untouched(struct context *context, const struct outcome *outcome, int buffer,
                            const char *what) {
    const unsigned char *bytes = outcome_buffer(context, outcome, buffer);
    for (size_t i = 0; i < BYTES; i++)
        if (bytes[i] != BEFORE)
            check_fail(context, "fused_softmax refused its arguments, and still wrote to %s.", what);
}

static void judge(struct context *context, struct desk *desk, const struct call *calls, size_t count) {
    struct call control = good(desk);
    control.what = "arguments of which each is valid";
    control.valid = true;
    control.x.buffer = control.y.buffer = desk->valid;
    int step[32], control_step;
    for (size_t i = 0; i < count; i++)
        step[i] = case_call(
            desk->test_case, FUNCTION_FUSED_SOFTMAX, desk->stream,
            (struct arguments){.number = {calls[i].rows_per_block}, .operand = {calls[i].x, calls[i].y}});
    control_step = case_call(desk->test_case, FUNCTION_FUSED_SOFTMAX, desk->stream,
                             (struct arguments){.number = {1}, .operand = {control.x, control.y}});
    const struct outcome *outcome = case_run(desk->test_case);
    for (size_t i = 0; i < count; i++) {
        check_return(context, outcome, step[i], &calls[i], desk->rule);
        if (!calls[i].valid || calls[i].x.rows == 0)
            check_nothing_done(context, outcome, step[i], &calls[i]);
    }
    check_return(context, outcome, control_step, &control, NULL);
    locate(context, "%s", "");
    check_clean(context, outcome);
    bool writes = false;
    for (size_t i = 0; i < count; i++)
        writes |= calls[i].valid && calls[i].x.rows > 0 && calls[i].y.buffer == desk->memory;
    if (!writes)
        check_untouched(context, outcome, desk->memory, "device memory");
    check_untouched(context, outcome, desk->host, "host memory");
    check_untouched(context, outcome, desk->pinned, "pinned host memory");
}

/* ---- the rules ---- */

void validation_rows_per_block(struct context *context) {
    const int numbers[] = {0, -1, 3, 5, 6, 7, 16, 32, INT_MAX, INT_MIN};
    struct desk desk = desk_new(context);
    struct call calls[10];
    for (int i = 0; i < 10; i++) {
        calls[i] = good(&desk);
        calls[i].what = check_text(context, "rows_per_block %d", numbers[i]);
        calls[i].rows_per_block = numbers[i];
    }
    judge(context, &desk, calls, 10);
}

void validation_type(struct context *context) {
    const uint32_t types[][2] = {{TYPE_FP64, TYPE_FP64},
                                 {TYPE_FP32, TYPE_FP16},
                                 {TYPE_FP32, TYPE_BF16},
                                 {TYPE_FP16, TYPE_FP32},
                                 {TYPE_FP16, TYPE_BF16},
                                 {TYPE_BF16, TYPE_FP32},
                                 {TYPE_BF16, TYPE_FP16},
                                 {99, 99},
                                 {3, 3}, /* CUDA_R_8I */
                                 {TYPE_FP32, 99}};
    enum { CALLS = sizeof types / sizeof *types };
    struct desk desk = desk_new(context);
    struct call calls[CALLS];
    for (int i = 0; i < CALLS; i++) {
        calls[i] = good(&desk);
        calls[i].what =
            check_text(context, "type %u for x and %u for y (cudaDataType_t)", types[i][0], types[i][1]);
        calls[i].x.type = types[i][0];
        calls[i].y.type = types[i][1];
    }
    judge(context, &desk, calls, CALLS);
}

/* The most rows there are have to get past the validation. Nothing that size is in memory: the launch is made
 * to fail. */
static void expect_largest_accepted(struct context *context) {
    struct desk desk = desk_new(context);
    struct call call = with_shape(&desk, "", ((int64_t)1 << 27) - 1, 16, 16);
    call.x.type = call.y.type = TYPE_BF16;
    call.y.buffer = far_buffer(context, desk.test_case, "y", BYTES);
    case_fail(desk.test_case, FAIL_LAUNCH, 1);
    const int step =
        case_call(desk.test_case, FUNCTION_FUSED_SOFTMAX, desk.stream,
                  (struct arguments){.number = {call.rows_per_block}, .operand = {call.x, call.y}});
    const struct outcome *outcome = case_run(desk.test_case);
    const struct returned *returned = outcome_return(outcome, step);
    if (!returned)
        check_clean(context, outcome);
    else if (returned->value == INVALID_VALUE)
        check_fail(context,
                   "fused_softmax refused 2^27 - 1 rows of 16 columns, which is valid: rows * cols is "
                   "below 2^31.");
}

void validation_shape(struct context *context) {
    struct desk desk = desk_new(context);
    desk.rule = "1 to 1024 columns, 0 rows or more, the same in x and y, all compared in 64 bits; rows * "
                "cols < 2^31 is asked without the "
                "product, which may overflow: rows > INT32_MAX / cols.";
    const int64_t huge = (int64_t)1 << 62;
    struct call calls[] = {
        with_shape(&desk, "cols 0", ROWS, 0, PITCH),
        with_shape(&desk, "cols -1", ROWS, -1, PITCH),
        with_shape(&desk, "cols 1025, one past the cap", 1, 1025, 1028),
        with_shape(&desk, "rows -1", -1, COLS, PITCH),
        with_shape(&desk, "rows * cols = 2^31", (int64_t)1 << 27, 16, 16),
        with_shape(&desk, "rows 2^62 and cols 16, whose product overflows", huge, 16, 16),
        with_shape(&desk, "rows 2^62 + 1 and cols 4, whose product overflows to 4", huge + 1, 4, 4),
        with_shape(&desk, "cols 2^32 + 16", 1, ((int64_t)1 << 32) + 16, ((int64_t)1 << 32) + 16),
        good(&desk),
        good(&desk),
        good(&desk),
        good(&desk),
        with_shape(&desk, "rows * cols = 2^31, x and y far apart", (int64_t)1 << 27, 16, 16),
        with_shape(&desk, "rows 1 - 2^58 at pitch 16, whose bytes overflow to one row's",
                   1 - ((int64_t)1 << 58), 16, 16),
        good(&desk),
    };
    calls[8].what = "one row more in x than in y";
    calls[8].x.rows++;
    calls[9].what = "one column less in y than in x";
    calls[9].y.cols--;
    calls[10].what = "one row less in x than in y";
    calls[10].x.rows--;
    calls[11].what = "one column less in x than in y";
    calls[11].x.cols--;
    calls[12].x.type = calls[12].y.type = TYPE_BF16;
    calls[12].y.buffer = far_buffer(context, desk.test_case, "y, far from x", BYTES);
    calls[14].what = "2^32 rows more in y than in x";
    calls[14].y.rows += (int64_t)1 << 32;
    judge(context, &desk, calls, 15);
    expect_largest_accepted(context);
}

void validation_pitch(struct context *context) {
    struct desk desk = desk_new(context);
    desk.rule = "The pitch is a multiple of 4, at least cols, and the same for x and y; it may be far larger "
                "than a row. It is an int64_t: "
                "in an int, 2^32 is 0. With one row it leads nowhere.";
    struct call calls[] = {
        with_shape(&desk, "16 columns and pitch 12", ROWS, COLS, 12),
        with_shape(&desk, "16 columns and pitch 18, no multiple of 4", ROWS, COLS, 18),
        with_shape(&desk, "17 columns and pitch 16", ROWS, 17, PITCH),
        with_shape(&desk, "15 columns and pitch 15, no multiple of 4", ROWS, 15, 15),
        with_shape(&desk, "pitch 0", ROWS, COLS, 0),
        with_shape(&desk, "pitch -16", ROWS, COLS, -16),
        good(&desk),
        good(&desk),
        with_shape(&desk, "pitch 20, which is valid", ROWS, COLS, 20),
        with_shape(&desk, "one row and pitch 2048, which is valid", 1, COLS, 2048),
        with_shape(&desk, "one row and pitch 2^32, which is valid", 1, COLS, (int64_t)1 << 32),
    };
    calls[6].what = "pitch 16 for x and 20 for y";
    calls[6].y.pitch = 20;
    calls[7].what = "pitch 20 for x and 16 for y";
    calls[7].x.pitch = 20;
    calls[8].valid = calls[9].valid = calls[10].valid = true;
    judge(context, &desk, calls, 11);
}

void validation_pointers(struct context *context) {
    struct desk desk = desk_new(context);
    const char *kinds[] = {"a null pointer", "host memory", "pinned host memory (cudaMallocHost)"};
    const int buffers[] = {-1, desk.host, desk.pinned};
    struct call calls[7];
    for (int i = 0; i < 6; i++) {
        calls[i] = good(&desk);
        struct operand *operand = i % 2 == 0 ? &calls[i].x : &calls[i].y;
        calls[i].what = check_text(context, "%s for %s", kinds[i / 2], i % 2 == 0 ? "x" : "y");
        operand->buffer = buffers[i / 2];
        operand->offset = 0;
    }
    calls[6] = good(&desk);
    calls[6].what = "x and y in managed memory, which is valid";
    calls[6].valid = true;
    calls[6].x.buffer = calls[6].y.buffer = desk.managed;
    judge(context, &desk, calls, 7);
}

/* A matrix of 4 x 16 floats, pitch 16, is 256 bytes. */
void validation_overlap(struct context *context) {
    struct desk desk = desk_new(context);
    desk.rule = "A matrix ends behind the last element of its last row, ((rows - 1) * pitch + cols) elements "
                "of their own size (2 bytes "
                "in FP16) from its start, counted in 64 bits; padding behind the last row does not belong to "
                "it. Two overlap where "
                "each begins before the other ends, whichever comes first.";
    struct call calls[11];
    for (int i = 0; i < 7; i++)
        calls[i] = good(&desk);
    calls[0].what = "y where x is";
    calls[0].y.offset = 0;
    calls[1] = with_shape(&desk, "y beginning in the last row of x", 5, COLS, PITCH);
    calls[1].y.offset = 256;
    calls[2] = with_shape(&desk, "x beginning in the last row of y", 5, COLS, PITCH);
    calls[2].x.offset = 256;
    calls[2].y.offset = 0;
    calls[3] = with_shape(&desk, "the rows of y between those of x, in their padding", ROWS, COLS, 256);
    calls[3].y.offset = 256;
    calls[4].what = "y beginning where x ends, which is valid";
    calls[4].y.offset = 256;
    calls[5].what = "x beginning where y ends, which is valid";
    calls[5].x.offset = 256;
    calls[5].y.offset = 0;
    /* 257 elements to the last one: they end at byte 514, and would end past byte 1024 if they were floats. */
    calls[6] =
        with_shape(&desk, "FP16, 2 rows of pitch 256, and y right behind them, which is valid", 2, 1, 256);
    calls[6].x.type = calls[6].y.type = TYPE_FP16;
    calls[6].y.offset = 1024;
    for (int i = 4; i < 7; i++)
        calls[i].valid = true;
    calls[7] = with_shape(&desk, "y beginning on the last element of x", 1, 65, 68);
    calls[7].y.offset = 256;
    /* 2 x 64 at pitch 128 ends after (2 - 1) * 128 + 64 = 192 floats, at byte 768; 2 * 128 floats are 1024. */
    calls[8] = with_shape(&desk, "y beginning where the last row of x ends, in its padding, which is valid",
                          2, 64, 128);
    calls[8].y.offset = 768;
    calls[9] = with_shape(&desk, "x beginning where the last row of y ends, in its padding, which is valid",
                          2, 64, 128);
    calls[9].x.offset = 768;
    calls[9].y.offset = 0;
    calls[8].valid = calls[9].valid = true;
    calls[10] = with_shape(&desk, "x of 2^32 bytes, which is 0 in 32 bits, and y inside it", (int64_t)1 << 26,
                           COLS, PITCH);
    judge(context, &desk, calls, 11);
}

void validation_no_rows(struct context *context) {
    struct desk desk = desk_new(context);
    struct call calls[14];
    for (int i = 0; i < 14; i++) {
        calls[i] = with_shape(&desk, "", 0, COLS, PITCH);
        calls[i].valid = i < 3;
    }
    calls[0].what = "rows 0";
    calls[1].what = "rows 0 and two null pointers";
    calls[1].x.buffer = calls[1].y.buffer = -1;
    calls[1].y.offset = 0;
    calls[2].what = "rows 0 and one pointer for x and y, in host memory";
    calls[2].x.buffer = calls[2].y.buffer = desk.host;
    calls[2].y.offset = 0;
    /* All rules but those for the pointers hold for a matrix without rows too. */
    calls[3].what = "rows 0 and cols 0";
    calls[3].x.cols = calls[3].y.cols = 0;
    calls[4].what = "rows 0 and rows_per_block 3";
    calls[4].rows_per_block = 3;
    calls[5].what = "rows 0 and type 99";
    calls[5].x.type = calls[5].y.type = 99;
    calls[6].what = "rows 0, FP32 for x and FP16 for y";
    calls[6].y.type = TYPE_FP16;
    calls[7].what = "rows 0 and cols 1025, one past the cap";
    calls[7].x.cols = calls[7].y.cols = 1025;
    calls[7].x.pitch = calls[7].y.pitch = 1028;
    calls[8].what = "rows 0 and one column less in y than in x";
    calls[8].y.cols--;
    calls[9].what = "rows 0 in x and 4 in y";
    calls[9].y.rows = ROWS;
    calls[10].what = "rows 0 in y and 4 in x";
    calls[10].x.rows = ROWS;
    calls[11].what = "rows 0, 16 columns and pitch 12";
    calls[11].x.pitch = calls[11].y.pitch = 12;
    calls[12].what = "rows 0 and pitch 18, no multiple of 4";
    calls[12].x.pitch = calls[12].y.pitch = 18;
    calls[13].what = "rows 0, pitch 16 for x and 20 for y";
    calls[13].y.pitch = 20;
    judge(context, &desk, calls, 14);
}
