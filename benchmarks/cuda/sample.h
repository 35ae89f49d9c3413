/* One sample: a time. */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

#include "bench_case.h"

/* Takes a sample of the variant and keeps it, in microseconds for one call; of plain calls also what issuing
 * one took the host. The calls get new numbers and poisoned outputs; a random row is compared with the oracle
 * afterwards. Gives the variant up where it is wrong, or where the host cannot be done before the device
 * begins. */
void sample_take(struct bench_case *bench, struct variant *variant, enum mode mode);

#endif
