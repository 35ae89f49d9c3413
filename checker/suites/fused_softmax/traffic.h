/* What a call of fused_softmax moved and launched: proof of "one pass over memory". */
#ifndef FUSED_TRAFFIC_H
#define FUSED_TRAFFIC_H

#include "problem.h"

/* Ends the check as skipped where the runtime does not count bytes. */
void need_counts(struct context *context);

/* Fails the check unless the kernels read every element inside the rows of x exactly once (padding inside the
 * pitch may be read besides, once), wrote every element of y once and never read y, and touched no other
 * memory. The outcome is that of problem_run. */
void check_one_pass(struct context *context, const struct outcome *outcome, const struct problem *problem);

/* Fails the check unless the launch has ceil(rows / rows_per_block) blocks. */
void check_grid(struct context *context, const struct outcome *outcome, const struct problem *problem);

/* Fails the check where one block wrote more than rows_per_block rows, each once. Seen on the simulator
 * alone. */
void check_rows_of_a_block(struct context *context, const struct outcome *outcome,
                           const struct problem *problem);

/* Fails the check when anything was allocated or waited for. */
void check_no_scratch(struct context *context, const struct outcome *outcome);
void check_no_waits(struct context *context, const struct outcome *outcome);

#endif
