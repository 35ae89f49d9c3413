/* Takes from the runner's process what no softmax needs (lockdown.c). */
#ifndef LOCKDOWN_H
#define LOCKDOWN_H

/* From here on, refused system calls end in SIGSYS. */
void lockdown(void);

/* The submission is loaded: from here on no file is opened any more, not even to read it. */
void lockdown_files(void);

/* Name of a refused system call, for people. */
const char *lockdown_name(int number);

#endif
