/* .npy files: what NumPy writes is read, what is written is read back, and each bad file gets its sentence. */
#include "base/memory.h"
#include "npy.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/npy_test.XXXXXX";

/* A file with this beginning, header and payload. */
static void put(const char *start, size_t start_bytes, const char *header, int width, const void *data,
                size_t bytes) {
    FILE *file = fopen(path, "wb");
    const size_t length = strlen(header);
    fwrite(start, 1, start_bytes, file);
    for (int i = 0; i < width; i++)
        fputc((int)(length >> (8 * i)) & 255, file);
    fwrite(header, 1, length, file);
    fwrite(data, 1, bytes, file);
    fclose(file);
}

#define VERSION(n) "\x93NUMPY" n "\0"

static const float numbers[6] = {1, -2, 3.5f, 0, 1e30f, 6};

static void says(const char *words) {
    struct npy npy;
    char *trouble = npy_read(path, &npy);
    ck_assert_msg(trouble && strstr(trouble, words), "expected '%s', got '%s'", words,
                  trouble ? trouble : "nothing");
    ck_assert_ptr_null(npy.data);
    ck_assert_ptr_null(strchr(trouble, '\n'));
    free(trouble);
}

START_TEST(every_version_is_read)
{
    static const char *const starts[] = {VERSION("\1"), VERSION("\2"), VERSION("\3")};
    for (int i = 0; i < 3; i++) {
        put(starts[i], 8, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n", i == 0 ? 2 : 4,
            numbers, sizeof numbers);
        struct npy npy;
        ck_assert_ptr_null(npy_read(path, &npy));
        ck_assert_str_eq(npy.type, "f4");
        ck_assert_int_eq(npy.rows, 2);
        ck_assert_int_eq(npy.cols, 3);
        ck_assert_mem_eq(npy.data, numbers, sizeof numbers);
        free(npy.data);
    }
}
END_TEST

START_TEST(one_dimension_is_a_row)
{
    put(VERSION("\1"), 8, "{'shape': (6,), 'fortran_order': False, 'descr': '<f4'}", 2, numbers,
        sizeof numbers);
    struct npy npy;
    ck_assert_ptr_null(npy_read(path, &npy));
    ck_assert_int_eq(npy.rows, 1);
    ck_assert_int_eq(npy.cols, 6);
    free(npy.data);
}
END_TEST

START_TEST(what_is_written_is_read_back)
{
    const struct npy out = {"f4", 4, 3, 2, (void *)numbers};
    ck_assert_ptr_null(npy_write(path, &out));
    struct npy npy;
    ck_assert_ptr_null(npy_read(path, &npy));
    ck_assert_int_eq(npy.rows, 3);
    ck_assert_int_eq(npy.cols, 2);
    ck_assert_mem_eq(npy.data, numbers, sizeof numbers);
    free(npy.data);
    char *trouble = npy_write("/nowhere/at/all.npy", &out);
    ck_assert_ptr_nonnull(strstr(trouble, "cannot be written"));
    free(trouble);
}
END_TEST

START_TEST(bad_files_get_a_sentence)
{
    static const struct {
        const char *header, *words;
        size_t bytes;
    } bad[] = {
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }", "big-endian", 24},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", "of the type <i4", 24},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3), }", "no plain numbers", 24},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", "column after column", 24},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }", "3 dimensions", 24},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "0 dimensions", 24},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, x), }", "shape that cannot be read", 24},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3), }", "shape that cannot be read", 24},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3", "shape that cannot be read", 24},
        {"{'descr': '<f4', 'fortran_order': False }", "without a shape", 24},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999, 99999999), }", "are the most", 24},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "cut off", 23},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", "goes on after", 24},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put(VERSION("\1"), 8, bad[i].header, 2, numbers, bad[i].bytes);
        says(bad[i].words);
    }
    put("1,2,3\n4,5,6\n", 12, "", 0, "", 0);
    says("is no .npy file");
    put(VERSION("\4"), 8, "{}", 2, "", 0);
    says("version 4");
    put(VERSION("\1"), 8, "", 0, "\xff\x0f{", 3);
    says("middle of its header");
    put(VERSION("\2"), 8, "", 0, "\xff\xff\xff\x7f", 4);
    says("more than a matrix needs");
    unlink(path);
    says("cannot be opened");
}
END_TEST

int main(void) {
    close(mkstemp(path));
    Suite *suite = suite_create("npy");
    TCase *test_case = tcase_create("npy");
    tcase_add_test(test_case, every_version_is_read);
    tcase_add_test(test_case, one_dimension_is_a_row);
    tcase_add_test(test_case, what_is_written_is_read_back);
    tcase_add_test(test_case, bad_files_get_a_sentence);
    suite_add_tcase(suite, test_case);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    unlink(path);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
