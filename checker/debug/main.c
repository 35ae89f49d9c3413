/* debug-simulator SUBMISSION [FOLDER [count]]: without a folder a runner like others, for the checker, which keeps the cases and
 * where the check failed (check/kept.h). With that folder the same cases again, for gdb; or to count the
 * writes to the byte that is wrong.
 *
 * The submission runs without the limits of runner/lockdown.c: it is the student's own, on the student's machine. */
#include "debug.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKER_SOCKET = 3 };

static const struct crash_hooks no_hooks;

int main(int count, char **arguments) {
    struct ready ready = {0};
    if (count < 2 || count > 4) {
        fputs("started by make debug\n", stderr);
        return 64;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (count > 2) {
        cases_folder = arguments[2];
        stop_read(count == 4);
        rows_open();
    } else {
        wire_open(CHECKER_SOCKET);
    }
    if (runtime_open(wire_send, &ready) != 0)
        return 1;
    crash_open(&no_hooks);
    char path[PATH_MAX];
    if (realpath(arguments[1], path) == NULL)
        snprintf(path, sizeof path, "%s", arguments[1]);
    submission_open(path);
    threads_open();
    wire_send(RECORD_READY, &ready, sizeof ready);
    for (;;)
        case_perform(&ready);
}
