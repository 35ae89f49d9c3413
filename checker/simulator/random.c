/* One stream of random numbers for each case (splitmix64): the same seed gives the same order of blocks,
 * threads and streams. */
#include "simulator.h"

static uint64_t state;

void sim_random_seed(uint64_t seed) {
    state = seed;
}

uint64_t sim_random(void) {
    uint64_t bits = state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}
