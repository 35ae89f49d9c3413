/* See filler.h. Doubling finds a length for any call that can be issued ahead; one that waits for the device
 * takes longer with each longer hold, and comes to the bound after as many holds as add up to twice of it. */
#include "filler.h"

int filler_calls(int wanted, int operations_of_call) {
    const int fitting = FILLER_MOST_OPERATIONS / (operations_of_call > 0 ? operations_of_call : 1);
    return fitting >= wanted ? wanted : fitting > 1 ? fitting : 1;
}

int filler_after(int filler_us, double issuing_us) {
    return issuing_us >= FILLER_MOST_US || filler_us > FILLER_MOST_US / 2 ? 0 : 2 * filler_us;
}
