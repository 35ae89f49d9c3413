/* Stage operator: three types, special values, streams, errors. */
#include "checks.h"
#include "suites/shared/recovery.h"
#include "traffic.h"

#include <math.h>

void operator_types(struct context *context) {
    const int64_t widths[] = {1, 33, 781, 1024};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            struct problem problem =
                problem_new(context, supported_types[i], 5, widths[j], least_pitch(widths[j]), 1 << j);
            problem.on_stream = true;
            problem.y_known = j % 2 == 0; /* whoever writes padding back is found by the counted bytes */
            const struct outcome *outcome = problem_run(context, &problem);
            if (accesses_are_seen(context))
                check_one_pass(context, outcome, &problem);
        }
}

/* Right up to FP32's tolerance before the one rounding: within half a step of the type, and a little. */
void operator_rounding(struct context *context) {
    for (int i = 1; i < 3; i++) {
        struct problem problem = problem_new(context, supported_types[i], 8, 48, 48, 4);
        const double spacing =
            supported_types[i] == TYPE_FP16 ? 0x1p-10 : 0x1p-7; /* relative, at a power of 2 */
        problem.rtol = 0.5 * spacing + 3e-5;
        problem.atol = supported_types[i] == TYPE_FP16 ? 0x1p-25 + 1e-9 : 1e-9;
        problem_run(context, &problem);
    }
}

void operator_constants(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct problem problem = problem_new(context, supported_types[i], 6, 781, 784, 2);
        table_fill_row(&problem.x, 0, 1000);
        table_fill_row(&problem.x, 1, -1000);
        table_fill_row(&problem.x, 2, 0);
        table_set(&problem.x, 2, 777, 60); /* one logit outweighs all others */
        table_fill_row(&problem.x, 3, -1000);
        table_set(&problem.x, 3, 0, 1000);
        table_fill_row(&problem.x, 5, -1000); /* the same in another lane, and in another thread's part */
        table_set(&problem.x, 5, 333, 1000);
        /* Near the lowest finite number: below what somebody may have put for -INFINITY. */
        table_fill_row(&problem.x, 4, supported_types[i] == TYPE_FP16 ? -60000 : -3e38);
        problem_run(context, &problem);
    }
}

void operator_masked(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct problem problem = problem_new(context, supported_types[i], 5, 300, 304, 2);
        for (int64_t col = 0; col < 300; col++) {
            if (col % 2 == 0)
                table_set(&problem.x, 0, col, -INFINITY);
            if (col != 299)
                table_set(&problem.x, 1, col, -INFINITY);
            if (col < 250) /* whole lanes and warps of it */
                table_set(&problem.x, 2, col, -INFINITY);
        }
        table_fill_row(&problem.x, 3, -INFINITY);
        problem_run(context, &problem);
    }
}

void operator_not_finite(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct problem problem = problem_new(context, supported_types[i], 8, 140, 140, 4);
        table_set(&problem.x, 0, 0, NAN);
        table_set(&problem.x, 1, 139, NAN);
        table_set(&problem.x, 2, 70, INFINITY);
        table_fill_row(&problem.x, 3, INFINITY);
        table_fill_row(&problem.x, 4, NAN);
        table_fill_row(&problem.x, 5, -INFINITY);
        table_set(&problem.x, 5, 33, NAN);
        table_fill_row(&problem.x, 6, -INFINITY);
        table_set(&problem.x, 6, 1, INFINITY);
        problem_run(context, &problem); /* row 7 is an ordinary one, and has to stay it */
    }
}

/* A problem whose x arrives late, by a slow producer on the same stream. */
static struct placed add_late(struct context *context, struct test_case *test_case,
                              const struct problem *problem, int stream) {
    const size_t bytes = problem_bytes(problem);
    const int source = case_buffer(test_case, "source", PLACE_DEVICE, BUFFER_READ_ONLY, bytes,
                                   problem_layout(context, problem), bytes);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, 0, bytes, NULL, 0);
    case_fill_slowly(test_case, stream, x, source, bytes);
    return problem_add_output(context, test_case, problem, stream, x);
}

static void expect_on_stream(struct context *context, enum stream_kind kind, enum element_type type,
                             int64_t rows, int64_t cols) {
    struct test_case *test_case = case_new(context);
    const struct problem problem = problem_new(context, type, rows, cols, least_pitch(cols), 2);
    const int stream = case_stream(test_case, kind);
    const struct placed placed = add_late(context, test_case, &problem, stream);
    const struct outcome *outcome = case_run(test_case);
    locate(context, "%lld x %lld, %s%s.", (long long)rows, (long long)cols, element_name(type),
           kind == STREAM_LEGACY ? ", on the default stream, whose handle is 0" : "");
    problem_check_stream(context, outcome, placed.call, stream);
    check_no_waits(context, outcome);
    check_clean(context, outcome);
    explain_refusal(context, outcome, placed.call, &problem.x, problem.x.pitch);
    check_success(context, outcome, placed.call, "fused_softmax");
    problem_check(context, outcome, &problem, placed);
}

/* One row, and more of them; the legacy default stream is a stream like any other. Then the other types, and
 * a matrix that somebody may find large. */
void operator_stream(struct context *context) {
    const enum stream_kind kinds[] = {STREAM_NONBLOCKING, STREAM_BLOCKING, STREAM_LEGACY};
    for (int i = 0; i < 3; i++)
        for (int64_t rows = 1; rows <= 9; rows += 8)
            expect_on_stream(context, kinds[i], TYPE_FP32, rows, 200);
    for (int i = 1; i < 3; i++)
        expect_on_stream(context, STREAM_NONBLOCKING, supported_types[i], 9, 200);
    expect_on_stream(context, STREAM_NONBLOCKING, TYPE_FP32, 70, 1024);
}

void operator_two_calls(struct context *context) {
    struct test_case *test_case = case_new(context);
    struct problem problems[2];
    struct placed placed[2];
    for (int i = 0; i < 2; i++) {
        problems[i] = problem_new(context, TYPE_FP32, 9, 200, 200, 2);
        placed[i] = add_late(context, test_case, &problems[i], case_stream(test_case, STREAM_NONBLOCKING));
    }
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    for (int i = 0; i < 2; i++)
        problem_check(context, outcome, &problems[i], placed[i]);
}

static void expect_launch_error(struct context *context, enum element_type type, int64_t cols) {
    struct test_case *test_case = case_new(context);
    const struct problem problem = problem_new(context, type, 4, cols, least_pitch(cols), 4);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    case_fail(test_case, FAIL_LAUNCH, 1);
    const struct placed placed = problem_add(context, test_case, &problem, stream);
    case_wait_stream(test_case, stream);
    const struct placed again = problem_add(context, test_case, &problem, stream);
    const struct outcome *outcome = case_run(test_case);
    const struct returned *returned = outcome_return(outcome, placed.call);
    if (returned && returned->value == 801) /* cudaErrorNotSupported */
        check_todo(context);
    if (returned && returned->value == 0) {
        explain(
            context,
            "A launch returns nothing: cudaGetLastError() straight after it says whether it was accepted.");
        locate(context, "4 rows of %lld columns, %s.", (long long)cols, element_name(type));
        check_fail(context, "The launch of %s failed, and fused_softmax returned cudaSuccess.",
                   element_name(type));
    }
    check_recovered(context, outcome, again.call, "fused_softmax",
                    check_text(context, "4 rows of %lld columns, %s.", (long long)cols, element_name(type)));
    /* An error that was returned was looked at. Below CUDA 13 the runner cannot tell cudaLaunchKernel(),
     * which returns it, from <<<...>>>, which does not. */
    check_clean_except(context, outcome, FINDING_UNCHECKED_ERROR);
}

/* A launch may be written for each type, and for rows that need more or fewer registers of a lane. */
void operator_launch_error(struct context *context) {
    const int64_t widths[] = {64, 1, 200, 300, 500, 781, 1024};
    for (int i = 0; i < 3; i++)
        for (size_t j = 0; j < sizeof widths / sizeof *widths; j++)
            expect_launch_error(context, supported_types[i], widths[j]);
}
