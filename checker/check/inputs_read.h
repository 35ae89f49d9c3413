/* Whether the kernels of each call that succeeded have read its input (inputs_read.c). */
#ifndef INPUTS_READ_H
#define INPUTS_READ_H

#include "check/case.h"

/* Fails the check where they have not. The case must have come to its end. */
void check_inputs_read(struct context *context, const struct outcome *outcome);

#endif
