/* What make debug runs below gdb: the cases of one check once more, with both sides of the submission in this very process.
 *
 *   main.c         the program: first for the checker, like any runner; then by itself, from what the checker kept
 *   submission.c   loads the submission from its file, so that gdb finds its names and lines
 *   cases.c        cases from files; the linker's --wrap leads the runner's calls here, so that nothing of it differs
 *   stop.c         recognises the place that the checker named, and calls debug_stop(), where gdb waits
 *   threads.c      the same for kernels: each thread in its own stack (simulator)
 *   no_threads.c   in their place for an exercise in plain C
 *   rows.c         the matrices of each call
 *   commands.gdb   the commands
 *
 * gdb reads what lies here and in the simulator, by its debug information, and calls nothing: on processors with AMX, gdb 13
 * cannot call functions of the program. */
#ifndef DEBUG_H
#define DEBUG_H

#include "../runner/runner.h"

/* ---- cases.c ---- */

extern const char *cases_folder; /* null: a checker is at the socket */

/* ---- submission.c ---- */

extern uintptr_t debug_code[2]; /* the submission's, from where to where */

/* ---- stop.c ---- */

void stop_read(bool count); /* from cases_folder; count: only how often the byte that is wrong is written */
bool stop_by_clock(void);   /* is it a loop without end that is looked for? */
void stop_case_begins(void);
void stop_buffer(int index, const void *start, uint64_t bytes); /* where a buffer of the case lies */
void stop_call(int step, uint32_t function);                    /* it is about to be called */
void stop_finding(const struct finding *finding);
bool stop_is_first_write(uintptr_t address, size_t bytes); /* of the byte that is wrong */
void stop_write(uintptr_t address, size_t bytes);
void stop_kernel(int step, const char *name);

/* gdb has a breakpoint in the second, which the first calls. */
void debug_stop(void);
void debug_reached(void);

/* ---- threads.c, no_threads.c ---- */

extern const int debug_has_threads;

void threads_open(void); /* the submission is there */

/* Stops in the thread that the finding is about: in its own stack, where it is not the running one. */
void threads_stop_in(const struct finding *finding);
/* Which bytes of device memory from here on have been written, a byte for each; null: unknown. */
const unsigned char *threads_written(uintptr_t address);

/* ---- rows.c ---- */

void rows_open(void);
void rows_case_begins(void);
void rows_buffer(const struct buffer_spec *spec);
void rows_call(int index, const struct step *step, void *const pointers[4]);
bool rows_hold(int index, uintptr_t address); /* does a matrix of this call? */

#endif
