/* Calls for more rows than any memory of the case holds, to see what is asked of the device for them.
 *
 * Only the launch is judged, so what follows from the memory that is not there is no matter. The simulator
 * alone can look at it: there a kernel stops at the first address that is nobody's, and does no harm. */
#ifndef LAUNCHABLE_H
#define LAUNCHABLE_H

#include "check/check.h"

/* Fails the check where a launch of the case was refused by the device, or host code computed what C leaves
 * undefined, such as a number of blocks that overflows. what: the call, in a sentence. */
void check_launchable(struct context *context, const struct outcome *outcome, const char *what);

/* Adds a device buffer that lies further behind those before it than any matrix is long, so that one which is
 * only said to be large overlaps nothing. On a GPU it is managed memory: there a gap would have to be memory,
 * too. */
int far_buffer(struct context *context, struct test_case *test_case, const char *name, size_t bytes);

#endif
