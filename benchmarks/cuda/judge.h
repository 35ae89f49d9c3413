/* Whether a variant may be timed: is it right, can it be captured, and does it keep to the rules. */
#ifndef BENCH_JUDGE_H
#define BENCH_JUDGE_H

#include "bench_case.h"

/* Calls the variant, captures it, replays it, each on new numbers and poisoned outputs, and looks at the
 * graph. Leaves its graphs ready, or gives it up with the reason. */
void judge_before(struct bench_case *bench, struct variant *variant);

/* The same comparisons once more, after the timing. */
void judge_after(struct bench_case *bench, struct variant *variant);

/* Gives the variant up where its numbers do not agree. when: "after it was timed". */
bool judge_agreement(struct variant *variant, struct agreement agreement, const char *when);

/* Refuses a variant of which a part of the L2 was set aside. Returns whether it may go on. */
bool judge_l2(struct variant *variant, cudaStream_t stream);

#endif
