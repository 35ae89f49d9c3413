/* For make debug: the cases of a check, kept in a folder as they are sent, and where it failed.
 *
 *   case-0, case-1, ...  the bytes of each case, as a runner reads them
 *   stop                 a line "KIND CASE INDEX OFFSET", then what the check said, for people:
 *       finding C I 0    the I-th finding of case C was told
 *       endless C S 0    step S of case C did not come to its end
 *       write C B O      byte O of buffer B, in the answer to case C, is wrong
 *       call C S 0       what step S of case C returned is wrong
 *       kernel C S 0     nothing is known but the case; the first kernel of step S is where to begin */
#ifndef KEPT_H
#define KEPT_H

#include "base/memory.h"
#include "check/context.h"

void keep_case(struct context *context, const struct list *bytes);
void keep_stop(const struct context *context);

/* The finding that is told of an outcome. */
void point_at_finding(struct context *context, const struct outcome *outcome, const struct finding *finding);

#endif
