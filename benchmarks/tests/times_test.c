/* What belongs to times and needs no GPU: the hold before a sample, the table, two runs beside each other. */
#include "base/memory.h"
#include "document.h"
#include "filler.h"
#include "time_table.h"
#include "two_runs.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

/* ---- the hold before a sample ---- */

START_TEST(calls_that_fit_the_queue)
{
    ck_assert_int_eq(filler_calls(20, 1), 20);
    ck_assert_int_eq(filler_calls(20, 25), 20);
    ck_assert_int_eq(filler_calls(20, 26), 19);
    ck_assert_int_eq(filler_calls(20, 300), 1);
    ck_assert_int_eq(filler_calls(20, 5000), 1);
    ck_assert_int_eq(filler_calls(2, 0), 2); /* another process's: not known */
}
END_TEST

START_TEST(a_hold_is_doubled_up_to_a_bound)
{
    ck_assert_int_eq(filler_after(200, 900), 400);
    ck_assert_int_eq(filler_after(FILLER_MOST_US / 2, 900), FILLER_MOST_US);
    ck_assert_int_eq(filler_after(FILLER_MOST_US / 2 + 1, 900), 0);
    ck_assert_int_eq(filler_after(200, FILLER_MOST_US), 0); /* no hold is long enough for that */
    int held = 0, holds = 0;
    for (int hold = FILLER_FIRST_US; hold > 0; hold = filler_after(hold, hold)) { /* a call that waits */
        held += hold;
        holds++;
    }
    ck_assert_int_eq(holds, 11);
    ck_assert_int_lt(held, 2 * FILLER_MOST_US);
}
END_TEST

/* ---- the table ---- */

/* The line of a variant in the table, without its spaces at the ends. From malloc. */
static char *table_line(const json_t *document, const char *name) {
    char *text = NULL, *found = NULL, *rest = NULL;
    size_t size;
    FILE *table = open_memstream(&text, &size);
    time_table_print(table, document);
    fclose(table);
    for (char *line = strtok_r(text, "\n", &rest); line && found == NULL; line = strtok_r(NULL, "\n", &rest))
        if (strncmp(line + strspn(line, " "), name, strlen(name)) == 0)
            found = copy_text(line + strspn(line, " "));
    free(text);
    return found;
}

START_TEST(table_of_times)
{
    json_t *document = json_pack(
        "{s:s,s:[{s:i,s:i,s:i,s:s,s:[{s:s,s:[{s:s,s:s,s:f,s:f,s:f},{s:s,s:s,s:f},{s:s,s:s,s:f}],s:{s:f}},"
        "{s:s,s:[{s:s,s:s,s:f,s:f,s:f}],s:[{s:s,s:s,s:s}]},{s:s,s:s,s:s,s:[]}]}]}",
        "parameter", "chunk", "cases", "rows", 4, "cols", 8, "pitch", 8, "type", "FP32", "variants", "name",
        "C=256", "times", "mode", "graph", "cache", "warm", "median", 1.5, "min", 1.25, "max", 1.75, "mode",
        "graph", "cache", "cold", "median", 2.5, "mode", "stream", "cache", "warm", "median", 3.5, "host_us",
        "median", 4.5, "name", "C=1024", "times", "mode", "graph", "cache", "warm", "median", 5.5, "min", 5.0,
        "max", 6.0, "left_out", "mode", "stream", "cache", "warm", "reason", "too many launches", "name",
        "C=4096", "status", "refused", "reason", "it waits", "times");
    ck_assert_ptr_nonnull(document);
    double warm, min, max, cold, stream, host;
    char *line = table_line(document, "C=256"), dash[3][8];
    ck_assert_int_eq(sscanf(line, "C=256 %lf %lf..%lf %lf %lf %lf", &warm, &min, &max, &cold, &stream, &host),
                     6);
    ck_assert_double_eq(warm, 1.5);
    ck_assert_double_eq(min, 1.25);
    ck_assert_double_eq(max, 1.75);
    ck_assert_double_eq(cold, 2.5);
    ck_assert_double_eq(stream, 3.5);
    ck_assert_double_eq(host, 4.5);
    free(line);
    line = table_line(document, "C=1024");
    ck_assert_int_eq(
        sscanf(line, "C=1024 %lf %lf..%lf %7s %7s %7s", &warm, &min, &max, dash[0], dash[1], dash[2]), 6);
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(dash[i], "-");
    free(line);
    line = table_line(document, "no stream");
    ck_assert_str_eq(line, "no stream warm: too many launches");
    free(line);
    line = table_line(document, "C=4096");
    ck_assert_ptr_nonnull(strstr(line, "refused: it waits"));
    free(line);
    json_decref(document);
}
END_TEST

/* ---- two runs ---- */

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
    Suite *suite = suite_create("times");
    TCase *test_case = tcase_create("times");
    suite_add_tcase(suite, test_case);
    tcase_add_test(test_case, calls_that_fit_the_queue);
    tcase_add_test(test_case, a_hold_is_doubled_up_to_a_bound);
    tcase_add_test(test_case, table_of_times);
    tcase_add_test(test_case, medians_within_five_percent);
    tcase_add_test(test_case, times_of_one_record_only);
    tcase_add_test(test_case, what_is_not_compared);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
