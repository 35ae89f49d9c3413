/* What is asked of all three functions alike: very many rows, the caller's stream, the launch's error. */
#include "checks.h"
#include "row_problem.h"
#include "suites/shared/launchable.h"
#include "suites/shared/recovery.h"

/* ---- many rows ---- */

/* The launch for more rows than memory holds; it is made to fail even where the device would take it. */
static void expect_launchable(struct context *context, enum function function, int64_t rows, int64_t cols) {
    if (!accesses_are_seen(context))
        return;
    const struct row_problem named = {.function = function};
    struct test_case *test_case = case_new(context);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, 0, 256, NULL, 0),
              output = far_buffer(context, test_case, "output", 256),
              stream = case_stream(test_case, STREAM_NONBLOCKING);
    case_fail(test_case, FAIL_LAUNCH, 1);
    case_call(test_case, function, stream,
              (struct arguments){.real = {2},
                                 .operand = {matrix_in(x, TYPE_FP32, rows, cols, cols),
                                             matrix_in(output, TYPE_FP32, rows, cols, cols)}});
    check_launchable(context, case_run(test_case),
                     check_text(context, "%s, called for %lld x %lld, which is valid.",
                                row_problem_function(&named), (long long)rows, (long long)cols));
}

/* More rows than grid.y can hold, and as many as there can be. What is wrong with few is told with few. */
static void expect_many_rows(struct context *context, enum function function) {
    const struct row_problem few = row_problem_new(context, function, 300, 4, 4),
                             many = row_problem_new(context, function, 65537, 4, 4);
    row_problem_run(context, &few);
    row_problem_run_sampled(context, &many);
    expect_launchable(context, function, INT32_MAX, 1);
}

void scale_many_rows(struct context *context) {
    expect_many_rows(context, FUNCTION_ROW_SCALE);
    expect_launchable(context, FUNCTION_ROW_SCALE, 1, INT32_MAX);
}

void max_many_rows(struct context *context) {
    expect_many_rows(context, FUNCTION_ROW_MAX);
}

void sum_many_rows(struct context *context) {
    expect_many_rows(context, FUNCTION_ROW_SUM);
}

/* ---- the stream ---- */

/* A problem whose x arrives late, by a slow producer on the same stream. */
static struct row_placed add_late(struct context *context, struct test_case *test_case,
                                  const struct row_problem *problem, int stream) {
    const size_t bytes = row_problem_bytes(problem);
    const int source = case_buffer(test_case, "source", PLACE_DEVICE, BUFFER_READ_ONLY, bytes,
                                   row_problem_layout(context, problem), bytes);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, 0, bytes, NULL, 0);
    case_fill_slowly(test_case, stream, x, source, bytes);
    return row_problem_add_output(context, test_case, problem, stream, x);
}

static void check_stream(struct context *context, const struct outcome *outcome, int stream,
                         const char *function) {
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const struct kernel_trace *kernel = &outcome->kernels[i];
        if (kernel->step < 0 || kernel->stream == stream)
            continue;
        explain(context, "The fourth launch argument is the stream: <<<blocks, threads, 0, stream>>>.");
        check_fail(context, "Kernel %s of %s ran on %s, and not on the caller's stream.", kernel->name,
                   function,
                   kernel->stream == STREAM_INDEX_DEFAULT ? "the default stream" : "a stream of its own");
    }
    if (outcome->wait_count > 0) {
        explain(context, "The stream keeps the order: what the caller puts on it next runs when the kernel "
                         "has ended. A call that waits stops the CPU for nothing.");
        check_fail(context, "%s called %s: %s.", function, outcome->waits[0].call, outcome->waits[0].reason);
    }
    if (outcome->allocation_count > 0) {
        explain(context, "What a block has to put down fits into shared memory, and its result into the "
                         "output.");
        read_next(context, ROW_LESSON, ROW_WRONG);
        check_fail(context, "%s allocated %llu bytes of device memory; it needs no scratch.", function,
                   (unsigned long long)outcome->allocations[0].bytes);
    }
}

static void expect_on_stream(struct context *context, enum stream_kind kind, enum function function,
                             int64_t rows, int64_t cols) {
    struct test_case *test_case = case_new(context);
    const struct row_problem problem = row_problem_new(context, function, rows, cols, cols);
    const int stream = case_stream(test_case, kind);
    const struct row_placed placed = add_late(context, test_case, &problem, stream);
    const struct outcome *outcome = case_run(test_case);
    locate(context, "%s, %lld x %lld%s.", row_problem_function(&problem), (long long)rows, (long long)cols,
           kind == STREAM_LEGACY ? ", on the default stream, whose handle is 0" : "");
    check_stream(context, outcome, stream, row_problem_function(&problem));
    check_clean(context, outcome);
    row_problem_check(context, outcome, &problem, placed);
}

/* Two calls on two streams, neither of which waits for the other. */
static void expect_two_calls(struct context *context, enum function function) {
    struct test_case *test_case = case_new(context);
    struct row_problem problems[2];
    struct row_placed placed[2];
    for (int i = 0; i < 2; i++) {
        problems[i] = row_problem_new(context, function, 9, 300, 300);
        problems[i].explained = true;
        placed[i] = add_late(context, test_case, &problems[i], case_stream(test_case, STREAM_NONBLOCKING));
    }
    const struct outcome *outcome = case_run(test_case);
    explain_findings(context, "Two calls are under way at once, on two streams. What a kernel keeps in a "
                              "__device__ variable, or in memory of its own, belongs to both.");
    check_clean(context, outcome);
    for (int i = 0; i < 2; i++)
        row_problem_check(context, outcome, &problems[i], placed[i]);
}

/* Few elements, more, and so many that somebody may take another way for them. */
static void expect_stream(struct context *context, enum function function) {
    static const enum stream_kind kinds[] = {STREAM_NONBLOCKING, STREAM_BLOCKING, STREAM_LEGACY};
    for (int i = 0; i < 3; i++) {
        expect_on_stream(context, kinds[i], function, 1, 20);
        expect_on_stream(context, kinds[i], function, 9, 300);
    }
    expect_on_stream(context, STREAM_NONBLOCKING, function, 700, 40);
    expect_on_stream(context, STREAM_NONBLOCKING, function, 2, 5000);
    expect_two_calls(context, function);
}

void scale_stream(struct context *context) {
    expect_stream(context, FUNCTION_ROW_SCALE);
}

void max_stream(struct context *context) {
    expect_stream(context, FUNCTION_ROW_MAX);
}

void sum_stream(struct context *context) {
    expect_stream(context, FUNCTION_ROW_SUM);
}

/* ---- the launch's error ---- */

static void expect_launch_error(struct context *context, enum function function, int64_t rows, int64_t cols) {
    struct test_case *test_case = case_new(context);
    const struct row_problem problem = row_problem_new(context, function, rows, cols, cols);
    const char *name = row_problem_function(&problem),
               *where = check_text(context, "%lld rows of %lld columns.", (long long)rows, (long long)cols);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    case_fail(test_case, FAIL_LAUNCH, 1);
    const struct row_placed placed = row_problem_add(context, test_case, &problem, stream);
    case_wait_stream(test_case, stream);
    const struct row_placed again = row_problem_add(context, test_case, &problem, stream);
    const struct outcome *outcome = case_run(test_case);
    const struct returned *returned = outcome_return(outcome, placed.call);
    if (returned && returned->value == 801) /* cudaErrorNotSupported */
        check_todo(context);
    if (returned && returned->value == 0) {
        locate(context, "%s", where);
        explain(
            context,
            "A launch returns nothing: cudaGetLastError() straight after it says whether it was accepted.");
        check_fail(context, "The launch failed, and %s returned cudaSuccess.", name);
    }
    check_recovered(context, outcome, again.call, name, where);
    /* An error that was returned was looked at: see fused_softmax's operator.launch_error. */
    check_clean_except(context, outcome, FINDING_UNCHECKED_ERROR);
}

static void expect_launch_errors(struct context *context, enum function function) {
    expect_launch_error(context, function, 4, 64);
    expect_launch_error(context, function, 1, 1);
    expect_launch_error(context, function, 700, 5);
    expect_launch_error(context, function, 2, 5000);
}

void scale_launch_error(struct context *context) {
    expect_launch_errors(context, FUNCTION_ROW_SCALE);
}

void max_launch_error(struct context *context) {
    expect_launch_errors(context, FUNCTION_ROW_MAX);
}

void sum_launch_error(struct context *context) {
    expect_launch_errors(context, FUNCTION_ROW_SUM);
}
