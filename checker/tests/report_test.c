/* Parts of the report and of check.json by themselves: lines, grades, messages, the list of scores; and what
 * must hold for every suite: points that add up, ids that name their stage. */
#include "base/memory.h"
#include "report/report.h"
#include <check.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char *wrapped(const char *text, int indent) {
    char *bytes = NULL;
    size_t size;
    FILE *file = open_memstream(&bytes, &size);
    print_wrapped(file, text, indent);
    fclose(file);
    return bytes;
}

START_TEST(lines_are_broken_between_words)
{
    char *text = wrapped("one two\n  code stays\nthree", 2);
    ck_assert_str_eq(text, "  one two\n    code stays\n  three\n");
    free(text);

    char words[201];
    for (int i = 0; i < 200; i++)
        words[i] = i % 10 == 9 ? ' ' : 'a';
    words[200] = '\0';
    text = wrapped(words, 4);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        ck_assert_int_le((int)strcspn(line, "\n"), 94);
        ck_assert(strncmp(line, "    a", 5) == 0);
    }
    free(text);

    char word[151];
    memset(word, 'w', 150);
    word[150] = '\0';
    text = wrapped(word, 0);
    ck_assert_uint_eq(strcspn(text, "\n"), 150);
    free(text);
}
END_TEST

START_TEST(text_becomes_plain)
{
    char text[] = "a\033[31mb\xc3\xa9\tc\nd\x7f";
    make_plain(text);
    ck_assert_str_eq(text, "a?[31mb??\tc\nd?");
}
END_TEST

static const struct check checks[] = {{"a.one", "", 3, NULL, "", "", 0, 0},
                                      {"b.two", "", 4, NULL, "", "", 0, 0}};
static const struct stage stages[] = {{"a", ""}, {"b", ""}};
static const struct suite suite = {"x", stages, 2, checks, 2, NULL, "", ""};

static enum grade grade_from(enum status first, enum status second, bool second_wanted,
                             bool second_finished) {
    const bool wanted[2] = {true, second_wanted};
    struct verdict verdicts[2] = {{.status = first, .finished = true},
                                  {.status = second, .finished = second_finished}};
    return grade_of(&suite, verdicts, wanted);
}

START_TEST(a_failure_outweighs_what_is_unfinished)
{
    ck_assert_int_eq(grade_from(STATUS_PASS, STATUS_PASS, true, true), GRADE_PASSED);
    ck_assert_int_eq(grade_from(STATUS_PASS, STATUS_TODO, true, true), GRADE_INCOMPLETE);
    ck_assert_int_eq(grade_from(STATUS_TODO, STATUS_FAIL, true, true), GRADE_FAILED);
    ck_assert_int_eq(grade_from(STATUS_TODO, STATUS_CRASH, true, true), GRADE_FAILED);
    ck_assert_int_eq(grade_from(STATUS_TIMEOUT, STATUS_PASS, true, true), GRADE_FAILED);
    ck_assert_int_eq(grade_from(STATUS_PASS, STATUS_SKIP, true, false), GRADE_INCOMPLETE); /* not run yet */
    ck_assert_int_eq(grade_from(STATUS_PASS, STATUS_SKIP, false, false), GRADE_PASSED);    /* left out */
    ck_assert_int_eq(grade_from(STATUS_PASS, STATUS_SKIP, true, true),
                     GRADE_PASSED); /* cannot be made here */
}
END_TEST

START_TEST(points_are_all_or_nothing)
{
    const struct verdict verdicts[2] = {{.status = STATUS_PASS}, {.status = STATUS_FAIL}};
    ck_assert_int_eq(score_of(&suite, verdicts), 3);
    ck_assert_int_eq(max_score_of(&suite), 7);
}
END_TEST

START_TEST(verdicts_survive_json)
{
    struct verdict verdict = verdict_new(STATUS_CRASH, true, "found \"it\"\nhere"), copy;
    verdict.seconds = 1.5;
    json_t *json = verdict_to_json(&verdict);
    ck_assert(verdict_from_json(json, &copy));
    ck_assert_int_eq(copy.status, STATUS_CRASH);
    ck_assert_str_eq(copy.found, verdict.found);
    ck_assert(copy.seconds == 1.5);
    json_object_del(json, "means");
    ck_assert(!verdict_from_json(json, &copy));
    verdict_free(&copy);
    verdict_free(&verdict);
    json_decref(json);
}
END_TEST

START_TEST(first_line_says_what_is_graded)
{
    const struct {
        const char *implementation;
        enum runtime runtime;
        const char *line;
    } expected[] = {
        {"exercise", RUNTIME_SIMULATOR, "x: your files in F, on the simulator, seed 7"},
        {"solution", RUNTIME_SIMULATOR, "x: the SOLUTION in F, not your work, on the simulator, seed 7"},
        {"solution/fast", RUNTIME_CUDA, "x: the SOLUTION in F, not your work, on a GPU, seed 7"},
        {"submission", RUNTIME_HOST, "x: the submission in F, on this computer, seed 7"},
    };
    for (size_t i = 0; i < 4; i++) {
        struct session session = {
            .suite = &suite, .implementation = expected[i].implementation, .source = "F", .seed = 7};
        session.ready.runtime = expected[i].runtime;
        strcpy(session.ready.device, "a GPU");
        char *line = report_first_line(&session);
        ck_assert_str_eq(line, expected[i].line);
        free(line);
    }
}
END_TEST

START_TEST(results_that_cannot_be_written_are_one_sentence)
{
    const struct verdict verdicts[2] = {verdict_new(STATUS_PASS, true, ""),
                                        verdict_new(STATUS_PASS, true, "")};
    const struct session session = {
        .suite = &suite, .implementation = "exercise", .output = "/nowhere/check.json"};
    char *trouble = results_write(&session, verdicts, GRADE_PASSED);
    ck_assert_str_eq(trouble,
                     "The results could not be written to /nowhere/check.json: No such file or directory.");
    free(trouble);
}
END_TEST

/* A grade is comparable from year to year: what a stage is worth does not change unnoticed. */
START_TEST(every_suite_adds_up)
{
    static const struct {
        const char *exercise, *stage;
        int points;
    } worth[] = {
        {"row_reduction", "scale", 25},      {"row_reduction", "max", 40},
        {"row_reduction", "sum", 35},        {"online_softmax", "summarize", 30},
        {"online_softmax", "merge", 35},     {"online_softmax", "streaming", 35},
        {"fused_softmax", "row", 30},        {"fused_softmax", "rows", 25},
        {"fused_softmax", "padding", 15},    {"fused_softmax", "validation", 15},
        {"fused_softmax", "operator", 15},   {"split_softmax", "partials", 20},
        {"split_softmax", "merge", 20},      {"split_softmax", "normalize", 20},
        {"split_softmax", "validation", 15}, {"split_softmax", "operator", 25},
    };
    size_t known = 0;
    for (const struct suite *const *each = all_suites; *each; each++) {
        size_t in_a_stage = 0;
        for (size_t s = 0; s < (*each)->stage_count; s++) {
            const struct stage *stage = &(*each)->stages[s];
            int points = 0;
            for (size_t i = 0; i < (*each)->check_count; i++) {
                const size_t length = strlen(stage->name);
                if (strncmp((*each)->checks[i].id, stage->name, length) != 0 ||
                    (*each)->checks[i].id[length] != '.')
                    continue;
                points += (*each)->checks[i].points;
                in_a_stage++;
            }
            for (size_t w = 0; w < sizeof worth / sizeof *worth; w++)
                if (strcmp(worth[w].exercise, (*each)->exercise) == 0 &&
                    strcmp(worth[w].stage, stage->name) == 0) {
                    ck_assert_int_eq(points, worth[w].points);
                    known++;
                }
        }
        ck_assert_msg(in_a_stage == (*each)->check_count, "%s has checks without a stage", (*each)->exercise);
        ck_assert_msg(max_score_of(*each) == 100, "%s has %d points", (*each)->exercise, max_score_of(*each));
    }
    ck_assert_uint_eq(known, sizeof worth / sizeof *worth);
}
END_TEST

int main(void) {
    Suite *report = suite_create("report");
    TCase *test_case = tcase_create("report");
    tcase_add_test(test_case, lines_are_broken_between_words);
    tcase_add_test(test_case, text_becomes_plain);
    tcase_add_test(test_case, a_failure_outweighs_what_is_unfinished);
    tcase_add_test(test_case, points_are_all_or_nothing);
    tcase_add_test(test_case, verdicts_survive_json);
    tcase_add_test(test_case, first_line_says_what_is_graded);
    tcase_add_test(test_case, results_that_cannot_be_written_are_one_sentence);
    tcase_add_test(test_case, every_suite_adds_up);
    suite_add_tcase(report, test_case);
    SRunner *runner = srunner_create(report);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
