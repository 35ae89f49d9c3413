/* Functions of the submission that have not come to their end once: an endless loop costs one time limit, and
 * not one in each check that calls the function. What is known is shared by all workers. */
#ifndef LATE_H
#define LATE_H

#include "check/check.h"

/* Before the workers are forked. Without shared memory nothing is ever known, and each check takes its whole
 * limit. */
void late_open(void);

/* The check in which a function that this case calls, or that such a function is made of, did not end; null:
 * none. */
const char *late_known(const struct suite *suite, const struct test_case *test_case);

/* The case did not end in the call of this step. -1: that is not known. */
void late_note(const struct suite *suite, const struct check *check, const struct outcome *outcome,
               int32_t step);

#endif
