/* What a report tells a student to read exists: each check's lesson has the section that the check names, and
 * each kind of finding has its section in docs/findings.md. Run from the root of the kit. */
#include "check/check.h"
#include "check/explain.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Has the Markdown file a heading, of any level, with this text? */
static bool has_heading(const char *path, const char *heading) {
    FILE *file = fopen(path, "r");
    char line[512];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        const size_t level = strspn(line, "#");
        found = level > 0 && line[level] == ' ' && strcmp(line + level + 1, heading) == 0;
    }
    if (file)
        fclose(file);
    return found;
}

START_TEST(headings_are_recognised)
{
    ck_assert(has_heading("docs/findings.md", "Leak"));
    ck_assert(!has_heading("docs/findings.md", "Lea"));
    ck_assert(!has_heading("docs/findings.md", "No such heading"));
    ck_assert(!has_heading("docs/no_such_file.md", "Leak"));
}
END_TEST

START_TEST(every_finding_has_its_section)
{
    for (uint32_t kind = 0; kind < FINDING_KINDS; kind++) {
        const char *name = explanation_of(kind)->name;
        ck_assert_msg(name && name[0], "finding %u has no name", kind);
        ck_assert_msg(has_heading(findings_lesson, name), "%s has no section \"%s\"", findings_lesson, name);
    }
}
END_TEST

START_TEST(every_check_has_its_lesson)
{
    size_t checks = 0;
    for (const struct suite *const *suite = all_suites; *suite; suite++)
        for (size_t i = 0; i < (*suite)->check_count; i++, checks++) {
            const struct check *check = &(*suite)->checks[i];
            ck_assert_msg(check->lesson && check->section, "%s %s names no lesson or no section",
                          (*suite)->exercise, check->id);
            ck_assert_msg(has_heading(check->lesson, check->section), "%s %s: %s has no section \"%s\"",
                          (*suite)->exercise, check->id, check->lesson, check->section);
        }
    ck_assert_msg(checks > 0, "there are no checks");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lessons");
    TCase *test_case = tcase_create("lessons");
    tcase_add_test(test_case, headings_are_recognised);
    tcase_add_test(test_case, every_finding_has_its_section);
    tcase_add_test(test_case, every_check_has_its_lesson);
    suite_add_tcase(suite, test_case);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
