/* runner FILE: loads a submission and carries out the cases that come over descriptor 3, until it closes.
 *
 * The submission is student code: it may crash, hang, print, or end the process. Each of these costs one case
 * and is named as what it was. The runner knows no right answer that could leak. */
#include "runner.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHECKER_SOCKET = 3, EXIT_NO_DEVICE = 3 };

int main(int count, char **arguments) {
    if (count != 2) {
        fputs("runner FILE: started by the checker, with a socket as descriptor 3.\n", stderr);
        return 64;
    }
    wire_open(CHECKER_SOCKET);
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct ready ready = {0};
    if (runtime_open(wire_send, &ready) != 0) {
        fprintf(stderr, "%s\n", ready.device);
        return EXIT_NO_DEVICE;
    }
    crash_open(&submission_hooks);
    char path[PATH_MAX];
    if (realpath(arguments[1], path) == NULL)
        snprintf(path, sizeof path, "%s", arguments[1]);
    if (chdir("/") != 0)
        fputs("The runner keeps its working folder.\n", stderr);
    submission_open(path);
    wire_send(RECORD_READY, &ready, sizeof ready);
    for (;;)
        case_perform(&ready);
}
