/* Sectors, bank conflicts and lanes, counted for one request of a warp whose shape is known. */
#include "programs.h"
#include <check.h>

struct expectation {
    const char *program;
    uint64_t requests, lanes, sectors_read, bank_conflicts;
};

static const struct expectation expectations[] = {
    {"read_neighbours", 1, 32, 4, 0},   {"read_neighbours_misaligned", 1, 32, 5, 0},
    {"read_one_value", 1, 32, 1, 0},    {"read_apart", 1, 32, 32, 0},
    {"read_vectors", 1, 32, 16, 0},     {"read_few_lanes", 1, 8, 1, 0},
    {"shared_neighbours", 1, 32, 0, 0}, {"shared_one_bank", 1, 32, 0, 31},
    {"shared_padded", 1, 32, 0, 0},     {"shared_every_other", 1, 32, 0, 1},
};

START_TEST(request)
{
    const struct expectation *expected = &expectations[_i];
    for (uint64_t seed = 1; seed <= 5; seed++) {
        ck_assert_int_eq(program_run(expected->program, seed), 0);
        ck_assert_int_eq(program_kernel_count, 1);
        const struct kernel_trace *kernel = &program_kernels[0];
        ck_assert_uint_eq(kernel->requests, expected->requests);
        ck_assert_uint_eq(kernel->request_lanes, expected->lanes);
        ck_assert_uint_eq(kernel->sectors_read, expected->sectors_read);
        ck_assert_uint_eq(kernel->bank_conflicts, expected->bank_conflicts);
    }
}
END_TEST

static void start(void) {
    program_open("requests.so");
}

int main(void) {
    Suite *suite = suite_create("requests of a warp");
    TCase *tests = tcase_create("requests");
    tcase_add_checked_fixture(tests, start, NULL);
    tcase_add_loop_test(tests, request, 0, (int)(sizeof expectations / sizeof *expectations));
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
