/* The kernel as the last guard: a seccomp filter with a list of the system calls that are let through, set when libraries are
 * loaded and before anything of the submission runs (library.c). What is not on the list ends in SIGSYS, which crash.c turns
 * into a finding: no file is opened, not even to read it, no process or thread started, no signal sent to others, no
 * memory made that could be executed or be seen by another process.
 *
 * A filter cannot be taken off again. Where the kernel offers none, the runner does without: the rules at compile time
 * (checker/compile/trust.sh), the user that it becomes and the wrapped functions (wrapped.c) still hold. A CUDA driver needs
 * threads, files and devices, so the runner for a GPU sets none. */
#include "lockdown.h"
#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { THIS_MACHINE = (int)AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { THIS_MACHINE = (int)AUDIT_ARCH_AARCH64 };
#else
enum { THIS_MACHINE = 0 };
#endif

struct call {
    int number;
    const char *name;
};

#define CALL(name)                                                                                           \
    { SYS_##name, #name }

/* What a C library does in a program that computes, prints and waits. A number that this machine lacks is left out. */
static const struct call allowed[] = {
    CALL(read),
    CALL(readv),
    CALL(write),
    CALL(writev),
    CALL(recvfrom),
    CALL(sendmsg),
    CALL(close),
    CALL(munmap),
    CALL(mremap),
    CALL(brk),
    CALL(madvise),
    CALL(futex),
    CALL(clock_gettime),
    CALL(clock_getres),
    CALL(gettimeofday),
    CALL(nanosleep),
    CALL(clock_nanosleep),
    CALL(sched_yield),
    CALL(sched_getaffinity),
    CALL(getpid),
    CALL(gettid),
    CALL(getppid),
    CALL(getuid),
    CALL(geteuid),
    CALL(getgid),
    CALL(getegid),
    CALL(rt_sigaction),
    CALL(rt_sigprocmask),
    CALL(rt_sigreturn),
    CALL(sigaltstack),
    CALL(exit),
    CALL(exit_group),
    CALL(restart_syscall),
    CALL(getrandom),
    CALL(timer_settime),
    CALL(timer_gettime),
    CALL(setitimer),
    CALL(getitimer),
    CALL(getrusage),
    CALL(times),
    CALL(sysinfo),
    CALL(uname),
    CALL(getcpu),
#ifdef SYS_pause
    CALL(pause),
    CALL(time),
#endif
};

/* What libraries ask and can do without: it fails. */
static const int unanswered[] = {
    SYS_fstat,     SYS_newfstatat, SYS_statx,     SYS_ioctl,    SYS_lseek,     SYS_fcntl,
    SYS_prlimit64, SYS_readlinkat, SYS_faccessat, SYS_getcwd,   SYS_prctl,     SYS_fadvise64,
#ifdef SYS_stat
    SYS_stat,      SYS_lstat,      SYS_access,    SYS_readlink, SYS_getrlimit,
#endif
};

/* Names that are said to the student. */
static const struct call named[] = {
#ifdef SYS_fork
    CALL(fork),
    CALL(vfork),
#endif
#ifdef SYS_creat
    CALL(creat),
    CALL(unlink),
    CALL(rename),
    CALL(link),
    CALL(symlink),
    CALL(mkdir),
    CALL(rmdir),
    CALL(chmod),
    CALL(chown),
    CALL(mknod),
#endif
    CALL(clone),
    CALL(execve),
    CALL(execveat),
    CALL(ptrace),
    CALL(process_vm_readv),
    CALL(process_vm_writev),
    CALL(socket),
    CALL(socketpair),
    CALL(connect),
    CALL(bind),
    CALL(sendto),
    CALL(unlinkat),
    CALL(linkat),
    CALL(symlinkat),
    CALL(mkdirat),
    CALL(mknodat),
    CALL(truncate),
    CALL(ftruncate),
    CALL(fchmodat),
    CALL(fchownat),
    CALL(setsid),
    CALL(setpgid),
    CALL(mount),
    CALL(memfd_create),
    CALL(mmap),
    CALL(mprotect),
    CALL(shmget),
    CALL(shmat),
    CALL(msgget),
    CALL(semget),
    CALL(rt_sigqueueinfo),
    CALL(rt_tgsigqueueinfo),
    CALL(name_to_handle_at),
    CALL(open_by_handle_at),
    CALL(bpf),
#ifdef SYS_clone3
    CALL(clone3),
#endif
#ifdef SYS_pidfd_open
    CALL(pidfd_open),
    CALL(pidfd_send_signal),
#endif
#ifdef SYS_io_uring_setup
    CALL(io_uring_setup),
#endif
    {SYS_openat, "openat, to open a file"},
#ifdef SYS_open
    {SYS_open, "open, to open a file"},
#endif
    CALL(kill),
    {SYS_tgkill, "kill"},
    {SYS_tkill, "kill"},
};

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

const char *lockdown_name(int number) {
    for (int i = 0; i < COUNT(named); i++)
        if (named[i].number == number)
            return named[i].name;
    return "a system call";
}

void lockdown_memory(void) {
    static const rlim_t room = (rlim_t)4 << 30;
    unsigned long long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "re");
    if (sizes && fscanf(sizes, "%llu", &pages) == 1) {
        const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + room;
        setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
    }
    if (sizes)
        fclose(sizes);
}

void lockdown_user(void) {
    enum { NOBODY = 65534 };
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    const bool was_root = geteuid() == 0;
    prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
    if (was_root && (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
                     setresuid(NOBODY, NOBODY, NOBODY) != 0))
        errno = 0; /* a container may forbid it: the filter has to do */
    syscall(SYS_capset, &header, none);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* which a change of the user takes back */
}

#ifdef SECCOMP_RET_TRAP

/* Arguments are 64 bits wide; the low half is what flags and process numbers are in. */
#define ARGUMENT(n) (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (n))

enum { LONGEST = 2 * (COUNT(allowed) + COUNT(unanswered)) + 64 };

static struct sock_filter program[LONGEST];
static unsigned short length;

static void add(uint16_t code, uint8_t when_true, uint8_t when_false, uint32_t k) {
    program[length++] = (struct sock_filter){code, when_true, when_false, k};
}

static void load(uint32_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset);
}

static void answer(uint32_t what) {
    add(BPF_RET | BPF_K, 0, 0, what);
}

/* One call: this is its answer. */
static void decide(int number, uint32_t what) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)number);
    answer(what);
}

/* Allows a call, unless an argument has one of these bits, or another has. */
static void allow_without(int number, int argument, uint32_t bits, int other, uint32_t other_bits) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 6, (uint32_t)number);
    load(ARGUMENT(argument));
    add(BPF_JMP | BPF_JSET | BPF_K, 2, 0, bits);
    load(ARGUMENT(other));
    add(BPF_JMP | BPF_JSET | BPF_K, 0, 1, other_bits);
    answer(SECCOMP_RET_TRAP);
    answer(SECCOMP_RET_ALLOW);
}

/* Allows a signal to this process, as raise() and abort() send them, and to one other. */
static void allow_signal(int number, uint32_t other) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 5, (uint32_t)number);
    load(ARGUMENT(0));
    add(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, (uint32_t)getpid());
    add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, other);
    answer(SECCOMP_RET_TRAP);
    answer(SECCOMP_RET_ALLOW);
}

void lockdown(pid_t child) {
    lockdown_files(child > 0);
    load(offsetof(struct seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, (uint32_t)THIS_MACHINE);
    answer(SECCOMP_RET_TRAP); /* 32-bit system calls have other numbers */
    load(offsetof(struct seccomp_data, nr));
    for (int i = 0; i < COUNT(allowed); i++)
        decide(allowed[i].number, SECCOMP_RET_ALLOW);
    for (int i = 0; i < COUNT(unanswered); i++)
        decide(unanswered[i], SECCOMP_RET_ERRNO | EPERM);
    if (child > 0)
        decide(SYS_wait4, SECCOMP_RET_ALLOW);
    allow_without(SYS_mmap, 2, PROT_EXEC, 3, MAP_SHARED);
    allow_without(SYS_mprotect, 2, PROT_EXEC, 2, PROT_EXEC);
    allow_signal(SYS_kill, (uint32_t)(child > 0 ? child : getpid()));
    allow_signal(SYS_tgkill, (uint32_t)getpid());
    allow_signal(SYS_tkill, (uint32_t)getpid());
    answer(SECCOMP_RET_TRAP);
    const struct sock_fprog filter = {length, program};
    if (THIS_MACHINE == 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

#else

void lockdown(pid_t child) {
    (void)child;
}

#endif
