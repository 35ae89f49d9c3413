/* What was measured of a case, as JSON. */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include "bench_case.h"

/* Adds the case with its variants, samples, medians and comparisons to the record. Variants whose median is
 * below what memory can do are refused here. */
void record_case(json_t *document, const struct bench_case *bench, struct variant *variants, int count);

#endif
