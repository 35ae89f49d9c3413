/* Very many rows, of which a sample is walked through (case_sample): what is known of the result is judged,
 * and that enough is known is demanded.
 *
 * A sampled case can only show that all is well. Where it does not, the check makes the whole case and judges
 * that: kernels that need all their blocks (the last block by a counter, say) leave too little known, and are
 * right all the same. */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "table.h"

/* Fails the check for a fault that lies in the code as such, whatever values it met. Returns false where
 * there is another one, or where the call of this step did not succeed. */
bool sampled_ran_well(struct context *context, const struct outcome *outcome, int step);

/* Whether y, laid out as x, holds the softmax of enough rows of x, the ends and both sides of 65,536 among
 * them, and no known row is wrong. */
bool sampled_shows_enough(const struct table *x, const void *y, double rtol, double atol);

#endif
