/* Signals and the time limit, turned into findings.
 *
 * A crash is reported with the place where it happened, then the default action ends the process, so that the
 * checker sees the signal too. The time limit counts processor time, so that a busy machine fails no one. A
 * program that uses hardly any sleeps or waits: it is stopped after twice the limit by the clock on the wall.
 */
#include "lockdown.h"
#include "runner.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static struct crash_hooks hooks;
static volatile sig_atomic_t loading;
static uint64_t limit_ms;
static double began, began_processor;
static timer_t processor_timer;

void crash_loading(bool now) {
    loading = now;
}

void report_finding(const struct finding *finding) {
    if (wire_is_sending())
        return; /* half a record is out: another would make both unreadable */
    if (loading)
        wire_send(RECORD_LOAD_ERROR, finding->text, strlen(finding->text));
    else
        wire_send(RECORD_FINDING, finding, sizeof *finding);
}

static void report(enum finding_kind kind, uintptr_t pc, const char *text) {
    struct finding finding = {.kind = kind, .step = -1};
    if (!loading)
        runtime_where(&finding, pc);
    snprintf(finding.text, sizeof finding.text, "%s", text);
    report_finding(&finding);
}

void end_with_finding(enum finding_kind kind, uintptr_t pc, const char *text) {
    fflush(NULL);
    report(kind, pc, text);
    _exit(1);
}

/* The address of the instruction that follows the one at which the signal struck, nearly: the checker takes
 * one byte off a return address to be inside of the call. In a library it is where the submission called that, as far as
 * the runner can tell. */
static uintptr_t struck_at(const void *context) {
    const ucontext_t *user = context;
#if defined(__x86_64__)
    const uintptr_t pc = (uintptr_t)user->uc_mcontext.gregs[REG_RIP] + 1,
                    stack = (uintptr_t)user->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    const uintptr_t pc = (uintptr_t)user->uc_mcontext.pc + 1, stack = (uintptr_t)user->uc_mcontext.sp;
#else
    const uintptr_t pc = 0, stack = 0;
    (void)user;
#endif
    return hooks.place ? hooks.place(pc, (const uintptr_t *)stack) : pc;
}

/* Was it a store that could not be done? */
static bool was_writing(const void *context) {
#if defined(__x86_64__)
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
    (void)context;
    return false;
#endif
}

static void on_crash(int number, siginfo_t *info, void *context) {
    char text[TEXT_BYTES];
    const uintptr_t address = (uintptr_t)info->si_addr;
    signal(number, SIG_DFL); /* a second crash, or the return from here, ends the process */
    if (number == SIGSEGV && hooks.named && !loading &&
        hooks.named(address, was_writing(context), struck_at(context)))
        return;
    if ((number == SIGSEGV || number == SIGBUS) && address < 4096)
        snprintf(text, sizeof text, "Your program followed a null pointer (SIG%s at address %#zx).",
                 sigabbrev_np(number), (size_t)address);
    else if (number == SIGSEGV || number == SIGBUS)
        snprintf(text, sizeof text, "Your program accessed memory that is not there (SIG%s at address %#zx).",
                 sigabbrev_np(number), (size_t)address);
    else if (number == SIGFPE)
        snprintf(text, sizeof text, "Your program divided an integer by zero (SIGFPE).");
    else if (number == SIGABRT)
        snprintf(text, sizeof text, "Your program was ended by abort() or a failed assert() (SIGABRT).");
    else
        snprintf(text, sizeof text,
                 "Your program ran into an instruction that ends it (SIG%s), as "
                 "__builtin_trap() does.",
                 sigabbrev_np(number));
    report(FINDING_CRASH, struck_at(context), text);
}

/* A system call that lockdown.c refuses. */
static void on_refused_call(int number, siginfo_t *info, void *context) {
    char text[TEXT_BYTES];
    (void)number;
    snprintf(text, sizeof text, "Your program made a system call that no softmax needs (%s) and was stopped.",
             lockdown_name(info->si_syscall));
    report(FINDING_FORBIDDEN, struck_at(context), text);
    _exit(1);
}

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void on_time_limit(int number, siginfo_t *info, void *context) {
    (void)info;
    char text[TEXT_BYTES];
    if (wire_is_sending())
        return; /* the checker will end this process */
    const double passed = seconds_of(CLOCK_MONOTONIC) - began;
    if (number == SIGALRM && hooks.at_work && hooks.at_work(passed))
        return;
    if (number == SIGALRM && seconds_of(CLOCK_PROCESS_CPUTIME_ID) - began_processor > passed / 20)
        return; /* it is at work, on a busy machine; the timer strikes again */
    if (number == SIGXCPU)
        snprintf(text, sizeof text, "Your program was still running after %.1f seconds and was stopped.",
                 (double)limit_ms / 1000);
    else
        snprintf(text, sizeof text, "Your program was still waiting after %.1f seconds and was stopped.",
                 passed);
    report(FINDING_ENDLESS, struck_at(context), text);
    _exit(1);
}

void crash_open(const struct crash_hooks *wanted) {
    hooks = *wanted;
    static char stack[1 << 16];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
    action.sa_sigaction = on_refused_call;
    sigaction(SIGSYS, &action, NULL);
    action.sa_sigaction = on_time_limit;
    action.sa_flags |= SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGXCPU, &action, NULL);
    timer_create(CLOCK_PROCESS_CPUTIME_ID,
                 &(struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGXCPU}, &processor_timer);
}

static void set_timers(uint64_t milliseconds, bool by_clock) {
    const uint64_t twice = by_clock ? 2 * milliseconds : 0;
    timer_settime(processor_timer, 0,
                  &(struct itimerspec){
                      .it_value = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000}},
                  NULL);
    setitimer(
        ITIMER_REAL,
        &(struct itimerval){.it_value = {(time_t)(twice / 1000), (suseconds_t)(twice % 1000) * 1000},
                            .it_interval = {(time_t)(twice / 1000), (suseconds_t)(twice % 1000) * 1000}},
        NULL);
}

void time_limit_begin(uint64_t milliseconds, bool by_clock) {
    limit_ms = milliseconds;
    began = seconds_of(CLOCK_MONOTONIC);
    began_processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    set_timers(milliseconds, by_clock);
}

void time_limit_end(void) {
    set_timers(0, true);
}
