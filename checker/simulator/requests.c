/* What a warp asks of memory at once: 32-byte sectors of global memory, conflicts of shared-memory banks,
 * lanes that take part.
 *
 * On a GPU the lanes of a warp execute one load together. Here each lane runs for itself, so the parts of one
 * request arrive one by one: the nth time that a lane comes by an instruction belongs to the nth request of
 * its warp there. A request is complete when every lane of the warp has been by, or when the block ends.
 *
 * Global memory: the distinct sectors that the lanes touch. Shared memory: 32 banks, 4 bytes wide; a bank
 * serves one word at a time, so a request takes as many turns as the busiest bank has words, and each turn
 * beyond the first is a conflict. (Accesses wider than 4 bytes are served in parts; their conflicts are not
 * counted.) */
#include "simulator.h"
#include "watch.h"
#include <stdlib.h>
#include <string.h>

enum {
    SITES = 256,          /* instructions that are followed at a time, for each warp: a power of 2 */
    OPEN_REQUESTS = 1024, /* of one instruction and warp: a power of 2 */
    PLACES = 64,          /* sectors or words of one request */
    BANKS = 32,
    SECTOR_BITS = 5,
    WORD_BITS = 2
};

struct request {
    uint32_t lanes;
    uint32_t count;
    uint32_t place[PLACES];
};

/* One instruction, as one warp executes it. */
struct site {
    const void *pc; /* NULL: not in use */
    bool shared, write, wide;
    uint32_t first, next;        /* numbers of the requests that are open: first <= n < next */
    uint32_t passed[WARP_LANES]; /* how often each lane has been by */
    struct request *open;        /* request n is open[n % OPEN_REQUESTS] */
    struct site *used;           /* the site that came into use before this one */
};

static struct site *sites, *last_used;

static unsigned count_conflicts(const struct request *request) {
    unsigned char words[BANKS] = {0}, most = 1;
    for (uint32_t i = 0; i < request->count; i++) {
        unsigned char of_bank = ++words[request->place[i] % BANKS];
        if (of_bank > most)
            most = of_bank;
    }
    return most - 1u;
}

static void close_first(struct site *site) {
    struct request *request = &site->open[site->first++ % OPEN_REQUESTS];
    struct kernel_trace *trace = &sim_block.launch->trace;
    trace->requests++;
    trace->request_lanes += (unsigned)__builtin_popcount(request->lanes);
    unsigned conflicts = 0;
    if (!site->shared)
        *(site->write ? &trace->sectors_written : &trace->sectors_read) += request->count;
    else if (!site->wide)
        conflicts = count_conflicts(request);
    trace->bank_conflicts += conflicts;
    watch_request(site->pc, site->write,
                  site->shared ? 0 : memory_base + ((uintptr_t)request->place[0] << SECTOR_BITS),
                  request->lanes, site->shared ? 0 : request->count, conflicts);
}

static struct site *find(const struct access *access, unsigned warp, bool shared) {
    if (!sites)
        sites = calloc((size_t)SITES * BLOCK_MAX_WARPS, sizeof *sites);
    size_t slot = ((uintptr_t)access->pc * 0x9e3779b97f4a7c15u >> 40) % SITES;
    for (size_t tried = 0; tried < SITES; tried++, slot = (slot + 1) % SITES) {
        struct site *site = &sites[warp * SITES + slot];
        if (site->pc == access->pc)
            return site;
        if (site->pc)
            continue;
        struct request *open = site->open ? site->open : malloc(OPEN_REQUESTS * sizeof *open);
        *site = (struct site){.pc = access->pc,
                              .shared = shared,
                              .write = access->kind != ACCESS_READ,
                              .wide = access->bytes > 4,
                              .open = open,
                              .used = last_used};
        last_used = site;
        return site;
    }
    return NULL;
}

static void add_place(struct request *request, uint32_t place) {
    for (uint32_t i = request->count; i-- > 0;)
        if (request->place[i] == place)
            return;
    if (request->count < PLACES)
        request->place[request->count++] = place;
}

void request_note(const struct access *access, bool shared) {
    unsigned thread = block_thread_number(sim_current), warp = thread / WARP_LANES,
             lane = thread % WARP_LANES;
    struct site *site = find(access, warp, shared);
    if (!site)
        return;
    uint32_t number = site->passed[lane]++;
    if (number < site->first) /* so many were open that this one has been closed already */
        number = site->passed[lane] = site->first;
    if (number >= site->next) {
        if (site->next - site->first == OPEN_REQUESTS)
            close_first(site);
        site->next = number + 1;
        site->open[number % OPEN_REQUESTS].lanes = site->open[number % OPEN_REQUESTS].count = 0;
    }
    struct request *request = &site->open[number % OPEN_REQUESTS];
    request->lanes |= 1u << lane;
    int bits = shared ? WORD_BITS : SECTOR_BITS;
    uintptr_t origin = shared ? 0 : memory_base;
    uintptr_t first = (access->address - origin) >> bits,
              last = (access->address + access->bytes - 1 - origin) >> bits;
    for (uintptr_t place = first; place <= last; place++)
        add_place(request, (uint32_t)place);
    if (number == site->first && request->lanes == sim_block.warp[warp].lanes)
        close_first(site);
}

void request_block_ends(void) {
    for (struct site *site = last_used; site; site = site->used) {
        while (site->first < site->next)
            close_first(site);
        site->pc = NULL;
    }
    last_used = NULL;
}
