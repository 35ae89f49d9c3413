/* From addresses to the student's lines: a shared object is compiled here whose function is inlined from a
 * header elsewhere, and the line that is named is the student's. Needs clang and addr2line, as the workshop
 * does. */
#include "base/memory.h"
#include "check/source_lines.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

static char folder[] = "/tmp/symbols_test.XXXXXX";

static char *in_folder(const char *format) {
    char *text = copy_text("");
    for (const char *part = format; *part; part++) { /* @ stands for the folder */
        char *longer = *part == '@' ? format_text("%s%s", text, folder) : format_text("%s%c", text, *part);
        free(text);
        text = longer;
    }
    return text;
}

static void shell(const char *format) {
    char *command = in_folder(format);
    ck_assert_msg(system(command) == 0, "%s", command);
    free(command);
}

static unsigned long long address_of(const char *function) {
    char *command = format_text("nm %s/submission.so | awk '$3 == \"%s\" { print $1 }'", folder, function);
    FILE *output = popen(command, "r");
    unsigned long long address = 0;
    ck_assert_int_eq(fscanf(output, "%llx", &address), 1);
    pclose(output);
    free(command);
    return address;
}

START_TEST(the_students_line_is_named)
{
    shell("mkdir -p @/src @/include");
    shell("printf 'static inline int twice(const volatile int *x) {\\n    return 2 * *x;\\n}\\n' > "
          "@/include/twice.h");
    shell("printf '#include \"twice.h\"\\nint f(const volatile int *x) {\\n    return twice(x); /* here "
          "*/\\n}\\n' > @/src/a.c");
    shell("clang -O2 -g -fPIC -shared -I@/include -o @/submission.so @/src/a.c");
    char *submission = in_folder("@/submission.so"), *source = in_folder("@/src/");
    struct symbols *symbols = symbols_open(submission, source);
    const struct source_line *line = symbols_find(symbols, address_of("f") + 1);
    char *expected = in_folder("@/src/a.c:3");
    ck_assert_str_eq(line->where, expected);
    ck_assert_str_eq(line->quote, "return twice(x); /* here */");
    ck_assert_ptr_eq(symbols_find(symbols, address_of("f") + 1), line); /* asked once */
    free(expected);
    symbols_close(symbols);
    free(submission);
    free(source);
}
END_TEST

START_TEST(what_is_not_known_is_empty)
{
    struct symbols *symbols = symbols_open("/nowhere/submission.so", "/nowhere");
    ck_assert_str_eq(symbols_find(symbols, 0)->where, "");
    ck_assert_str_eq(symbols_find(symbols, 0x1234)->where, "");
    ck_assert_str_eq(symbols_find(symbols, 0x1234)->quote, "");
    symbols_close(symbols);
}
END_TEST

int main(void) {
    if (mkdtemp(folder) == NULL)
        return 1;
    Suite *suite = suite_create("symbols");
    TCase *test_case = tcase_create("symbols");
    tcase_set_timeout(test_case, 60);
    tcase_add_test(test_case, the_students_line_is_named);
    tcase_add_test(test_case, what_is_not_known_is_empty);
    suite_add_tcase(suite, test_case);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    char *command = in_folder("rm -rf @");
    if (system(command) != 0)
        fputs("the test's folder could not be removed\n", stderr);
    free(command);
    return failed != 0;
}
