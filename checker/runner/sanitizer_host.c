/* From a report of AddressSanitizer or UndefinedBehaviorSanitizer to a finding. The runner is linked with
 * their runtimes (-fsanitize=address,undefined) and is itself compiled without. */
#include "runner.h"
#include "runtime_host.h"
#include <fcntl.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Signals are the business of crash.c; leaks are not graded. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:"
           "allocator_may_return_null=1";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) {
    return "halt_on_error=1";
}

void sanitizers_be_quiet(void) {
    __sanitizer_set_report_fd((void *)(intptr_t)open("/dev/null", O_WRONLY | O_CLOEXEC));
}

static enum finding_kind kind_of(const char *description) {
    if (strstr(description, "free") && !strstr(description, "use-after"))
        return FINDING_INVALID_FREE;
    if (strstr(description, "use-after"))
        return FINDING_USE_AFTER_FREE;
    if (strstr(description, "overflow") || strstr(description, "underflow") ||
        strstr(description, "bounds") || strstr(description, "unknown-crash") ||
        strstr(description, "poison"))
        return FINDING_OUT_OF_BOUNDS;
    return FINDING_CRASH;
}

void __asan_on_error(void);
void __asan_on_error(void) {
    const char *description = __asan_get_report_description();
    const uintptr_t address = (uintptr_t)__asan_get_report_address();
    const uintptr_t pc =
        host_caller((uintptr_t)__asan_get_report_pc(), (const uintptr_t *)__asan_get_report_bp());
    struct finding finding = {.kind = kind_of(description)};
    runtime_where(&finding, pc);
    finding.write = __asan_get_report_access_type() != 0;
    finding.bytes = __asan_get_report_access_size();
    host_name_place(&finding, address);
    if (finding.kind == FINDING_INVALID_FREE || finding.kind == FINDING_USE_AFTER_FREE)
        snprintf(finding.text, sizeof finding.text, "Memory that was freed was used or freed again%s%s (%s).",
                 finding.buffer[0] ? ": " : "", finding.buffer, description);
    else
        snprintf(finding.text, sizeof finding.text,
                 "%s of %llu bytes outside of the memory that it may use%s%s (%s).",
                 finding.write ? "A write" : "A read", (unsigned long long)finding.bytes,
                 finding.buffer[0] ? ", near " : "", finding.buffer, description);
    report_finding(&finding);
    _exit(1);
}

/* The runtime's own interface to its last report (compiler-rt, ubsan_monitor.h). */
void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file,
                                     unsigned *line, unsigned *column, char **address) __attribute__((weak));
void __ubsan_on_report(void);

void __ubsan_on_report(void) {
    const char *kind = "undefined-behaviour", *message = "undefined behaviour", *file = "";
    unsigned line = 0, column = 0;
    char *address = NULL;
    if (__ubsan_get_current_report_data)
        __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
    struct finding finding = {.kind = strstr(kind, "bounds") || strstr(kind, "pointer")
                                          ? FINDING_OUT_OF_BOUNDS
                                      : strstr(kind, "misaligned") ? FINDING_MISALIGNED
                                                                   : FINDING_UNDEFINED};
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    runtime_where(&finding, host_caller(0, __builtin_frame_address(0)));
    snprintf(finding.text, sizeof finding.text, "Undefined behaviour at %s:%u: %s.", name, line, message);
    report_finding(&finding);
    _exit(1);
}
