/* Grading one submission of one exercise. */
#ifndef GRADE_H
#define GRADE_H

#include "check/context.h"

/* Runs the checks of session->suite, writes check.json, prints the report on stdout and answers with the exit
 * code (enum grade; 64 or 70 for a run that graded nothing). compile_log: where the compiler's messages are,
 * shown when there is no session->submission; or null. */
int grade_submission(struct session *session, const char *compile_log);

#endif
