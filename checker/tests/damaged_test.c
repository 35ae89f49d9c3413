/* What comes from files and pipes and is not what was written there: refused, or made harmless. The harnesses
 * of checker/tests/fuzz/ try any bytes; these are the cases that were once wrong, or nearly so. */
#include "base/memory.h"
#include "grading/worker_message.h"
#include "report/results.h"
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What make list prints where every exercise has this check.json; to be freed. */
static char *listed(const char *check_json) {
    char folder[] = "/tmp/damaged_test.XXXXXX", *printed = NULL;
    size_t bytes;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (size_t i = 0; all_suites[i]; i++) {
        char *of_exercise = format_text("%s/%s", folder, all_suites[i]->exercise);
        char *path = format_text("%s/check.json", of_exercise);
        ck_assert_int_eq(mkdir(of_exercise, 0700), 0);
        FILE *file = fopen(path, "w");
        fputs(check_json, file);
        fclose(file);
        free(path);
        free(of_exercise);
    }
    FILE *output = open_memstream(&printed, &bytes);
    results_list(output, folder);
    fclose(output);
    char *command = format_text("rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
    free(command);
    return printed;
}

START_TEST(a_result_does_not_steer_the_terminal)
{
    char *printed = listed("{\"status\": \"\\u001b[2Jpassed\", \"implementation\": \"solution/\\u001b[1m\", "
                           "\"score\": 7, \"max_score\": 100}");
    ck_assert_ptr_null(strchr(printed, '\033'));
    ck_assert_ptr_nonnull(
        strstr(printed, "7 of 100 points, ?[2Jpassed, not your files but: solution/?[1m\n"));
    free(printed);
}
END_TEST

START_TEST(a_damaged_result_is_named)
{
    static const char *const damaged[] = {"", "{\"status\":", "[]",
                                          "{\"status\": \"passed\", \"score\": 100}"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        char *printed = listed(damaged[i]);
        ck_assert_ptr_nonnull(strstr(printed, "is damaged"));
        free(printed);
    }
}
END_TEST

START_TEST(messages_of_a_worker)
{
    struct verdict sent = verdict_new(STATUS_FAIL, true, "A sum is wrong."), received;
    size_t check = 99;
    char *begin = message_of_begin(4), *end = message_of_end(4, &sent);
    ck_assert_int_eq(message_read(begin, 5, &check, &received), MESSAGE_BEGIN);
    ck_assert_uint_eq(check, 4);
    ck_assert_int_eq(message_read(end, 5, &check, &received), MESSAGE_END);
    ck_assert_int_eq(received.status, STATUS_FAIL);
    ck_assert_str_eq(received.found, "A sum is wrong.");
    verdict_free(&received);
    ck_assert_int_eq(message_read(begin, 4, &check, &received), MESSAGE_NONE); /* there is no check 4 */
    ck_assert_int_eq(message_read(end, 4, &check, &received), MESSAGE_NONE);
    ck_assert_int_eq(message_read("{\"begin\": -1}", 5, &check, &received), MESSAGE_NONE);
    ck_assert_int_eq(message_read("{\"end\": 4, \"verdict\": {}}", 5, &check, &received), MESSAGE_NONE);
    ck_assert_int_eq(message_read("{\"begin\": 1", 5, &check, &received), MESSAGE_NONE);
    free(begin);
    free(end);
    verdict_free(&sent);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("damaged input");
    TCase *tests = tcase_create("damaged input");
    tcase_add_test(tests, a_result_does_not_steer_the_terminal);
    tcase_add_test(tests, a_damaged_result_is_named);
    tcase_add_test(tests, messages_of_a_worker);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
