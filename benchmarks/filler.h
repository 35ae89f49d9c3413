/* How long the device is held while the host issues the calls of a sample: as long as it proves to take. */
#ifndef BENCH_FILLER_H
#define BENCH_FILLER_H

enum { FILLER_FIRST_US = 200, FILLER_MOST_US = 400000 };

/* Operations that are queued behind it at most. A stream takes about 1,000, then a launch waits. */
enum { FILLER_MOST_OPERATIONS = 500 };

/* How many calls can be queued, each of so many kernels, copies and allocations: at most wanted, at least
 * one. */
int filler_calls(int wanted, int operations_of_call);

/* The hold after one that was too short, for calls that took the host issuing_us: twice as long. 0: no use,
 * the calls wait for the device, or take the host beyond all bounds. */
int filler_after(int filler_us, double issuing_us);

#endif
