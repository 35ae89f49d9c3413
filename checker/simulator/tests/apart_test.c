/* The walls of runner/apart.c, one by one, each in a process of its own: seccomp would hide them. Where this kernel lacks one,
 * its test passes without a look, as the runner does without it. */
#include "../../runner/lockdown.h"
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool has_landlock(void) {
#ifdef SYS_landlock_create_ruleset
    return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) >= 1;
#else
    return false;
#endif
}

START_TEST(no_file_is_opened)
{
    int open_before = open("/etc/passwd", O_RDONLY);
    char byte;
    ck_assert_int_ge(open_before, 0);
    lockdown_files(false);
    ck_assert_int_eq(read(open_before, &byte, 1), 1); /* what is open stays open */
    if (!has_landlock())
        return;
    ck_assert_int_eq(open("/etc/passwd", O_RDONLY), -1);
    ck_assert_int_eq(errno, EACCES);
    ck_assert_int_eq(open("/tmp/made_by_apart_test", O_WRONLY | O_CREAT, 0600), -1);
    ck_assert_int_eq(errno, EACCES);
}
END_TEST

/* Whether another process may have namespaces at all. */
static bool may_be_apart(void) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0)
        _exit(unshare(CLONE_NEWIPC | CLONE_NEWNET) != 0 &&
              unshare(CLONE_NEWUSER | CLONE_NEWIPC | CLONE_NEWNET) != 0);
    waitpid(child, &status, 0);
    return status == 0;
}

START_TEST(network_and_ipc_are_its_own)
{
    static const char *const spaces[] = {"/proc/self/ns/net", "/proc/self/ns/ipc"};
    char before[2][64] = {{0}}, after[64] = {0};
    for (int i = 0; i < 2; i++)
        ck_assert_int_gt(readlink(spaces[i], before[i], sizeof before[i] - 1), 0);
    const bool possible = may_be_apart();
    lockdown_namespaces();
    for (int i = 0; i < 2 && possible; i++) {
        ck_assert_int_gt(readlink(spaces[i], after, sizeof after - 1), 0);
        ck_assert_str_ne(before[i], after);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("apart");
    TCase *walls = tcase_create("walls");
    tcase_add_test(walls, no_file_is_opened);
    tcase_add_test(walls, network_and_ipc_are_its_own);
    suite_add_tcase(suite, walls);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
