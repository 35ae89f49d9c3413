/* The command line of the checker. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "check/context.h"

struct options {
    const char *exercise, *compile_log, *scores, *print;
    bool list;
    struct session session; /* filled in but for suite and ready */
};

/* Exits with EX_USAGE (64) and one sentence where the options make no sense. */
struct options options_read(int count, char **arguments);

#endif
