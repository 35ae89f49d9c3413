/* Counting in the simulator: one call of the operator, carried out by a runner. */
#ifndef BENCH_COUNTING_H
#define BENCH_COUNTING_H

#include "link/runner_process.h"
#include "settings.h"
#include "workload.h"
#include <jansson.h>

/* Calls the submission once on the workload and adds what was counted to the variant: "status" ("counted",
 * "wrong", "todo" or "failed"), "reason" where it is not the first, "error", and the object "counts". */
void count_call(const struct settings *settings, struct runner *runner, const struct workload *workload,
                int parameter, json_t *variant);

#endif
