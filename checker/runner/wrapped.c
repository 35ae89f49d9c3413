/* What a submission gets when it calls exit(), abort(), fork() and their kin: it is linked with --wrap for
 * the names in checker/simulator/wrapped_symbols.txt, so that its calls come here. Ending the process would
 * end the case without a verdict; signals and timers belong to the runner. */
#include "runner.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

_Noreturn void __wrap_exit(int status);
_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__Exit(int status);
_Noreturn void __wrap_quick_exit(int status);
_Noreturn void __wrap_abort(void);
_Noreturn void __wrap___assert_fail(const char *condition, const char *file, unsigned line,
                                    const char *function);
pid_t __wrap_fork(void);
pid_t __wrap_vfork(void);
void (*__wrap_signal(int number, void (*handler)(int)))(int);
int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *old);
int __wrap_setitimer(int which, const struct itimerval *value, struct itimerval *old);
unsigned __wrap_alarm(unsigned seconds);

static _Noreturn void ended(uintptr_t pc, const char *call, int status) {
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "Your program called %s(%d), which ends the whole process.", call, status);
    end_with_finding(FINDING_ENDED, pc, text);
}

#define CALLER ((uintptr_t)__builtin_return_address(0))

void __wrap_exit(int status) {
    ended(CALLER, "exit", status);
}
void __wrap__exit(int status) {
    ended(CALLER, "_exit", status);
}
void __wrap__Exit(int status) {
    ended(CALLER, "_Exit", status);
}
void __wrap_quick_exit(int status) {
    ended(CALLER, "quick_exit", status);
}

void __wrap_abort(void) {
    end_with_finding(FINDING_ENDED, CALLER, "Your program called abort(), which ends the whole process.");
}

void __wrap___assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
    char text[TEXT_BYTES];
    (void)file, (void)line;
    snprintf(text, sizeof text, "The assertion `%s` in %s did not hold.", condition,
             function ? function : "?");
    end_with_finding(FINDING_DEVICE_ASSERT, CALLER, text);
}

pid_t __wrap_fork(void) {
    end_with_finding(FINDING_ENDED, CALLER, "Your program called fork(); a softmax needs no second process.");
}

pid_t __wrap_vfork(void) {
    end_with_finding(FINDING_ENDED, CALLER,
                     "Your program called vfork(); a softmax needs no second process.");
}

/* Refused without a finding: the caller sees an error, as the manuals of these functions allow. */
void (*__wrap_signal(int number, void (*handler)(int)))(int) {
    (void)number, (void)handler;
    errno = EPERM;
    return SIG_ERR;
}

int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    (void)number, (void)action, (void)old;
    errno = EPERM;
    return -1;
}

int __wrap_setitimer(int which, const struct itimerval *value, struct itimerval *old) {
    (void)which, (void)value, (void)old;
    errno = EPERM;
    return -1;
}

unsigned __wrap_alarm(unsigned seconds) {
    (void)seconds;
    return 0;
}
