/* The kernel as the last guard: a seccomp filter, set before the submission is loaded, by which system calls
 * that neither the runner nor a softmax makes end in SIGSYS. So no file is written, no process or thread is
 * started, no signal sent to others and no other process looked into, by whatever way the call came about.
 * crash.c turns the signal into a finding.
 *
 * A filter cannot be taken off again. Where the kernel offers none, the runner does without: the rules at
 * compile time (checker/compile/trust.sh) and the wrapped functions (wrapped.c) still hold. A CUDA driver
 * needs threads, files and devices, so the runner for a GPU (CUDA_VERSION is defined there) sets none. */
#include "lockdown.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

/* Names are said to the student. A number that this machine lacks is left out. */
static const struct {
    int number;
    const char *name;
} refused[] = {
#define CALL(name)                                                                                           \
    { SYS_##name, #name }
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
#ifdef SYS_clone3
    CALL(clone3),
#endif
    CALL(execve),
    CALL(execveat),
    CALL(ptrace),
    CALL(process_vm_readv),
    CALL(process_vm_writev),
    CALL(socket),
    CALL(socketpair),
    CALL(connect),
    CALL(bind),
    CALL(unlinkat),
    CALL(renameat2),
#ifdef SYS_renameat
    CALL(renameat),
#endif
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
    CALL(rt_sigqueueinfo),
    CALL(sendto),
    CALL(sendmsg),
#ifdef SYS_sendmmsg
    CALL(sendmmsg),
#endif
#ifdef SYS_pidfd_open
    CALL(pidfd_open),
    CALL(pidfd_send_signal),
#endif
#ifdef SYS_io_uring_setup
    CALL(io_uring_setup),
#endif
#ifdef SYS_openat2
    CALL(openat2),
#endif
};

enum { REFUSED = sizeof refused / sizeof *refused, LONGEST = 2 * REFUSED + 48 };

const char *lockdown_name(int number) {
    for (int i = 0; i < REFUSED; i++)
        if (refused[i].number == number)
            return refused[i].name;
    if (number == SYS_openat)
        return "openat, to open a file";
#ifdef SYS_open
    if (number == SYS_open)
        return "open, to open a file";
#endif
    if (number == SYS_kill || number == SYS_tgkill || number == SYS_tkill)
        return "kill";
    return "a system call";
}

/* What a submission may take beyond what the runner has: the simulator's reserve of addresses, the
 * sanitizer's shadow. An allocation beyond it fails, as it does where a machine has no more. */
static void limit_memory(void) {
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

#ifdef SECCOMP_RET_TRAP

/* Arguments are 64 bits wide; the low half is what flags and process numbers are in. */
#define ARGUMENT(n) (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (n))

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

static void refuse(int number) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)number);
    answer(SECCOMP_RET_TRAP);
}

/* Refuses to open a file for anything but reading. */
static void refuse_writing(int number, int flags_argument) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)number);
    load(ARGUMENT(flags_argument));
    add(BPF_JMP | BPF_JSET | BPF_K, 0, 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
    answer(SECCOMP_RET_TRAP);
    answer(SECCOMP_RET_ALLOW);
}

/* Refuses a signal to anyone but this process, as raise() and abort() send them. */
static void refuse_others(int number) {
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)number);
    load(ARGUMENT(0));
    add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, (uint32_t)getpid());
    answer(SECCOMP_RET_TRAP);
    answer(SECCOMP_RET_ALLOW);
}

static void begin(void) {
    length = 0;
    load(offsetof(struct seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, (uint32_t)THIS_MACHINE);
    answer(SECCOMP_RET_TRAP); /* 32-bit system calls have other numbers */
    load(offsetof(struct seccomp_data, nr));
}

static void install(void) {
    answer(SECCOMP_RET_ALLOW);
    const struct sock_fprog filter = {length, program};
    if (THIS_MACHINE == 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

void lockdown(void) {
    limit_memory();
    begin();
#ifdef __x86_64__
    add(BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000u); /* and so have those of the x32 ABI */
    answer(SECCOMP_RET_TRAP);
#endif
    for (int i = 0; i < REFUSED; i++)
        refuse(refused[i].number);
#ifdef SYS_open
    refuse_writing(SYS_open, 1);
#endif
    refuse_writing(SYS_openat, 2);
    refuse_others(SYS_kill);
    refuse_others(SYS_tgkill);
    refuse_others(SYS_tkill);
    install();
}

void lockdown_files(void) {
    begin();
#ifdef SYS_open
    refuse(SYS_open);
#endif
    refuse(SYS_openat);
    install();
}

#else

void lockdown(void) {
    limit_memory();
}
void lockdown_files(void) {}

#endif
