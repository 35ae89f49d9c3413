/* A variant's calls as CUDA graphs. */
#ifndef BENCH_GRAPH_H
#define BENCH_GRAPH_H

#include "bench_case.h"

/* Captures the calls into the variant's graphs and notes what a call launches and allocates. Gives the
 * variant up, and returns false, where a call cannot be captured or asks for a part of the L2. */
bool graph_capture(struct bench_case *bench, struct variant *variant);

#endif
