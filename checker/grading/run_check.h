/* Runs one check through libcheck and gives its verdict. */
#ifndef PERFORM_H
#define PERFORM_H

#include "check/context.h"

struct verdict perform(const struct session *session, const struct check *check, struct runner *runner,
                       struct symbols *symbols);

#endif
