/* Reports of compute-sanitizer as it writes them (2025.3, on an H200), and what is read from them. */
#include "base/memory.h"
#include "grading/tool_report.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct tool_report read_text(const char *text) {
    FILE *file = fmemopen((void *)text, strlen(text), "r");
    ck_assert_ptr_nonnull(file);
    const struct tool_report report = tool_report_read(file);
    fclose(file);
    return report;
}

START_TEST(an_access_out_of_bounds)
{
    struct tool_report report = read_text(
        "========= COMPUTE-SANITIZER\n"
        "========= Invalid __global__ write of size 4 bytes\n"
        "=========     at void partials_kernel<float>(const float *, int)+0x70 in split_softmax.cu:112\n"
        "=========     by thread (3,0,0) in block (7,0,0)\n"
        "=========     Access to 0x7f0226800fa0 is out of bounds\n"
        "=========     and is 1,441 bytes after the nearest allocation at 0x7f0226800600 of size 1,024 "
        "bytes\n"
        "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
        "=========         Host Frame: main [0x8d6a] in runner.c:9\n"
        "========= \n"
        "no error\n"
        "========= ERROR SUMMARY: 1 error\n");
    ck_assert_uint_eq(report.count, 1);
    ck_assert_int_eq(report.messages[0].kind, FINDING_OUT_OF_BOUNDS);
    ck_assert(!report.messages[0].warning);
    ck_assert_str_eq(report.messages[0].headline, "Invalid __global__ write of size 4 bytes");
    ck_assert_str_eq(report.messages[0].file, "split_softmax.cu");
    ck_assert_int_eq(report.messages[0].line, 112);
    ck_assert_ptr_nonnull(strstr(report.messages[0].details, "by thread (3,0,0) in block (7,0,0)\n"));
    ck_assert_ptr_null(strstr(report.messages[0].details, "ost Frame"));
    ck_assert_str_eq(report.trouble, "");
    ck_assert(report.complete);
    tool_report_free(&report);
}
END_TEST

START_TEST(each_tool)
{
    static const struct {
        const char *text;
        enum finding_kind kind;
        int line;
    } reports[] = {
        {"========= Invalid __global__ write of size 4 bytes\n=========     at mis(char *)+0x40 in f.cu:3\n"
         "=========     Access to 0x7fd944800001 is misaligned\n",
         FINDING_MISALIGNED, 3},
        {"========= Invalid __shared__ write of size 4 bytes\n=========     at sh(float *)+0x90 in f.cu:7\n",
         FINDING_SHARED_OUT_OF_BOUNDS, 7},
        {"========= Leaked 1,024 bytes at 0x7fd944800000\n"
         "=========     Saved host backtrace up to driver entry point at allocation time\n",
         FINDING_LEAK, 0},
        {"========= Error: Race reported between Write access at race(float *)+0xb0 in f.cu:4\n"
         "=========     and Read access at race(float *)+0xc0 in f.cu:5 [256 hazards]\n",
         FINDING_RACE_BLOCK, 4},
        {"========= Uninitialized __global__ memory read of size 4 bytes\n"
         "=========     at uninit(float *, float *)+0x60 in f.cu:5\n",
         FINDING_UNINITIALISED, 5},
        {"========= Barrier error detected. Divergent thread(s) in warp.\n"
         "=========     at barrier(float *)+0x70 in f.cu:6\n",
         FINDING_BARRIER_DIVERGED, 6},
    };
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        struct tool_report report = read_text(reports[i].text);
        ck_assert_uint_eq(report.count, 1);
        ck_assert_int_eq(report.messages[0].kind, reports[i].kind);
        ck_assert_int_eq(report.messages[0].line, reports[i].line);
        ck_assert(!report.complete);
        tool_report_free(&report);
    }
}
END_TEST

START_TEST(a_warning_and_a_second_message)
{
    struct tool_report report =
        read_text("========= Warning: Race reported between Write access at k(float *)+0x10 in f.cu:4\n"
                  "=========     and Write access at k(float *)+0x10 in f.cu:4 [64 hazards]\n"
                  "========= \n"
                  "========= Error: Race reported between Write access at k(float *)+0x30 in f.cu:9\n"
                  "=========     and Read access at k(float *)+0x40 in f.cu:8 [64 hazards]\n"
                  "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n");
    ck_assert_uint_eq(report.count, 2);
    ck_assert(report.messages[0].warning);
    ck_assert(!report.messages[1].warning);
    ck_assert_int_eq(report.messages[1].line, 9);
    ck_assert(report.complete);
    tool_report_free(&report);
}
END_TEST

START_TEST(nothing_found)
{
    struct tool_report report = read_text("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n");
    ck_assert_uint_eq(report.count, 0);
    ck_assert(report.complete);
    tool_report_free(&report);
}
END_TEST

START_TEST(a_tool_that_cannot_watch)
{
    struct tool_report report =
        read_text("========= COMPUTE-SANITIZER\n========= Error: Device not supported\n");
    ck_assert_uint_eq(report.count, 0);
    ck_assert(!report.complete);
    ck_assert_str_eq(report.trouble, "Error: Device not supported");
    tool_report_free(&report);
}
END_TEST

int main(void) {
    TCase *test_case = tcase_create("tool_report");
    tcase_add_test(test_case, an_access_out_of_bounds);
    tcase_add_test(test_case, each_tool);
    tcase_add_test(test_case, a_warning_and_a_second_message);
    tcase_add_test(test_case, nothing_found);
    tcase_add_test(test_case, a_tool_that_cannot_watch);
    Suite *suite = suite_create("tool_report");
    suite_add_tcase(suite, test_case);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
