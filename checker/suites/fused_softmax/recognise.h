/* Mistakes in a row of fused_softmax, recognised by its numbers. */
#ifndef FUSED_RECOGNISE_H
#define FUSED_RECOGNISE_H

#include "check/check.h"
#include "numbers/oracle.h"
#include "suites/shared/table.h"

/* A row of x with its right state, and what came back for it, in the type of x. */
struct row_view {
    const struct table *x;
    int64_t row;
    struct oracle_state state;
    const void *y;
};

/* Explains the row by the mistake that accounts for all of it. Returns false where none does. */
bool recognise_row(struct context *context, const struct row_view *view, const char *lesson);

#endif
