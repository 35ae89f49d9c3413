/* Mistakes in a row of fused_softmax, recognised by its numbers. */
#ifndef FUSED_RECOGNISE_H
#define FUSED_RECOGNISE_H

#include "problem.h"
#include "suites/shared/suspects.h"

/* What a wrong element is looked at together with. */
struct judged {
    const struct problem *problem;
    const char *y;             /* its first row */
    struct mistakes *mistakes; /* of the row that was asked for last */
};

/* Of a call that gave y: data is a struct judged. */
suspects_of fused_suspects;

/* What the suspects of a row are computed from, once. */
struct mistakes *mistakes_new(struct context *context);

#endif
