/* check.json: what was graded, for programs. */
#ifndef RESULTS_H
#define RESULTS_H

#include "check/context.h"
#include <stdio.h>

enum grade {
    GRADE_PASSED = 0,
    GRADE_FAILED = 1,
    GRADE_INCOMPLETE = 2,
    GRADE_UNAVAILABLE = 3
}; /* exit codes */

const char *grade_name(enum grade grade);

/* failed when anything failed, crashed or ran out of time; else incomplete when anything is still to be
 * written, or has not been run yet; else passed. wanted[i] false: left out on purpose. */
enum grade grade_of(const struct suite *suite, const struct verdict *verdicts, const bool *wanted);

int points_of(const struct check *check, const struct verdict *verdict);
int score_of(const struct suite *suite, const struct verdict *verdicts);
/* Points of the checks that apply: one that this runtime cannot make counts in neither number, so that a
 * score can be compared with its maximum. All points where nothing could be graded at all. */
int max_score_here(const struct suite *suite, const struct verdict *verdicts);
int max_score_of(const struct suite *suite); /* all points */

/* Whether the check was asked for and this runtime cannot make it. */
bool does_not_apply(const struct verdict *verdict);

/* Writes session->output whole, then puts it in place at once, so that a reader sees the old file or the new
 * one and never a part. Returns NULL, or a sentence (from malloc) that says why not. */
char *results_write(const struct session *session, const struct verdict *verdicts, enum grade grade);

/* Keeps a full check of the student's own files, with the usual seed, beside session->output: as last.json, and as
 * best.json where no better one is there. Of any other check it keeps nothing. Returns as results_write. */
char *results_keep(const struct session *session, const struct verdict *verdicts, enum grade grade);

/* Prints a JSON file for scripts: a line "name, tab, value" for each member of the root, and for each object of a list
 * there a line "name, tab, key=value, tab, key=value ...". False: it is no JSON object. */
bool results_print(FILE *output, const char *file);

/* Prints a table of exercises, their state and last score, from what results_keep kept in
 * FOLDER/<exercise>, or else from check.json there. */
void results_list(FILE *output, const char *folder);

#endif
