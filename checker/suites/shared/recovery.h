/* A call after a failed one. */
#ifndef RECOVERY_H
#define RECOVERY_H

#include "check/check.h"

/* Fails the check when this call, for which nothing was made to fail, did not return cudaSuccess: an error of
 * an earlier call was left behind. where: the case, in a sentence. */
void check_recovered(struct context *context, const struct outcome *outcome, int step, const char *function,
                     const char *where);

#endif
