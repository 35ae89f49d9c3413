/* Do two runs agree: made-up records beside each other. */
#include "document.h"
#include "two_runs.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* A record of one case with times of one variant: graph warm, graph cold, stream. */
static json_t *run(int method, const char *measures, double warm, double cold, double stream) {
    json_t *times = json_pack("[{s:s,s:s,s:f,s:f,s:f},{s:s,s:s,s:f,s:f,s:f},{s:s,s:s,s:f,s:f,s:f}]", "mode",
                              "graph", "cache", "warm", "median", warm, "lower_quartile", warm,
                              "upper_quartile", 1.25 * warm, "mode", "graph", "cache", "cold", "median", cold,
                              "lower_quartile", cold, "upper_quartile", cold, "mode", "stream", "cache",
                              "warm", "median", stream, "lower_quartile", stream, "upper_quartile", stream);
    return json_pack("{s:s,s:s,s:i,s:[{s:i,s:i,s:i,s:s,s:[{s:s,s:s,s:o,s:{s:f}}]}]}", "exercise",
                     "split_softmax", "measures", measures, "method_version", method, "cases", "rows", 4,
                     "cols", 1024, "pitch", 1024, "type", "FP32", "variants", "name", "C=256", "role",
                     "submission", "times", times, "host_us", "median", 100 * warm);
}

START_TEST(medians_within_five_percent)
{
    json_t *a = run(2, "times", 100, 20, 9), *b = run(2, "times", 105, 18, 9.9);
    struct two_runs runs = two_runs_compare(a, b);
    ck_assert_int_eq(runs.compared, 2); /* 9 and 9.9 us are below 10, and the host's part is not looked at */
    ck_assert_int_eq(runs.within, 1);
    ck_assert_int_eq(runs.unmatched, 0);
    ck_assert_int_eq(runs.modes[0].within, 1);
    ck_assert_double_eq_tol(runs.modes[0].worst, 0.05, 1e-9);
    ck_assert_double_eq_tol(runs.modes[0].widest, 0.25, 1e-9);
    ck_assert_int_eq(runs.modes[1].within, 0);
    ck_assert_double_eq_tol(runs.modes[1].worst, 20.0 / 18 - 1, 1e-9);
    ck_assert_str_eq(runs.modes[1].worst_case, "4 x 1024 FP32, C=256: 20 and 18 us");
    ck_assert_int_eq(runs.modes[2].compared, 0);
    runs = two_runs_compare(b, a); /* whichever was first */
    ck_assert_double_eq_tol(runs.modes[1].worst, 20.0 / 18 - 1, 1e-9);
    json_decref(b);
    b = run(2, "times", 100, 20, 10.5); /* 9 and 10.5: one of them is over 10 */
    runs = two_runs_compare(a, b);
    ck_assert_int_eq(runs.modes[2].compared, 1);
    ck_assert_int_eq(runs.modes[2].within, 0);
    json_decref(a);
    json_decref(b);
}
END_TEST

START_TEST(times_of_one_record_only)
{
    json_t *a = run(2, "times", 100, 20, 30), *b = run(2, "times", 100, 20, 30);
    json_t *of_case = json_array_get(json_object_get(b, "cases"), 0);
    json_object_set_new(of_case, "type", json_string("FP16"));
    struct two_runs runs = two_runs_compare(a, b);
    ck_assert_int_eq(runs.compared, 0);
    ck_assert_int_eq(runs.unmatched, 6);
    json_object_set_new(of_case, "type", json_string("FP32"));
    json_array_remove(json_object_get(json_array_get(json_object_get(of_case, "variants"), 0), "times"), 2);
    runs = two_runs_compare(a, b);
    ck_assert_int_eq(runs.compared, 2);
    ck_assert_int_eq(runs.within, 2);
    ck_assert_int_eq(runs.unmatched, 1);
    json_decref(a);
    json_decref(b);
}
END_TEST

static void expect_not_compared(json_t *b, const char *words) {
    json_t *a = run(2, "times", 100, 20, 30);
    char *refusal = two_runs_refuse(a, b);
    ck_assert_ptr_nonnull(refusal);
    ck_assert_msg(strstr(refusal, words) != NULL, "says '%s', not '%s'", refusal, words);
    free(refusal);
    json_decref(a);
    json_decref(b);
}

START_TEST(what_is_not_compared)
{
    json_t *a = run(2, "times", 100, 20, 30), *other = run(2, "times", 100, 20, 30);
    ck_assert_ptr_null(two_runs_refuse(a, other));
    json_decref(a);
    json_object_set_new(other, "exercise", json_string("fused_softmax"));
    expect_not_compared(other, "split_softmax and fused_softmax");
    expect_not_compared(run(1, "times", 100, 20, 30), "different methods, 2 and 1");
    expect_not_compared(run(2, "counts", 100, 20, 30), "one of these holds counts");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("two_runs");
    TCase *test_case = tcase_create("two_runs");
    suite_add_tcase(suite, test_case);
    tcase_add_test(test_case, medians_within_five_percent);
    tcase_add_test(test_case, times_of_one_record_only);
    tcase_add_test(test_case, what_is_not_compared);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
