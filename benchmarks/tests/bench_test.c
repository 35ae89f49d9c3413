/* The benchmark's parts that need no GPU: statistics, refusal of impossible times, shapes, numbers, records. */
#include "base/memory.h"
#include "document.h"
#include "floor.h"
#include "panel_script.h"
#include "statistics.h"
#include "workload.h"
#include <check.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- statistics ---- */

START_TEST(quartiles_are_interpolated)
{
    const double samples[] = {4, 1, 3, 2};
    const struct summary summary = summarize(samples, 4);
    ck_assert_double_eq(summary.min, 1);
    ck_assert_double_eq(summary.lower, 1.75);
    ck_assert_double_eq(summary.median, 2.5);
    ck_assert_double_eq(summary.upper, 3.25);
    ck_assert_double_eq(summary.max, 4);
    const double one = 7;
    ck_assert_double_eq(summarize(&one, 1).upper, 7);
}
END_TEST

/* 15 samples: of the sorted ratios the 4th and the 12th enclose the median, with 1 - 2 * 576/32768 = 0.9648. */
START_TEST(interval_is_by_ranks)
{
    double a[15], b[15];
    for (int i = 0; i < 15; i++) {
        a[i] = 100 + (i * 7) % 15; /* each of 100 to 114 once */
        b[i] = 100;
    }
    const struct ratio ratio = compare_samples(a, b, 15);
    ck_assert_double_eq_tol(ratio.low, 1.03, 1e-12);
    ck_assert_double_eq_tol(ratio.median, 1.07, 1e-12);
    ck_assert_double_eq_tol(ratio.high, 1.11, 1e-12);
    ck_assert_double_eq_tol(ratio.confidence, 1 - 2 * 576.0 / 32768, 1e-9);
    ck_assert_int_eq(ratio.verdict, COMPARED_SLOWER);
    ck_assert_int_eq(compare_samples(b, a, 15).verdict, COMPARED_FASTER);
}
END_TEST

static enum comparison verdict_for(double centre, double spread) {
    double a[21], b[21];
    for (int i = 0; i < 21; i++) {
        a[i] = centre + spread * (i - 10) / 10;
        b[i] = 1;
    }
    return compare_samples(a, b, 21).verdict;
}

START_TEST(verdicts)
{
    ck_assert_int_eq(verdict_for(0.9, 0.01), COMPARED_FASTER);
    ck_assert_int_eq(verdict_for(1.1, 0.01), COMPARED_SLOWER);
    ck_assert_int_eq(verdict_for(1.005, 0.005), COMPARED_SAME);
    ck_assert_int_eq(verdict_for(1.01, 0.3), COMPARED_UNKNOWN);
    const double few[] = {1, 1, 1};
    ck_assert_int_eq(compare_samples(few, few, 3).verdict, COMPARED_UNKNOWN);
    ck_assert_str_eq(comparison_words(COMPARED_UNKNOWN), "cannot tell");
}
END_TEST

/* ---- what memory can do ---- */

static const struct memory_limits limits = {
    .dram_bytes_per_second = 4e12, .l2_bytes_per_second = 16e12, .l2_bytes = 50000000};

START_TEST(a_set_in_l2_is_held_to_l2)
{
    const struct traffic_contract small = {
        .read_bytes = 8000000, .write_bytes = 8000000, .set_bytes = 32000000};
    ck_assert(set_fits_l2(&small, &limits));
    ck_assert_double_eq_tol(floor_microseconds(&small, &limits), 1.0, 1e-9);
    ck_assert_ptr_null(floor_refuse(1.01, &small, &limits));
    char *words = floor_refuse(0.99, &small, &limits);
    ck_assert_ptr_nonnull(words);
    ck_assert_ptr_nonnull(strstr(words, "L2"));
    free(words);
}
END_TEST

/* Half of the set can be in L2 at best: of 100 MB a call, 50 MB come from DRAM in 12.5 us. */
START_TEST(a_larger_set_is_held_to_dram_in_part)
{
    const struct traffic_contract large = {
        .read_bytes = 50000000, .write_bytes = 50000000, .set_bytes = 100000000};
    ck_assert(!set_fits_l2(&large, &limits));
    ck_assert_double_eq_tol(floor_microseconds(&large, &limits), 12.5, 1e-9);
    char *words = floor_refuse(12, &large, &limits);
    ck_assert_ptr_nonnull(words);
    ck_assert_ptr_nonnull(strstr(words, "DRAM"));
    ck_assert_ptr_nonnull(strstr(words, "12.5"));
    free(words);
    ck_assert_ptr_null(floor_refuse(12.6, &large, &limits));
}
END_TEST

/* Cold: x comes from DRAM, 2 us; y may be in L2 still. */
START_TEST(a_cold_call_reads_from_dram)
{
    const struct traffic_contract cold = {
        .read_bytes = 8000000, .write_bytes = 8000000, .set_bytes = 32000000, .cold = true};
    ck_assert(!set_fits_l2(&cold, &limits));
    ck_assert_double_eq_tol(floor_microseconds(&cold, &limits), 2.0, 1e-9);
}
END_TEST

/* ---- shapes ---- */

START_TEST(shapes)
{
    const struct bench_exercise *split = bench_exercise_find("split_softmax"),
                                *fused = bench_exercise_find("fused_softmax");
    struct shape shape[MOST_SHAPES];
    char *trouble = NULL;
    ck_assert_ptr_null(bench_exercise_find("online_softmax"));
    ck_assert_uint_eq(shapes_read(split, NULL, shape, &trouble), 2);
    ck_assert_uint_eq(shapes_read(split, "all", shape, &trouble), 5);
    ck_assert_uint_eq(shapes_read(split, "3x1025,1x131072", shape, &trouble), 2);
    ck_assert_int_eq(shape[0].rows, 3);
    ck_assert_int_eq(shape[0].cols, 1025);
    ck_assert_int_eq(shape_chunks(split, &shape[0], 1024), 2);
    ck_assert_uint_eq(shapes_read(fused, "1823x781", shape, &trouble), 1);
    ck_assert_int_eq(shape[0].pitch, 784);
    ck_assert_ptr_null(trouble);
    static const char *const wrong[] = {"3x",  "x3",           "3",       "3x131073",
                                        "0x5", "20000x131072", "3x5;4x6", "3x5x7"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(shapes_read(split, wrong[i], shape, &trouble) == 0 && trouble, "%s is taken", wrong[i]);
        free(trouble);
        trouble = NULL;
    }
}
END_TEST

/* ---- numbers ---- */

/* The right output of a matrix, rounded to its type. */
static void *right_output(const struct workload *workload, int64_t shift) {
    const struct shape *shape = &workload->shape;
    void *y = get_memory(workload->bytes);
    for (int64_t row = 0; row < shape->rows; row++)
        for (int64_t col = 0; col < shape->cols; col++) {
            const int64_t turn = (shift + ROW_TURN * (row / workload->base_rows)) % shape->cols;
            element_put(
                y, (size_t)(row * shape->pitch + col), workload->type,
                workload->expected[row % workload->base_rows * shape->cols + (col + turn) % shape->cols]);
        }
    return y;
}

START_TEST(right_and_wrong_outputs)
{
    const struct shape shape = {70, 301, 304};
    for (size_t t = 0; t < 3; t++) {
        struct workload workload = workload_new(&shape, supported_types[t], 5);
        void *y = right_output(&workload, 40);
        ck_assert_int_eq(workload.base_rows, 64);
        ck_assert(workload_check(&workload, y, 40, INT64_MAX, 1).right);
        ck_assert(
            workload_check_row(&workload, (char *)y + 69 * 304 * element_bytes(supported_types[t]), 40, 69)
                .right);
        ck_assert(!workload_check(&workload, y, 41, INT64_MAX, 1).right); /* the result of another call */
        memset(y, 0, workload.bytes); /* in a wide row most probabilities are below the absolute tolerance */
        struct agreement zeros = workload_check(&workload, y, 40, INT64_MAX, 1);
        ck_assert(!zeros.right);
        char *words = agreement_words(&zeros);
        ck_assert_ptr_nonnull(strstr(words, "row 0"));
        free(words);
        memset(y, 0xff, workload.bytes); /* nothing was written */
        ck_assert(!workload_check(&workload, y, 40, INT64_MAX, 1).right);
        free(y);
        workload_free(&workload);
    }
}
END_TEST

/* Even where every element is within the absolute tolerance, the row has to add up to 1. */
START_TEST(a_row_that_does_not_add_up)
{
    const struct shape shape = {1, 131072, 131072};
    struct workload workload = workload_new(&shape, TYPE_FP16, 5);
    void *y = right_output(&workload, 0);
    for (int64_t col = 0; col < shape.cols; col++)
        if (element_get(y, (size_t)col, TYPE_FP16) < 1.9e-5)
            element_put(y, (size_t)col, TYPE_FP16, 0);
    const struct agreement agreement = workload_check(&workload, y, 0, INT64_MAX, 1);
    ck_assert(!agreement.right);
    ck_assert_int_eq(agreement.col, -1);
    free(y);
    workload_free(&workload);
}
END_TEST

START_TEST(matrix_is_base_rows_turned)
{
    const struct shape shape = {65, 10, 12};
    struct workload workload = workload_new(&shape, TYPE_FP32, 5);
    void *x = workload_matrix(&workload, 3);
    ck_assert_double_eq(element_get(x, 0, TYPE_FP32), element_get(workload.base, 3, TYPE_FP32));
    ck_assert_double_eq(element_get(x, 9, TYPE_FP32), element_get(workload.base, 2, TYPE_FP32));
    ck_assert(element_is_poison(x, 10, TYPE_FP32));
    /* Row 64 is base row 0, turned by 3 + 977 = 980, that is by 0. */
    ck_assert_double_eq(element_get(x, 64 * 12, TYPE_FP32), element_get(workload.base, 0, TYPE_FP32));
    free(x);
    workload_free(&workload);
}
END_TEST

/* ---- records ---- */

static char folder[] = "/tmp/bench_test.XXXXXX";

static char *file_with(const char *text) {
    char *path = format_text("%s/record.json", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void expect_refused(const char *text, const char *words) {
    char *path = file_with(text), *trouble = NULL;
    ck_assert_ptr_null(document_read(path, &trouble));
    ck_assert_ptr_nonnull(trouble);
    ck_assert_msg(strstr(trouble, words) != NULL, "says '%s', not '%s'", trouble, words);
    ck_assert_ptr_null(strchr(trouble, '\n'));
    free(trouble);
    free(path);
}

START_TEST(damaged_and_foreign_records)
{
    expect_refused("", "damaged");
    expect_refused("{\"format\": \"softmax-workshop be", "damaged");
    expect_refused("[1, 2]", "no record of make bench");
    expect_refused("{\"exercise\": \"split_softmax\", \"checks\": []}", "no record of make bench");
    expect_refused("{\"format\": \"softmax-workshop bench\", \"format_version\": 99}", "another version");
    expect_refused("{\"format\": \"softmax-workshop bench\", \"format_version\": 1, \"cases\": []}",
                   "no cases");
    expect_refused("{\"format\": \"softmax-workshop bench\", \"format_version\": 1, \"cases\": [7]}",
                   "no shape");
    char *trouble = NULL;
    ck_assert_ptr_null(document_read("/nowhere/at/all.json", &trouble));
    ck_assert_ptr_nonnull(strstr(trouble, "cannot be read"));
    free(trouble);
}
END_TEST

START_TEST(record_written_and_read)
{
    const struct settings settings = {.exercise = bench_exercise_find("split_softmax"),
                                      .implementation = "solution",
                                      .seed = 7,
                                      .command = "make"};
    const struct shape shape = {3, 1025, 1025};
    json_t *document = document_new(&settings, "counts", "simulator");
    json_t *of_case = document_case(document, &shape, TYPE_FP16);
    document_variant(of_case, "C=256", "submission", 256);
    char *path = format_text("%s/bench.json", folder), *trouble = document_write(document, path);
    ck_assert_ptr_null(trouble);
    json_t *again = document_read(path, &trouble);
    ck_assert_ptr_null(trouble);
    ck_assert(json_equal(document, again));
    ck_assert_int_eq((int)number_in(json_array_get(json_object_get(again, "cases"), 0), "contract_bytes"),
                     12300);
    trouble = document_write(document, "/nowhere/at/all.json");
    ck_assert_ptr_nonnull(strstr(trouble, "could not be written"));
    free(trouble);

    /* A full disk: no file of this process may grow beyond 10 bytes. What was there before stays. */
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){10, 10});
    trouble = document_write(document, path);
    ck_assert_ptr_nonnull(strstr(trouble, "what was there before is as it was"));
    free(trouble);
    json_decref(again);
    again = document_read(path, &trouble);
    ck_assert(json_equal(document, again));
    json_decref(again);
    json_decref(document);
    free(path);
}
END_TEST

/* gnuplot runs what it finds between backquotes in a text, and a record may come from anywhere. */
START_TEST(texts_in_a_script_are_harmless)
{
    char *script = NULL;
    size_t bytes;
    FILE *out = open_memstream(&script, &bytes);
    text_write(out, "two\nlines, `date`, \"quoted\", a\\b, \033[1m");
    fclose(out);
    ck_assert_str_eq(script, "\"two\\nlines, 'date', 'quoted', a/b, ?[1m\"");
    free(script);
}
END_TEST

START_TEST(texts_of_a_record_are_harmless_in_its_figure)
{
    struct panel panel = panel_new("`date`", "`date`", "\"`date`");
    panel.places = 1;
    panel_add(&panel, "`date`\\", false)->value[0] = 1;
    const struct figure figure = {"`date`", "`date`", &panel, 1, 1};
    char *script = NULL;
    size_t bytes;
    FILE *out = open_memstream(&script, &bytes);
    figure_write(out, &figure, "svg", "/tmp/x");
    fclose(out);
    ck_assert_ptr_nonnull(strstr(script, "set title \"'date'\""));
    ck_assert_ptr_null(strchr(script, '`'));
    ck_assert_ptr_null(strchr(script, '\\'));
    free(script);
}
END_TEST

/* What a figure of one panel with two curves, from low to high, says to gnuplot. */
static char *script_of_two_curves(double low, double high) {
    struct panel panel = panel_new("title", "chunk", "microseconds");
    panel.places = 1;
    panel.logarithmic = true;
    for (int i = 0; i < 2; i++) {
        struct series *series = panel_add(&panel, i ? "B" : "A", false);
        series->value[0] = i ? low : high;
        series->show_values = true;
    }
    const struct figure figure = {"title", "note", &panel, 1, 1};
    char *script = NULL;
    size_t bytes;
    FILE *out = open_memstream(&script, &bytes);
    figure_write(out, &figure, "svg", "/tmp/x");
    fclose(out);
    return script;
}

START_TEST(a_short_logarithmic_axis_has_ticks_at_every_digit)
{
    char *script = script_of_two_curves(6.04, 6.88); /* with room: from 5.25 to 7.91 */
    ck_assert_ptr_nonnull(strstr(script, "set ytics (\"6\" 6, \"7\" 7)"));
    free(script);
    script = script_of_two_curves(10, 100);
    ck_assert_ptr_nonnull(strstr(script, "set ytics (\"10\" 10, \"20\" 20, \"50\" 50, \"100\" 100)"));
    free(script);
    script = script_of_two_curves(10, 10000);
    ck_assert_ptr_nonnull(
        strstr(script, "set ytics (\"10\" 10, \"100\" 100, \"1000\" 1000, \"10 k\" 10000)"));
    free(script);
}
END_TEST

START_TEST(the_numbers_of_a_lower_curve_stand_below_it)
{
    char *script = script_of_two_curves(6.04, 6.88);
    ck_assert_ptr_nonnull(strstr(script, "set label \"6.88\" at 0, 6.88 center offset 0,0.9 "));
    ck_assert_ptr_nonnull(strstr(script, "set label \"6.04\" at 0, 6.04 center offset 0,-0.9 "));
    free(script);
}
END_TEST

START_TEST(a_record_does_not_steer_the_terminal)
{
    char *path = file_with(
             "{\"format\": \"softmax-workshop bench\", \"format_version\": 1, \"cases\": [{\"rows\": 1, "
             "\"cols\": 2, \"contract_bytes\": 16, \"type\": \"\\u001b[2J\", \"variants\": []}]}"),
         *trouble = NULL;
    json_t *document = document_read(path, &trouble);
    ck_assert_ptr_nonnull(document);
    ck_assert_str_eq(text_in(json_array_get(json_object_get(document, "cases"), 0), "type"), "?[2J");
    json_decref(document);
    free(path);
}
END_TEST

/* Ticks at powers of ten up to infinity would never come to an end. */
START_TEST(numbers_beyond_all_times_are_not_drawn)
{
    static const double values[] = {1.7e308, 1e-320};
    static const char *const expected[] = {"no values", "set ytics autofreq"};
    for (int i = 0; i < 2; i++) {
        struct panel panel = panel_new("title", "x", "y");
        panel.places = 1;
        panel.logarithmic = true;
        panel_add(&panel, "series", false)->value[0] = values[i];
        char *script = NULL;
        size_t bytes;
        FILE *out = open_memstream(&script, &bytes);
        panel_write(out, &panel);
        fclose(out);
        ck_assert_ptr_nonnull(strstr(script, expected[i]));
        free(script);
    }
}
END_TEST

static void remove_folder(void) {
    char *command = format_text("rm -rf '%s'", folder);
    (void)!system(command);
    free(command);
}

int main(void) {
    if (mkdtemp(folder) == NULL)
        return 1;
    Suite *suite = suite_create("bench");
    TCase *test_case = tcase_create("bench");
    tcase_set_timeout(test_case, 120);
    suite_add_tcase(suite, test_case);
    tcase_add_test(test_case, quartiles_are_interpolated);
    tcase_add_test(test_case, interval_is_by_ranks);
    tcase_add_test(test_case, verdicts);
    tcase_add_test(test_case, a_set_in_l2_is_held_to_l2);
    tcase_add_test(test_case, a_larger_set_is_held_to_dram_in_part);
    tcase_add_test(test_case, a_cold_call_reads_from_dram);
    tcase_add_test(test_case, shapes);
    tcase_add_test(test_case, right_and_wrong_outputs);
    tcase_add_test(test_case, a_row_that_does_not_add_up);
    tcase_add_test(test_case, matrix_is_base_rows_turned);
    tcase_add_test(test_case, damaged_and_foreign_records);
    tcase_add_test(test_case, record_written_and_read);
    tcase_add_test(test_case, a_record_does_not_steer_the_terminal);
    tcase_add_test(test_case, numbers_beyond_all_times_are_not_drawn);
    tcase_add_test(test_case, texts_in_a_script_are_harmless);
    tcase_add_test(test_case, texts_of_a_record_are_harmless_in_its_figure);
    tcase_add_test(test_case, a_short_logarithmic_axis_has_ticks_at_every_digit);
    tcase_add_test(test_case, the_numbers_of_a_lower_curve_stand_below_it);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_folder();
    return failed != 0;
}
