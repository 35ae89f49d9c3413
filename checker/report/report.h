/* The report that a student reads. */
#ifndef REPORT_H
#define REPORT_H

#include "report/results.h"
#include <stdio.h>

struct report {
    const struct session *session;
    const struct verdict *verdicts;
    const bool *wanted;
    enum grade grade;
    FILE *output;
    bool coloured;
    bool nothing_ran; /* one cause kept every check from being made */
};

void report_print(const struct report *report);

/* Whether to colour what goes to this file: a terminal, no NO_COLOR, no TERM=dumb. */
bool report_may_colour(FILE *output);

/* "split_softmax: your files in exercises/split_softmax, on the simulator, seed 1". From malloc. */
char *report_first_line(const struct session *session);

/* Prints text in lines of at most 94 columns, each after so many spaces. Line ends in text are kept; a line
 * that begins with a space is code and is not broken. */
void print_wrapped(FILE *output, const char *text, int indent);

#endif
