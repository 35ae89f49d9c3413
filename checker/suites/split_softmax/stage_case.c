/* One call of a stage, and what all three stages have to hold (see parts.h). */
#include "parts.h"
#include "suites/shared/launchable.h"

/* A call whose first launch fails. Returns the step. */
static int call_failing(struct test_case *test_case, enum function function, int stream,
                        struct arguments arguments) {
    case_fail(test_case, FAIL_LAUNCH, 1);
    const int step = case_call(test_case, function, stream, arguments);
    case_wait_stream(test_case, stream);
    return step;
}

static void check_failing(struct context *context, const struct outcome *outcome, int step,
                          const char *function) {
    const struct returned *returned = outcome_return(outcome, step);
    if (returned == NULL || returned->value != RETURNED_SUCCESS)
        return;
    locate(context, "A second call, whose launch was made to fail.");
    explain(context,
            "A launch returns nothing: cudaGetLastError() behind it says whether it succeeded, and that "
            "is what the stage has to return.");
    read_next(context, SPLIT_LESSON, "Scratch and streams");
    check_fail(context, "%s returned cudaSuccess although its launch failed.", function);
}

const struct outcome *split_run_stage(struct context *context, struct test_case *test_case,
                                      enum function function, struct arguments arguments, bool streams,
                                      const char *name) {
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    const int step = case_call(test_case, function, stream, arguments);
    case_wait_stream(test_case, stream);
    const int failing = streams ? call_failing(test_case, function, stream, arguments) : -1;

    const struct outcome *outcome = case_run(test_case);
    if (streams) {
        split_check_stream(context, outcome, step, stream);
        check_failing(context, outcome, failing, name);
    }
    check_clean(context, outcome);
    check_success(context, outcome, step, name);
    return outcome;
}

/* The launch is made to fail even where the device would take it. */
void split_expect_launchable(struct context *context, struct test_case *test_case, enum function function,
                             struct arguments arguments, const char *name) {
    if (!accesses_are_seen(context))
        return;
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    case_fail(test_case, FAIL_LAUNCH, 1);
    case_call(test_case, function, stream, arguments);
    check_launchable(
        context, case_run(test_case),
        check_text(context, "%s, called for 2^31 - 1 rows of one column, which is valid.", name));
}
