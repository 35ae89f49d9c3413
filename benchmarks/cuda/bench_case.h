/* A shape and type on the device: its slots, filled with new numbers again and again. */
#ifndef BENCH_BENCH_CASE_H
#define BENCH_BENCH_CASE_H

#include "variant.h"

/* Allocates and fills; false, with *trouble a sentence (from malloc), where the device has too little memory. */
bool case_open(struct bench_case *bench, const struct settings *settings, const struct gpu *gpu,
               const struct shape *shape, enum element_type type, char **trouble);
void case_close(struct bench_case *bench);

/* Enqueues new numbers for x of a slot, and poison for its y. */
void case_refill(struct bench_case *bench, int slot);

/* Waits, and compares the output of a slot with the oracle: all of it (or many of its rows), or one random
 * row. */
struct agreement case_check(struct bench_case *bench, int slot);
struct agreement case_check_one_row(struct bench_case *bench, int slot);

uint64_t case_random(struct bench_case *bench);

/* How many calls a sample of the variant holds. */
int case_calls(const struct bench_case *bench, const struct variant *variant, enum mode mode);

/* How many slots so many calls take turns over: the first ones. */
int case_slots(const struct bench_case *bench, int calls);

/* What a call must move at the least, in a sample of so many calls. */
struct traffic_contract case_contract(const struct bench_case *bench, enum mode mode, int calls);

#endif
