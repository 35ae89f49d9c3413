/* torch.softmax, timed by a process of its own that takes its turn between ours (torch_softmax.py). */
#ifndef BENCH_TORCH_H
#define BENCH_TORCH_H

#include "bench_case.h"

struct torch; /* the process */

/* Starts it. Null, with *reason a sentence (from malloc), where there is none. */
struct torch *torch_start(const char *script, char **reason);
void torch_end(struct torch *torch);
const char *torch_version(const struct torch *torch);

/* A variant for this case; gives it up where the process cannot do it. */
struct variant torch_variant(struct torch *torch, const char *reason, const struct bench_case *bench);

/* A sample, by the same method. */
void torch_sample(struct torch *torch, struct variant *variant, enum mode mode);

/* Asks whether its numbers are right, and ends its case. */
void torch_close_case(struct torch *torch, struct variant *variant);

#endif
