/* Takes from a process that runs a submission what no softmax needs (lockdown.c). */
#ifndef LOCKDOWN_H
#define LOCKDOWN_H

#include <stdbool.h>
#include <sys/types.h>

/* What may be taken beyond what the process has by now: the simulator's reserve of addresses, the sanitizer's shadow. An
 * allocation beyond it fails, as it does where a machine has no more. */
void lockdown_memory(void);

/* Another user than root, and no capabilities. */
void lockdown_user(void);

/* apart.c: namespaces of its own for IPC and the network. Before it has threads. */
void lockdown_namespaces(void);

/* apart.c: no files and ports any more, by Landlock. has_child: it may signal others. */
void lockdown_files(bool has_child);

/* From here on, all system calls but those that are listed end in SIGSYS. child: a process that may be signalled and waited
 * for; 0: none. */
void lockdown(pid_t child);

/* Name of a system call that was refused, for people. */
const char *lockdown_name(int number);

#endif
