/* The record of a run: what became of each mutant of an exercise. */
#ifndef MUTANTS_RECORD_H
#define MUTANTS_RECORD_H

/* RESULTS holds a line for each mutant that was tried, tabs between: file, number, outcome, check, status,
 * seconds. Outcomes: not_compiled; killed, by this check with this status; same_code, where no check found it
 * and the compiler makes the same code of it at -O2; survived.
 *
 * folder: of the sources. step: every how many-th mutant was tried. reasons: reasons.h. Prints JSON, and on
 * standard error what is wrong: survivors without a reason, and, where all were tried, reasons for mutants
 * of which none survives. Returns 0, or 1 when something is. */
int record_write(const char *exercise, const char *folder, int step, const char *results,
                 const char *reasons);

#endif
