/* The checker as a whole, against a runner that misbehaves: each misdeed costs one check, is named as what it
 * was, and leaves check.json whole. The test program is its own fake runner: the checker starts it as
 * "runner". */
#include "base/memory.h"
#include "fake_runner.h"
#include "grading/grade.h"
#include "report/results.h"
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- the suite that is graded here ---- */

static const struct outcome *run_deed(struct context *context, enum fake_deed deed, int *buffer) {
    struct test_case *test_case = case_new(context);
    const char content[48] = {1, 2, 3};
    *buffer =
        case_buffer(test_case, "x", PLACE_DEVICE, BUFFER_RETURN, sizeof content, content, sizeof content);
    case_call(test_case, FUNCTION_SPLIT_SOFTMAX, -1,
              (struct arguments){.number = {deed, 0}, .operand = {matrix_in(*buffer, 0, 3, 4, 4)}});
    return case_run(test_case);
}

static void judge_deed(struct context *context, enum fake_deed deed) {
    int buffer;
    const struct outcome *outcome = run_deed(context, deed, &buffer);
    check_clean(context, outcome);
    check_success(context, outcome, 0, "split_softmax");
    const char *bytes = outcome_buffer(context, outcome, buffer);
    if (bytes[0] != 2 || bytes[2] != 6)
        check_fail(context, "wrong bytes");
}

#define DEED(name, deed)                                                                                     \
    static void name(struct context *context) {                                                              \
        judge_deed(context, deed);                                                                           \
    }
DEED(good, FAKE_GOOD)
DEED(todo, FAKE_NOT_SUPPORTED)
DEED(crash, FAKE_CRASH)
DEED(hang, FAKE_HANG)
DEED(leave, FAKE_EXIT)
DEED(garbage, FAKE_GARBAGE)
DEED(unknown, FAKE_UNKNOWN_RECORD)
DEED(too_short, FAKE_SHORT_RECORD)
DEED(no_return, FAKE_NO_RETURN)
DEED(foreign, FAKE_FOREIGN_BUFFER)
DEED(much, FAKE_PRINT_MUCH)
DEED(finding, FAKE_FINDING)
DEED(warning, FAKE_WARNING)
DEED(wide_load, FAKE_WIDE_LOAD)
DEED(closed, FAKE_CLOSE)
DEED(forged, FAKE_FORGERY)
DEED(child, FAKE_CHILD)
DEED(outlive, FAKE_OUTLIVE)

static void wrong(struct context *context) {
    locate(context, "row 3");
    explain(context, "A sign is wrong.");
    check_fail(context, "y is %d.", 5);
}

static void wide_load_used(struct context *context) {
    int buffer;
    check_clean(context, run_deed(context, FAKE_WIDE_LOAD, &buffer));
    check_fail(context, explain_by_warning(context) ? "y is NaN." : "There is no warning.");
}

static void not_with_seven(struct context *context) {
    if (check_seed(context) == 5)
        check_note(context, "Five is near.");
    if (check_seed(context) == 7)
        check_fail(context, "Seven brings no luck.");
}

static void skipped(struct context *context) {
    check_skip(context, "A GPU is needed.");
}

static void dies(struct context *context) {
    (void)context;
    raise(SIGKILL);
}

static const struct check checks[] = {
    {"good.plain", "good", 10, good, "docs/a.md", "A", 0, 0},
    {"good.warning", "good with a warning", 5, warning, "docs/a.md", "A", 0, 0},
    {"good.much", "prints much", 5, much, "docs/a.md", "A", 0, 0},
    {"good.wide_load", "takes unwritten elements along", 0, wide_load, "docs/a.md", "A", 0, 0},
    {"bad.todo", "todo", 1, todo, "docs/a.md", "A", 0, 0},
    {"bad.crash", "crash", 1, crash, "docs/a.md", "A", 0, 0},
    {"bad.hang", "hang", 1, hang, "docs/a.md", "A", 0.1, 9},
    {"bad.exit", "exit", 1, leave, "docs/a.md", "A", 0, 0},
    {"bad.garbage", "garbage", 1, garbage, "docs/a.md", "A", 0, 0},
    {"bad.unknown", "unknown", 1, unknown, "docs/a.md", "A", 0, 0},
    {"bad.short", "short", 1, too_short, "docs/a.md", "A", 0, 0},
    {"bad.no_return", "no return", 0, no_return, "docs/a.md", "A", 0, 0},
    {"bad.foreign", "foreign", 1, foreign, "docs/a.md", "A", 0, 0},
    {"bad.finding", "finding", 1, finding, "docs/a.md", "A", 0, 0},
    {"bad.finding_again", "finding", 1, finding, "docs/a.md", "A", 0, 0},
    {"bad.closed", "closed", 1, closed, "docs/a.md", "A", 0, 0},
    {"bad.child", "child", 1, child, "docs/a.md", "A", 0, 0},
    {"bad.forged", "forged", 0, forged, "docs/a.md", "A", 0, 0},
    {"bad.wrong", "wrong", 1, wrong, "docs/a.md", "A", 0, 0},
    {"bad.wide_load", "uses unwritten elements", 0, wide_load_used, "docs/a.md", "A", 0, 0},
    {"bad.dies", "the worker dies", 1, dies, "docs/a.md", "A", 0, 0},
    {"bad.outlive", "a process in a session of its own", 0, outlive, "docs/a.md", "A", 0, 0},
    {"other.seventh", "fails with seed 7", 0, not_with_seven, "docs/a.md", "A", 0, 0},
    {"other.skipped", "skipped", 1, skipped, "docs/a.md", "A", 0, 0},
};

static const struct stage stages[] = {
    {"good", "stage 1: good"}, {"bad", "stage 2: bad"}, {"other", "stage 3: other"}};

static const struct suite suite = {"split_softmax", stages, 3, checks, sizeof checks / sizeof *checks, NULL,
                                   "speed",         "races"};

const struct suite *const all_suites[] = {&suite, NULL};

/* ---- running the checker ---- */

static char folder[] = "/tmp/checker_test.XXXXXX";
static char self[PATH_MAX];
static uint64_t seeds = 1; /* how many to grade with */

struct graded {
    int code;
    char *report;
    json_t *json;
};

/* Grades in a child, with its output in a file. jobs 0: three. */
static struct graded grade_with(const char *submission, const char *pattern, const char *compile_log,
                                int jobs) {
    char report[PATH_MAX], output[PATH_MAX];
    snprintf(report, sizeof report, "%s/report", folder);
    snprintf(output, sizeof output, "%s/check.json", folder);
    const pid_t pid = fork();
    if (pid == 0) {
        struct session session = {.suite = &suite,
                                  .implementation = "exercise",
                                  .submission = submission,
                                  .source = "exercises/split_softmax",
                                  .runner = self,
                                  .pattern = pattern,
                                  .output = output,
                                  .seed = 5,
                                  .seeds = seeds,
                                  .patience = 0.1,
                                  .jobs = jobs ? jobs : 3};
        session.ready.runtime = RUNTIME_SIMULATOR;
        if (freopen(report, "w", stdout) == NULL)
            _exit(99);
        const int code = grade_submission(&session, compile_log);
        fflush(stdout);
        _exit(code);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    struct graded graded = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, get_memory(1 << 20),
                            json_load_file(output, 0, NULL)};
    FILE *file = fopen(report, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert(fread(graded.report, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    ck_assert_ptr_nonnull(graded.json);
    return graded;
}

static void drop(struct graded *graded) {
    free(graded->report);
    json_decref(graded->json);
}

static const char *field(const struct graded *graded, const char *id, const char *name) {
    size_t i;
    json_t *check;
    json_array_foreach(json_object_get(graded->json, "checks"), i,
                       check) if (strcmp(json_string_value(json_object_get(check, "id")), id) ==
                                  0) return json_string_value(json_object_get(check, name));
    ck_abort_msg("no check %s in check.json", id);
    return NULL;
}

#define ck_assert_has(text, part) ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in: %s", part, text)
#define ck_assert_lacks(text, part) ck_assert_msg(strstr(text, part) == NULL, "\"%s\" in: %s", part, text)

START_TEST(every_misdeed_costs_one_check_and_is_named)
{
    struct graded graded = grade_with("good.so", NULL, NULL, 0);
    const struct {
        const char *id, *status, *message;
    } expected[] = {
        {"good.plain", "pass", ""},
        {"good.warning", "pass", ""},
        {"good.much", "pass", ""},
        {"good.wide_load", "pass", ""},
        {"bad.wide_load", "fail",
         "y is NaN.\nWhat it usually means: A wide load took elements along that nothing has written"},
        {"bad.wide_load", "fail", "Reads 16 bytes of x, some of which nothing has written"},
        {"bad.todo", "todo", "not written yet"},
        {"bad.crash", "crash", "SIGSEGV"},
        {"bad.hang", "timeout", "stopped"},
        {"bad.exit", "crash", "exit code 0"},
        {"bad.garbage", "crash", "made no sense"},
        {"bad.unknown", "crash", "made no sense"},
        {"bad.short", "crash", "made no sense"},
        {"bad.no_return", "crash", "made no sense"},
        {"bad.foreign", "crash", "made no sense"},
        {"bad.finding", "fail", "Two threads race for the sum."},
        {"bad.finding", "fail", "kernel sum_rows, block (7,0,0), thread (31,0,0)"},
        {"bad.finding", "fail", "row 1, column 1 (of 4)"},
        {"bad.finding", "fail", "__syncthreads()"},
        {"bad.finding", "fail", "docs/findings.md, \"Race in a block\""},
        {"bad.closed", "crash", "did not come to its end"},
        {"bad.child", "crash", "SIGKILL"},
        {"bad.forged", "crash", "An answer was forged"},
        {"bad.outlive", "crash", "SIGKILL"},
        {"other.seventh", "pass", ""},
        {"bad.wrong", "fail",
         "y is 5.\nWhere: row 3\nWhat it usually means: A sign is wrong.\nRead: docs/a.md, \"A\""},
        {"bad.dies", "fail", "The checker itself failed"},
        {"other.skipped", "skip", "A GPU is needed."},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert_msg(strcmp(field(&graded, expected[i].id, "status"), expected[i].status) == 0, "%s: %s",
                      expected[i].id, field(&graded, expected[i].id, "status"));
        ck_assert_has(field(&graded, expected[i].id, "message"), expected[i].message);
    }
    ck_assert_int_eq(graded.code, GRADE_FAILED);
    ck_assert_int_eq(json_integer_value(json_object_get(graded.json, "score")), 20);
    ck_assert_int_eq(json_integer_value(json_object_get(graded.json, "max_score")), 34);
    ck_assert_int_eq(json_integer_value(json_object_get(graded.json, "seed")), 5);
    ck_assert_str_eq(json_string_value(json_object_get(graded.json, "status")), "failed");
    ck_assert_str_eq(json_string_value(json_object_get(graded.json, "runtime")), "simulator");
    ck_assert_str_eq(json_string_value(json_object_get(graded.json, "device")), "a fake");
    ck_assert_uint_eq(json_array_size(json_object_get(graded.json, "checks")), suite.check_count);
    drop(&graded);
}
END_TEST

START_TEST(report_reads_well)
{
    struct graded graded = grade_with("good.so", NULL, NULL, 0);
    ck_assert(strncmp(graded.report,
                      "split_softmax: your files in exercises/split_softmax, on the simulator, seed 5\n",
                      79) == 0);
    ck_assert_has(graded.report, " 20/20  stage 1: good\n");
    ck_assert_has(graded.report, "  0/14  stage 2: bad\n");
    ck_assert_has(graded.report, "  The same in bad.finding_again.\n");
    ck_assert_has(graded.report, "Next: ");
    ck_assert_has(graded.report, "Score: 20 of 34 points (5 of 23 checks passed); 1 could not be made here");
    ck_assert_has(graded.report, "note  good.warning: good with a warning\n");
    ck_assert_lacks(graded.report, "note  good.wide_load"); /* kept back */
    ck_assert_lacks(graded.report, "all tests passed");
    ck_assert_lacks(graded.report, "\033");
    const char *last = strstr(graded.report, "Not checked here: speed.\n");
    ck_assert_ptr_nonnull(last);
    ck_assert_str_eq(last, "Not checked here: speed.\n");
    for (const char *line = graded.report; *line;) {
        const size_t length = strcspn(line, "\n");
        ck_assert_msg(length <= 100, "a line of %zu columns: %.*s", length, (int)length, line);
        line += length + (line[length] == '\n');
    }
    drop(&graded);
}
END_TEST

START_TEST(the_seed_of_a_failure_is_named)
{
    seeds = 4;
    struct graded graded = grade_with("good.so", "other.seventh", NULL, 1);
    ck_assert_int_eq(graded.code, GRADE_FAILED);
    ck_assert_has(graded.report, "on the simulator, seeds 5 to 8\n");
    ck_assert_has(field(&graded, "other.seventh", "message"),
                  "Seven brings no luck.\nWhere: with seed 7 (SEED=7 CASE=other.seventh meets it again)");
    ck_assert_int_eq(json_integer_value(json_object_get(graded.json, "seed")), 5);
    drop(&graded);
    seeds = 2; /* 5 and 6 */
    graded = grade_with("good.so", "other.seventh", NULL, 1);
    ck_assert_str_eq(field(&graded, "other.seventh", "status"), "pass");
    ck_assert_has(graded.report, "Five is near.");
    drop(&graded);
}
END_TEST

START_TEST(exit_codes)
{
    const struct {
        const char *pattern;
        int code;
        const char *status;
    } expected[] = {{"good.*", GRADE_PASSED, "passed"},
                    {"bad.todo", GRADE_INCOMPLETE, "incomplete"},
                    {"bad.wrong", GRADE_FAILED, "failed"},
                    {"bad.hang", GRADE_FAILED, "failed"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct graded graded = grade_with("good.so", expected[i].pattern, NULL, 0);
        ck_assert_int_eq(graded.code, expected[i].code);
        ck_assert_str_eq(json_string_value(json_object_get(graded.json, "status")), expected[i].status);
        ck_assert_str_eq(field(&graded, "other.skipped", "status"), "skip");
        ck_assert_has(graded.report, " left out by CASE\n");
        drop(&graded);
    }
}
END_TEST

START_TEST(jobs_do_not_change_the_answer)
{
    struct graded one = grade_with("good.so", "*.[gtw]*", NULL, 1),
                  many = grade_with("good.so", "*.[gtw]*", NULL, 8);
    for (size_t i = 0; i < suite.check_count; i++)
        ck_assert_str_eq(field(&one, checks[i].id, "status"), field(&many, checks[i].id, "status"));
    drop(&one);
    drop(&many);
}
END_TEST

START_TEST(a_submission_that_cannot_be_loaded)
{
    const struct {
        const char *submission, *status, *message;
        int code;
    } expected[] = {
        {"refused.so", "fail", "could not be loaded: undefined symbol: nowhere", GRADE_FAILED},
        {"exits.so", "crash", "ended while it was being loaded: it ended itself with exit code 0",
         GRADE_FAILED},
        {"hangs.so", "timeout", "still being loaded", GRADE_FAILED},
        {"no_device.so", "skip", "no CUDA device", GRADE_UNAVAILABLE},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct graded graded = grade_with(expected[i].submission, NULL, NULL, 0);
        ck_assert_int_eq(graded.code, expected[i].code);
        ck_assert_str_eq(field(&graded, "good.plain", "status"), expected[i].status);
        ck_assert_has(field(&graded, "good.plain", "message"), expected[i].message);
        ck_assert_int_eq(json_integer_value(json_object_get(graded.json, "score")), 0);
        drop(&graded);
    }
}
END_TEST

START_TEST(a_submission_that_does_not_compile)
{
    char log[PATH_MAX];
    snprintf(log, sizeof log, "%s/compile.log", folder);
    FILE *file = fopen(log, "w");
    fputs("split_softmax.cu:3:1: error: expected ';'\n", file);
    fclose(file);
    struct graded graded = grade_with("/nowhere/submission.so", NULL, log, 0);
    ck_assert_int_eq(graded.code, GRADE_FAILED);
    ck_assert_str_eq(field(&graded, "good.plain", "status"), "fail");
    ck_assert_has(graded.report, "Your files do not compile.");
    ck_assert_has(graded.report, "split_softmax.cu:3:1: error: expected ';'");
    drop(&graded);
}
END_TEST

/* Killed from outside at any moment, the checker leaves a whole check.json, and no process of its own. */
START_TEST(a_kill_loses_nothing)
{
    char output[PATH_MAX];
    snprintf(output, sizeof output, "%s/killed.json", folder);
    const pid_t pid = fork();
    if (pid == 0) {
        struct session session = {.suite = &suite,
                                  .implementation = "exercise",
                                  .submission = "good.so",
                                  .source = "x",
                                  .runner = self,
                                  .output = output,
                                  .seed = 1,
                                  .patience = 100,
                                  .jobs = 2};
        if (freopen("/dev/null", "w", stdout) == NULL)
            _exit(99);
        _exit(grade_submission(&session, NULL)); /* bad.hang keeps it */
    }
    json_t *json = NULL;
    for (int i = 0; i < 400; i++) { /* every look at the file finds it whole */
        json_decref(json);
        usleep(10000);
        json = json_load_file(output, 0, NULL);
        if (json == NULL) {
            ck_assert_msg(access(output, F_OK) != 0, "check.json is not whole");
            continue;
        }
        if (json_integer_value(json_object_get(json, "score")) == 20)
            break;
    }
    ck_assert_int_eq(json_integer_value(json_object_get(json, "score")), 20);
    size_t i, waiting = 0;
    json_t *check;
    json_array_foreach(json_object_get(json, "checks"), i, check) waiting +=
        strcmp(json_string_value(json_object_get(check, "message")), "not run yet") == 0;
    ck_assert_uint_ge(waiting, 1);
    json_decref(json);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    /* Workers and runners end with it: none of them is this program under the name "runner" any more. */
    int left = 1;
    for (int i = 0; i < 200 && left; i++) {
        usleep(10000);
        left = 0;
        DIR *processes = opendir("/proc");
        for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
            char path[PATH_MAX], exe[PATH_MAX] = "";
            snprintf(path, sizeof path, "/proc/%.20s/exe", entry->d_name);
            if (atoi(entry->d_name) > 0 && atoi(entry->d_name) != (int)getpid() &&
                atoi(entry->d_name) != (int)getppid() && readlink(path, exe, sizeof exe - 1) > 0 &&
                strcmp(exe, self) == 0)
                left++;
        }
        closedir(processes);
    }
    ck_assert_msg(left == 0, "%d processes outlive the checker", left);
}
END_TEST

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[0], "runner") == 0)
        return fake_runner(arguments[1]);
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 || mkdtemp(folder) == NULL)
        return 1;
    unsetenv("NO_COLOR");
    Suite *test_suite = suite_create("checker");
    TCase *test_case = tcase_create("checker");
    tcase_set_timeout(test_case, 120);
    tcase_add_test(test_case, every_misdeed_costs_one_check_and_is_named);
    tcase_add_test(test_case, report_reads_well);
    tcase_add_test(test_case, the_seed_of_a_failure_is_named);
    tcase_add_test(test_case, exit_codes);
    tcase_add_test(test_case, jobs_do_not_change_the_answer);
    tcase_add_test(test_case, a_submission_that_cannot_be_loaded);
    tcase_add_test(test_case, a_submission_that_does_not_compile);
    tcase_add_test(test_case, a_kill_loses_nothing);
    suite_add_tcase(test_suite, test_case);
    SRunner *runner = srunner_create(test_suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    char *command = format_text("rm -rf '%s'", folder);
    if (system(command) != 0)
        fputs("the test's folder could not be removed\n", stderr);
    free(command);
    return failed != 0;
}
