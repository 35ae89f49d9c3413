/* The process that runs the host side of a submission, as the device process sees it. */
#ifndef HOST_PROCESS_H
#define HOST_PROCESS_H

#include "host_call/conversation.h"
#include <sys/types.h>

/* Starts build/host-client for the library with this path, until it has kept the areas free. */
void host_process_start(const char *path, const struct areas *areas);
pid_t host_process_number(void);

/* Serves it until it has loaded the library. Ends this process where it cannot. */
void host_process_await_loaded(void);

void host_process_case_begins(uint64_t milliseconds);

/* Is it at work, or has it something to say of where it waits? As crash_hooks wants it. */
bool host_process_at_work(double seconds);

#endif
