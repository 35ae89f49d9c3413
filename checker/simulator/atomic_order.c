/* Order between blocks of one launch that comes from atomics: a block which updates an address after another
 * block did, sees what that block wrote before. (The "last block to finish merges" pattern rests on this,
 * with a
 * __threadfence() in between, which is not looked for.) Blocks run one after the other here, so all updates
 * by another block came before everything the running block does after its own.
 *
 * One hash set of (address, block) pairs for the launch, and the addresses of the running block. */
#include "simulator.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1024, REMEMBERED = 64 };

struct pair {
    uintptr_t address;
    uint32_t block; /* 0: empty */
};

static struct pair *set;
static size_t set_size, set_used;
static uintptr_t mine[REMEMBERED];
static size_t mine_count;

static size_t place(uintptr_t address, uint32_t block) {
    uint64_t hash = ((uint64_t)address ^ ((uint64_t)block << 40)) * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(hash >> 20) & (set_size - 1);
    while (set[slot].block && (set[slot].address != address || set[slot].block != block))
        slot = (slot + 1) & (set_size - 1);
    return slot;
}

static void grow(void) {
    struct pair *old = set;
    size_t old_size = set_size;
    set_size = old_size ? old_size * 2 : FIRST_SIZE;
    set = calloc(set_size, sizeof *set);
    for (size_t i = 0; i < old_size; i++)
        if (old[i].block)
            set[place(old[i].address, old[i].block)] = old[i];
    free(old);
}

void atomic_order_launch(void) {
    if (set_used)
        memset(set, 0, set_size * sizeof *set);
    set_used = 0;
}

void atomic_order_block(void) {
    mine_count = 0;
}

void atomic_order_note(uintptr_t address) {
    for (size_t i = 0; i < mine_count && i < REMEMBERED; i++)
        if (mine[i] == address)
            return;
    mine[mine_count++ % REMEMBERED] = address;
    if (set_used * 2 >= set_size)
        grow();
    set[place(address, sim_block.number)] = (struct pair){address, sim_block.number};
    set_used++;
}

bool atomic_order_after(uint32_t block) {
    if (!set_used)
        return false;
    for (size_t i = 0; i < mine_count && i < REMEMBERED; i++)
        if (set[place(mine[i], block)].block)
            return true;
    return false;
}
