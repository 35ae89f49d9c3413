/* What each instruction of a kernel asks of memory, and every access one by one, where a case asks for it
 * (case_header.watch): for make compare, which names the lines that differ, and make map, which draws who touched
 * what. No check asks, so the checks pay one test of a flag.
 *
 * Sums are kept for a pair of instruction and region, in a table that begins anew with each launch. A request
 * of a warp belongs to the region of the first sector that it touches. */
#include "watch.h"
#include "simulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 4096 }; /* of one launch: a power of 2; what does not fit is not counted */

struct pair {
    const void *pc;              /* NULL: not in use */
    const struct region *region; /* NULL: shared memory */
    struct site_trace sum;
};

static unsigned watched;
static struct pair *pairs;
static struct list {
    void *items;
    size_t count, room;
} sites, touches;
static bool touches_cut;

void runtime_watch(unsigned what) {
    watched = what;
}

void watch_reset(void) {
    watched = 0;
    sites.count = touches.count = 0;
    touches_cut = false;
    if (pairs)
        memset(pairs, 0, PAIRS * sizeof *pairs);
}

static void *add(struct list *list, size_t item_bytes) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->items = realloc(list->items, list->room * item_bytes);
        if (!list->items)
            abort();
    }
    return (char *)list->items + list->count++ * item_bytes;
}

static bool is_watching(void) {
    return watched && sim_current && sim_block.launch->number >= 0;
}

static struct pair *find(const void *pc, const struct region *region) {
    if (!pairs)
        pairs = calloc(PAIRS, sizeof *pairs);
    if (!pairs)
        return NULL;
    size_t slot = (((uintptr_t)pc ^ (uintptr_t)region) * 0x9e3779b97f4a7c15u >> 40) % PAIRS;
    for (size_t tried = 0; tried < PAIRS; tried++, slot = (slot + 1) % PAIRS) {
        struct pair *pair = &pairs[slot];
        if (pair->pc == pc && pair->region == region)
            return pair;
        if (pair->pc)
            continue;
        pair->pc = pc;
        pair->region = region;
        pair->sum.buffer = region ? region->buffer : -1;
        pair->sum.shared = region == NULL;
        snprintf(pair->sum.name, sizeof pair->sum.name, "%.*s", NAME_BYTES - 1, region ? region->name : "");
        return pair;
    }
    return NULL;
}

static enum touch_kind kind_of(const struct access *access) {
    return access->kind == ACCESS_READ    ? TOUCH_READ
           : access->kind == ACCESS_WRITE ? TOUCH_WRITE
                                          : TOUCH_ATOMIC;
}

static void keep_touch(const struct region *region, const struct access *access) {
    if (touches.count == MAX_TOUCHES) {
        touches_cut = true;
        return;
    }
    const struct launch *launch = sim_block.launch;
    struct touch *touch = add(&touches, sizeof *touch);
    *touch =
        (struct touch){.kernel = (uint32_t)launch->number,
                       .buffer = region->buffer,
                       .offset = access->address - region->start,
                       .pc = runtime_pc(access->pc),
                       .block = sim_block.index[0] +
                                launch->grid[0] * (sim_block.index[1] + launch->grid[1] * sim_block.index[2]),
                       .thread = block_thread_number(sim_current),
                       .bytes = (uint16_t)access->bytes,
                       .kind = (uint16_t)kind_of(access)};
}

void watch_access(const struct region *region, const struct access *access) {
    if (!is_watching())
        return;
    if (watched & WATCH_TOUCHES && region->buffer >= 0)
        keep_touch(region, access);
    struct pair *pair = watched & WATCH_SITES ? find(access->pc, region) : NULL;
    if (!pair)
        return;
    pair->sum.kind = kind_of(access);
    pair->sum.accesses++;
    pair->sum.bytes += access->bytes;
}

/* Requests are completed between the threads of a block and after its last one. */
void watch_request(const void *pc, bool write, uintptr_t address, uint32_t lanes, uint32_t sectors,
                   uint32_t conflicts) {
    if (!(watched & WATCH_SITES) || sim_block.launch->number < 0)
        return;
    const struct region *region = address ? memory_find(address) : NULL;
    if (address &&
        !region) /* a variable of the submission: its address did not fit into the number of a sector */
        return;
    struct pair *pair = find(pc, region);
    if (!pair)
        return;
    const unsigned active = (unsigned)__builtin_popcount(lanes);
    if (!region) {
        pair->sum.kind = write ? TOUCH_WRITE : TOUCH_READ;
        pair->sum.accesses += active;
    }
    pair->sum.requests++;
    pair->sum.lanes += active;
    pair->sum.sectors += sectors;
    pair->sum.bank_conflicts += conflicts;
}

void watch_launch_ends(const struct launch *launch) {
    if (!(watched & WATCH_SITES) || !pairs || launch->number < 0)
        return;
    for (size_t i = 0; i < PAIRS; i++) {
        if (!pairs[i].pc)
            continue;
        pairs[i].sum.kernel = (uint32_t)launch->number;
        pairs[i].sum.pc = runtime_pc(pairs[i].pc);
        *(struct site_trace *)add(&sites, sizeof(struct site_trace)) = pairs[i].sum;
    }
    memset(pairs, 0, PAIRS * sizeof *pairs);
}

void watch_send(void) {
    for (size_t i = 0; i < sites.count; i++)
        runtime_record(RECORD_SITE, (struct site_trace *)sites.items + i, sizeof(struct site_trace));
    for (size_t begin = 0; begin < touches.count; begin += TOUCHES_IN_A_RECORD) {
        struct touches record = {.more = touches_cut};
        const size_t left = touches.count - begin;
        record.count = (uint32_t)(left < TOUCHES_IN_A_RECORD ? left : TOUCHES_IN_A_RECORD);
        memcpy(record.touch, (struct touch *)touches.items + begin, record.count * sizeof *record.touch);
        runtime_record(RECORD_TOUCHES, &record, sizeof record);
    }
}
