/* An end to waiting: a submission that never returns, or a kernel of it that never ends, ends the program
 * with a sentence. */
#ifndef BENCH_PATIENCE_H
#define BENCH_PATIENCE_H

#include "bench_case.h"

/* From now on, until patience_over. */
void patience_begin(const struct bench_case *bench, const struct variant *variant);
void patience_over(void);

#endif
