/* The operator, called many times in one process on the same x with new values each time. An answer that is
 * kept from an earlier call (by address, by shape) is wrong here, and so is one that is right for the first
 * calls only.
 */
#include "checks.h"
#include "problem.h"

#include <string.h>

enum { CASES = 20, CALLS = 12, ROWS = 3, COLS = 60 };

static void make_calls(struct context *context, int calls_before) {
    struct test_case *test_case = case_new(context);
    struct problem problems[CALLS];
    struct placed placed[CALLS];
    const size_t bytes = (size_t)ROWS * COLS * 4; /* x without a pitch of its own */
    char *values = check_memory(context, CALLS * bytes);
    for (int i = 0; i < CALLS; i++) {
        problems[i] = problem_new(context, TYPE_FP32, ROWS, COLS, COLS, 2);
        memcpy(values + (size_t)i * bytes, problem_layout(context, &problems[i]), bytes);
    }
    const int source = case_buffer(test_case, "source", PLACE_DEVICE, BUFFER_READ_ONLY, CALLS * bytes, values,
                                   CALLS * bytes);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, 0, bytes, NULL, 0);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    for (int i = 0; i < CALLS; i++) {
        case_copy_part(test_case, stream, at_buffer(x, 0), at_buffer(source, (int64_t)((size_t)i * bytes)),
                       bytes);
        placed[i] = problem_add_output(context, test_case, &problems[i], stream, x);
    }
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    for (int i = 0; i < CALLS; i++) {
        problems[i].explained = calls_before + i > 0;
        if (problems[i].explained)
            explain(context,
                    "This was call %d on the same x with new values, and those before it were right. "
                    "Something is "
                    "kept from one call to the next: each has to start afresh.",
                    calls_before + i + 1);
        problem_check(context, outcome, &problems[i], placed[i]);
    }
}

void operator_repeated(struct context *context) {
    for (int i = 0; i < CASES; i++)
        make_calls(context, i * CALLS);
}
