/* What CUDA C comes to through the headers and the simulator: programs/headers.cu returns 0 where the numbers
 * are right, with every seed, and nothing is found in it. */
#include "programs.h"
#include <check.h>

static const char *const programs[] = {"group_tiles",     "group_parameter",   "group_grid",
                                       "group_coalesced", "launch_by_address", "places_as_values",
                                       "half_values",     "wide_values",       "grids_of_three_dimensions"};

START_TEST(program)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        int wrong = program_run(programs[_i], seed);
        ck_assert_msg(wrong == 0, "%s, seed %d: returned %d", programs[_i], (int)seed, wrong);
        ck_assert_msg(program_finding_count == 0, "%s, seed %d: unexpected finding: %s", programs[_i],
                      (int)seed, program_findings[0].text);
    }
}
END_TEST

static void start(void) {
    program_open("headers.so");
}

int main(void) {
    Suite *suite = suite_create("values through the headers");
    TCase *tests = tcase_create("programs");
    tcase_add_checked_fixture(tests, start, NULL);
    tcase_add_loop_test(tests, program, 0, (int)(sizeof programs / sizeof *programs));
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
