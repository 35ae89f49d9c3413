/* One check through libcheck: a suite with one test case that holds one test, without a process of its own
 * (the worker is one, and the student's code is in another).
 *
 * libcheck's test functions take a number only, so the running check is found through a variable. */
#include "grading/run_check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "check/kept.h"
#include "link/runner_process.h"
#include <check.h>
#include <string.h>

static struct context *running;

START_TEST(run_check)
{ running->check->run(running); }
END_TEST

/* An assertion of the suite itself (ck_assert...) failed, or libcheck could not run it. */
static void take_result(struct context *context, SRunner *runner) {
    TestResult **results = srunner_results(runner);
    if (srunner_ntests_run(runner) != 1) {
        context->status = STATUS_FAIL;
        context->found = "This check could not be run.";
    } else if (tr_rtype(results[0]) == CK_PASS) {
        context->status = STATUS_PASS;
    } else if (!context->judged) {
        context->status = STATUS_FAIL;
        context->found = check_text(context, "%s", tr_msg(results[0]));
    }
    free(results);
}

static struct verdict verdict_of(const struct context *context) {
    struct verdict verdict = verdict_new(context->status, true, context->found);
    free(verdict.where);
    free(verdict.means);
    free(verdict.read);
    free(verdict.cause);
    free(verdict.notes);
    free(verdict.printed);
    const bool bad = context->status != STATUS_PASS && context->status != STATUS_SKIP;
    verdict.where = copy_text(context->where);
    verdict.means = copy_text(context->means);
    verdict.read = bad && context->lesson[0]
                       ? format_text("%s%s%s%s", context->lesson, context->section[0] ? ", \"" : "",
                                     context->section, context->section[0] ? "\"" : "")
                       : copy_text("");
    verdict.cause = copy_text(context->cause[0] ? context->cause : context->found);
    verdict.notes = copy_text(context->notes);
    verdict.printed = format_text("%s%s", context->runner->printed,
                                  context->runner->printed_cut ? "\n(the rest was not kept)" : "");
    char *texts[] = {verdict.found, verdict.where, verdict.means,  verdict.read,
                     verdict.cause, verdict.notes, verdict.printed};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        make_plain(texts[i]);
    if (!bad) { /* what was said before the check turned out well */
        verdict.where[0] = '\0';
        verdict.means[0] = '\0';
    }
    return verdict;
}

struct verdict perform(const struct session *session, const struct check *check, struct runner *runner,
                       struct symbols *symbols) {
    struct context context;
    const double start = clock_seconds();
    context_begin(&context, session, check, runner, symbols);
    runner_forget_printed(runner);
    running = &context;

    TCase *test_case = tcase_create(check->id);
    tcase_add_test(test_case, run_check);
    Suite *suite = suite_create(session->suite->exercise);
    suite_add_tcase(suite, test_case);
    SRunner *suite_runner = srunner_create(suite);
    srunner_set_fork_status(suite_runner, CK_NOFORK);
    srunner_run_all(suite_runner, CK_SILENT);
    take_result(&context, suite_runner);
    keep_stop(&context);
    srunner_free(suite_runner);

    struct verdict verdict = verdict_of(&context);
    verdict.seconds = clock_seconds() - start;
    context_end(&context);
    return verdict;
}
