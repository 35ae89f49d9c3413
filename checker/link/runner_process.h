/* A runner as the checker sees it: a process with a socket, whose printed text is drained and which may be
 * killed at any time. Nothing that it starts outlives it. */
#ifndef RUNNER_PROCESS_H
#define RUNNER_PROCESS_H

#include "link/protocol.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PRINTED_LIMIT = 64 * 1024, RUNNER_SOCKET = 3, EXIT_NO_DEVICE = 3 };

struct runner {
    const char *program, *submission;
    const char *tool,
        *tool_log; /* of compute-sanitizer that watches it, and the file for its report; null: none */
    pid_t pid;     /* 0: not running */
    int socket, output;
    int wait_status; /* valid after runner_stop or once runner_alive said no */
    char printed[PRINTED_LIMIT + 1];
    size_t printed_bytes;
    uint64_t printed_in_all; /* kept or not */
    bool printed_cut;        /* there was more */
};

/* Starts the program, when it is not running. Returns NULL, or a sentence (from malloc) that says why not. */
char *runner_start(struct runner *runner);

/* Kills it with all that it started, and waits for its end. Safe when it is not running. */
void runner_stop(struct runner *runner);

/* Tells it that no further case will come, by the end of its socket. */
void runner_dismiss(struct runner *runner);

/* Waits up to the given seconds for it to end by itself, then as runner_stop. */
void runner_finish(struct runner *runner, double seconds);

/* False: it has ended; wait_status says how. */
bool runner_alive(struct runner *runner);

/* Processor time that it has used, in seconds; 0 when it has ended. */
double runner_processor_seconds(const struct runner *runner);

/* True once it has ended, though what it sent may still wait to be read. */
bool runner_has_ended(const struct runner *runner);

/* Takes what it printed so far, without waiting. */
void runner_drain(struct runner *runner);
void runner_forget_printed(struct runner *runner);

/* "it was ended by SIGSEGV (an access to memory that is not there)" or "it ended with exit code 0";
 * from malloc. */
char *describe_end(int wait_status);

#endif
