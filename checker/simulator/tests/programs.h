/* Runs one of the small CUDA programs of the tests in the simulator, and keeps what it recorded. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "link/runtime.h"

enum { PROGRAM_MAX_RECORDS = 64 };

extern struct finding program_findings[PROGRAM_MAX_RECORDS];
extern int program_finding_count;
extern struct kernel_trace program_kernels[PROGRAM_MAX_RECORDS];
extern int program_kernel_count;

/* Prepares the simulator and loads a shared object of build/tests/programs; fails the test where it cannot. */
void program_open(const char *file);

/* Runs a program of it as one call in a case of its own; returns what it returned. */
int program_run(const char *name, uint64_t seed);

/* The same with as many calls in one case; returns how many of them did not return 0. */
int program_run_calls(const char *name, uint64_t seed, int calls);

#endif
