/* Order that comes from atomics and fences, as CUDA's memory model has it (PTX ISA, "Memory Consistency
 * Model", release and acquire patterns).
 *
 * An atomic operation alone orders nothing but itself. What a thread did before a fence, and then an atomic
 * operation or a volatile store on some word, is before what another does that comes to that word later: the
 * first releases, the second acquires. A lock, the last one by a counter, a flag rest on this.
 *
 * Fences are counted, and a mark says how many there had been at the access: an access lies before a thread's
 * fence if it is the thread's own and its count is smaller, or another lane's from before a __syncwarp() that
 * lies before the fence. Inside a block a thread's fence and its operation on a word put its count into the
 * word's record, with all that its warp knew by then; who comes to the word takes the record over. Between
 * blocks a record is kept for each word and block: what the releasing thread did before its fence, and what
 * the others did before a barrier that lies before the release, is over for each block that has come to the
 * word since. Who comes to a word comes to those, too, that its releasing blocks had come to before.
 *
 * Where a correct program might be blamed, we are lenient: a fence after the acquiring operation is not asked
 * for, what one lane has acquired its warp knows, and a volatile load acquires. */
#include "fence_order.h"
#include "simulator.h"
#include <stdlib.h>
#include <string.h>

/* ---- inside a block ---- */

/* Of the block's accesses: known are those of a thread with fewer fences, and those of a warp with an earlier
 * clock. */
struct knowledge {
    uint32_t fences[BLOCK_MAX_THREADS], clock[BLOCK_MAX_WARPS];
};

struct record {
    uintptr_t address;
    struct knowledge released;
};

static uint32_t fences;                         /* in this launch */
static uint32_t fenced[BLOCK_MAX_THREADS];      /* of each thread: the count at its last fence, or 0 */
static uint32_t fence_clock[BLOCK_MAX_THREADS]; /* its warp's clock at that fence */
static uint32_t published[BLOCK_MAX_THREADS];   /* the same for fences that other blocks see */
static bool any_fence;                          /* in this block */
static struct knowledge known[BLOCK_MAX_WARPS];
static bool knows[BLOCK_MAX_WARPS];
static struct record *records; /* of this block */
static size_t record_count, record_room;

uint32_t fence_count(void) {
    return fences;
}

void fence_order_launch(void) {
    fences = 0;
}

void fence_order_block(void) {
    if (any_fence) {
        memset(fenced, 0, sizeof fenced);
        memset(published, 0, sizeof published);
    }
    any_fence = false;
    memset(knows, 0, sizeof knows);
    record_count = 0;
}

void sim_fence(enum sim_fence_kind kind) {
    if (!sim_current)
        return;
    const unsigned self = block_thread_number(sim_current);
    any_fence = true;
    fenced[self] = ++fences;
    fence_clock[self] = block_warp(sim_current)->clock;
    if (kind != SIM_FENCE_BLOCK)
        published[self] = fences;
}

bool fence_done(void) {
    return fenced[block_thread_number(sim_current)] != 0;
}

static struct record *record_of(uintptr_t address, bool make) {
    for (size_t i = 0; i < record_count; i++)
        if (records[i].address == address)
            return &records[i];
    if (!make)
        return NULL;
    if (record_count == record_room) {
        record_room = record_room ? 2 * record_room : 8;
        records = realloc(records, record_room * sizeof *records);
    }
    memset(&records[record_count], 0, sizeof *records);
    records[record_count].address = address;
    return &records[record_count++];
}

static void join(struct knowledge *to, const struct knowledge *from) {
    for (int i = 0; i < BLOCK_MAX_THREADS; i++)
        if (from->fences[i] > to->fences[i])
            to->fences[i] = from->fences[i];
    for (int i = 0; i < BLOCK_MAX_WARPS; i++)
        if (from->clock[i] > to->clock[i])
            to->clock[i] = from->clock[i];
}

void fence_order_acquire(uintptr_t address) {
    const struct record *record = record_of(address, false);
    const unsigned warp = block_thread_number(sim_current) / WARP_LANES;
    if (!record)
        return;
    if (!knows[warp])
        memset(&known[warp], 0, sizeof known[warp]);
    knows[warp] = true;
    join(&known[warp], &record->released);
}

void fence_order_release(uintptr_t address) {
    const unsigned self = block_thread_number(sim_current), warp = self / WARP_LANES;
    if (!fenced[self])
        return;
    struct record *record = record_of(address, true);
    if (knows[warp])
        join(&record->released, &known[warp]);
    if (fenced[self] > record->released.fences[self])
        record->released.fences[self] = fenced[self];
    if (fence_clock[self] > record->released.clock[warp])
        record->released.clock[warp] = fence_clock[self];
}

bool fence_order_before(const struct mark *mark) {
    const struct knowledge *mine = &known[block_thread_number(sim_current) / WARP_LANES];
    return knows[mine - known] && (mark->fences < mine->fences[mark->thread] ||
                                   mark->clock < mine->clock[mark->thread / WARP_LANES]);
}

/* ---- between blocks: a hash set of what each block has released ---- */

enum { FIRST_SIZE = 1024, REMEMBERED = 64, MAX_CHAINS = 1024 };

struct release {
    uintptr_t address;
    uint32_t block;  /* 0: empty */
    uint32_t fences; /* at the releasing thread's last fence that other blocks see */
    uint32_t warp_clock, barrier_clock;
    uint32_t came; /* to so many words had the block come */
    uint16_t thread;
    bool several; /* threads of the block have released this word */
};

static struct release *set;
static size_t set_size, set_used;
static uintptr_t mine[REMEMBERED]; /* words that the running block has come to */
static uint32_t mine_count;

/* A block that had come to one word has then released another. */
static struct { uintptr_t acquired, released; } chains[MAX_CHAINS];
static int chain_count;

static size_t place(uintptr_t address, uint32_t block) {
    uint64_t hash = ((uint64_t)address ^ ((uint64_t)block << 40)) * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(hash >> 20) & (set_size - 1);
    while (set[slot].block && (set[slot].address != address || set[slot].block != block))
        slot = (slot + 1) & (set_size - 1);
    return slot;
}

static void grow(void) {
    struct release *old = set;
    size_t old_size = set_size;
    set_size = old_size ? old_size * 2 : FIRST_SIZE;
    set = calloc(set_size, sizeof *set);
    for (size_t i = 0; i < old_size; i++)
        if (old[i].block)
            set[place(old[i].address, old[i].block)] = old[i];
    free(old);
}

void grid_order_launch(void) {
    chain_count = 0;
    if (set_used)
        memset(set, 0, set_size * sizeof *set);
    set_used = 0;
}

void grid_order_block(void) {
    mine_count = 0;
}

static bool is_mine(uintptr_t address) {
    for (uint32_t i = 0; i < mine_count && i < REMEMBERED; i++)
        if (mine[i] == address)
            return true;
    return false;
}

void grid_order_acquire(uintptr_t address) {
    if (is_mine(address))
        return;
    mine[mine_count++ % REMEMBERED] = address;
    for (int i = 0; i < chain_count; i++)
        if (chains[i].released == address)
            grid_order_acquire(chains[i].acquired);
}

static void chain(uintptr_t acquired, uintptr_t released) {
    if (acquired == released)
        return;
    for (int i = 0; i < chain_count; i++)
        if (chains[i].acquired == acquired && chains[i].released == released)
            return;
    chains[chain_count].acquired = acquired;
    chains[chain_count++].released = released;
}

/* What the running block has come to, others have come to after this release. Too many to keep: then blocks
 * that release are not blamed for races between them. */
static void chain_all(uintptr_t released) {
    for (uint32_t i = 0; i < mine_count && i < REMEMBERED && chain_count < MAX_CHAINS; i++)
        chain(mine[i], released);
}

void grid_order_release(uintptr_t address) {
    const unsigned self = block_thread_number(sim_current);
    if (!published[self])
        return;
    if (set_used * 2 >= set_size)
        grow();
    struct release *release = &set[place(address, sim_block.number)];
    const bool several = release->block && (release->several || release->thread != self);
    set_used += !release->block;
    if (!release->block || release->came != mine_count)
        chain_all(address);
    *release = (struct release){.address = address,
                                .block = sim_block.number,
                                .fences = published[self],
                                .warp_clock = block_warp(sim_current)->clock,
                                .barrier_clock = sim_block.barrier_clock,
                                .came = mine_count,
                                .thread = (uint16_t)self,
                                .several = several};
}

static bool covers(const struct release *release, const struct mark *mark) {
    if (!release->block)
        return false;
    if (release->thread == mark->thread || release->several)
        return mark->fences < release->fences;
    if (release->thread / WARP_LANES == mark->thread / WARP_LANES)
        return mark->clock < release->warp_clock;
    return mark->clock < release->barrier_clock;
}

bool grid_order_before(const struct mark *mark) {
    if (!set_used)
        return false;
    if (chain_count == MAX_CHAINS)
        return true;
    for (uint32_t i = 0; i < mine_count && i < REMEMBERED; i++)
        if (covers(&set[place(mine[i], mark->block)], mark))
            return true;
    return false;
}
