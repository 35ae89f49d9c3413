/* Further walls, where the kernel has them; where it has not, those of lockdown.c have to do, and nothing is said.
 *
 * Landlock (since Linux 5.13) takes away all files, all TCP ports, and, for a process without a child, signals and sockets to
 * processes outside: what the list of system calls forbids by its numbers is then forbidden by what it reaches, too.
 * Namespaces of its own for IPC objects and the network: none of the machine's are there, and what is made there is gone with
 * the last process in it. */
#include "lockdown.h"
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void lockdown_namespaces(void) {
    if (unshare(CLONE_NEWIPC | CLONE_NEWNET) != 0 &&
        unshare(CLONE_NEWUSER | CLONE_NEWIPC | CLONE_NEWNET) != 0)
        errno = 0; /* a container may forbid it */
}

#if defined(SYS_landlock_create_ruleset) && defined(SYS_landlock_restrict_self)

/* struct landlock_ruleset_attr as the newest version has it, whatever version the headers here are of
 * (Linux, Documentation/userspace-api/landlock.rst). */
struct ruleset {
    uint64_t files, ports, scopes;
};

enum { ASK_FOR_VERSION = 1 };

/* What versions 1, 2, ... know of: rights on files, on ports, and scopes. */
static struct ruleset everything(long version, bool has_child) {
    static const unsigned char rights[] = {0, 13, 14, 15, 15, 16};
    enum { NEWEST = sizeof rights - 1 };
    const unsigned bits = rights[version < NEWEST ? version : NEWEST];
    return (struct ruleset){.files = (1u << bits) - 1,
                            .ports = version >= 4 ? 3 : 0,
                            .scopes = version >= 6 ? (has_child ? 1 : 3) : 0};
}

void lockdown_files(bool has_child) {
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_FOR_VERSION);
    if (version < 1)
        return;
    const struct ruleset all = everything(version, has_child);
    const size_t bytes = version >= 6   ? sizeof all
                         : version >= 4 ? offsetof(struct ruleset, scopes)
                                        : offsetof(struct ruleset, ports);
    const long rules = syscall(SYS_landlock_create_ruleset, &all, bytes, 0);
    if (rules < 0)
        return;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_landlock_restrict_self, (int)rules, 0);
    close((int)rules);
}

#else

void lockdown_files(bool has_child) {
    (void)has_child;
}

#endif
