/* What compute-sanitizer wrote, read line by line. */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include "link/protocol.h"
#include <stdbool.h>
#include <stdio.h>

/* One of its messages. The texts are from malloc and never null. */
struct tool_message {
    enum finding_kind kind;
    bool warning;
    char *headline; /* "Invalid __global__ read of size 4 bytes" */
    char *details;  /* the lines below it that are about the access, each ended by a newline */
    char *file;     /* "split_softmax.cu", or "" */
    int line;
};

struct tool_report {
    struct tool_message *messages;
    size_t count;
    bool complete; /* the summary at its end is there */
    char *trouble; /* what the tool says of itself, such as that it cannot watch this device; or "" */
};

struct tool_report tool_report_read(FILE *file);
void tool_report_free(struct tool_report *report);

#endif
