/* One call of a stage, and what both stages have to hold (see parts.h). */
#include "parts.h"
#include "suites/shared/launchable.h"

static void check_failing(struct context *context, const struct outcome *outcome, int step,
                          const char *function) {
    const struct returned *returned = outcome_return(outcome, step);
    if (returned == NULL || returned->value != RETURNED_SUCCESS)
        return;
    locate(context, "A second call, whose launch was made to fail.");
    explain(context,
            "A launch returns nothing: cudaGetLastError() behind it says whether it succeeded, and that "
            "is what the stage has to return.");
    read_next(context, ATTENTION_LESSON, SECTION_STREAMS);
    check_fail(context, "%s returned cudaSuccess although its launch failed.", function);
}

const struct outcome *attention_run_stage(struct context *context, struct test_case *test_case,
                                          enum function function, struct arguments arguments, bool streams,
                                          const char *name) {
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    const int step = case_call(test_case, function, stream, arguments);
    case_wait_stream(test_case, stream);
    int failing = -1;
    if (streams) {
        case_fail(test_case, FAIL_LAUNCH, 1);
        failing = case_call(test_case, function, stream, arguments);
        case_wait_stream(test_case, stream);
    }

    const struct outcome *outcome = case_run(test_case);
    if (streams) {
        attention_check_stream(context, outcome, step, stream);
        check_failing(context, outcome, failing, name);
    }
    check_clean(context, outcome);
    check_success(context, outcome, step, name);
    return outcome;
}

/* The launch is made to fail even where the device would take it. */
void attention_expect_launchable(struct context *context, struct test_case *test_case, enum function function,
                                 struct arguments arguments, const char *name) {
    if (!accesses_are_seen(context))
        return;
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    case_fail(test_case, FAIL_LAUNCH, 1);
    case_call(test_case, function, stream, arguments);
    check_launchable(context, case_run(test_case),
                     check_text(context, "%s, called for %lld heads, which is valid.", name,
                                (long long)arguments.number[0]));
}
