/* Device memory: one reserved range of addresses, in which every allocation has its own stretch.
 *
 * Between two allocations lies a gap, and no address is used twice in a case, so that a pointer which strays
 * or outlives its allocation meets a region that says so. An allocation starts on a multiple of 256 bytes, as
 * cudaMalloc promises, and never on a multiple of 512, so that no one relies on more. Where the first one
 * lies is drawn from the seed. Memory holds poison (0xFF in every byte: a NaN in each type) until it is
 * written, and again when it has been freed. */
#include "simulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GRANULE_BITS = 16,
    GRANULE = 1 << GRANULE_BITS, /* one region, or none, in each */
    MAX_REGIONS = 65535,
    START_OFFSET = 256,
    POISON = 0xFF
};

uintptr_t memory_base;
static char *initialised_base, *cells_base; /* of the shadows: a byte for each, a cell for each word */

static uint16_t *region_of_granule; /* index into regions, plus 1 */
static struct region **regions;
static size_t region_count;
static size_t next_granule = 1, first_granule = 1; /* of the range; of this case */
static bool far_apart;                             /* managed memory has been allocated in this case */

/* Between the first managed allocation and those before it: more than a matrix of 2^31 elements of 2 bytes,
 * so that one which is described as being so large need not overlap another. */
#define MANAGED_GAP_BYTES ((size_t)5 << 30)

/* What a case may take, gaps included. */
#define CASE_BYTES ((size_t)40 << 30)

/* Far from where this system puts programs and their libraries, so that in the host process nothing is there either. */
static void *const wanted_place = (void *)0x200000000000;

static void *reserve(void *wanted, size_t bytes, int protection) {
    void *range = mmap(wanted, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
        perror("the simulator cannot reserve addresses for device memory");
        exit(1);
    }
    return range;
}

void memory_open(void) {
    memory_base = (uintptr_t)reserve(wanted_place, MEMORY_RANGE_BYTES + GRANULE, PROT_NONE);
    memory_base = (memory_base + GRANULE - 1) & ~(uintptr_t)(GRANULE - 1);
    region_of_granule = reserve(NULL, (MEMORY_RANGE_BYTES >> GRANULE_BITS) * sizeof *region_of_granule,
                                PROT_READ | PROT_WRITE);
    regions = reserve(NULL, MAX_REGIONS * sizeof *regions, PROT_READ | PROT_WRITE);
    initialised_base = reserve(NULL, MEMORY_RANGE_BYTES + 2 * GRANULE, PROT_NONE);
    cells_base = reserve(NULL, (MEMORY_RANGE_BYTES + 2 * GRANULE) / 4 * sizeof(struct cell), PROT_NONE);
}

/* The shadow of a large region has its place from the start, so that it takes no addresses when the submission is there:
 * most of its pages are never touched. A process has no more than some 65,000 mappings, so small ones come from the
 * heap. */
static bool is_mapped(size_t bytes) {
    return bytes >= (size_t)1 << 20;
}

/* The pages that hold so many bytes, opened or closed. */
static bool protect(void *start, size_t bytes, int protection) {
    const uintptr_t page = 4096, first = (uintptr_t)start & ~(page - 1);
    const size_t length = ((uintptr_t)start + bytes - first + page - 1) & ~(page - 1);
    if (protection == PROT_NONE)
        madvise((void *)first, length, MADV_DONTNEED);
    return mprotect((void *)first, length, protection) == 0;
}

static void *shadow(size_t bytes, char *place) {
    if (!is_mapped(bytes))
        return calloc(bytes, 1);
    return protect(place, bytes, PROT_READ | PROT_WRITE) ? place : NULL;
}

static void drop(void *memory, size_t bytes) {
    if (memory && is_mapped(bytes))
        protect(memory, bytes, PROT_NONE);
    else
        free(memory);
}

/* Sizes in whole words of 4 bytes, plus one: an access at the very end may touch the next word's cell. */
static size_t words(size_t bytes) {
    return bytes / 4 + 2;
}

static bool make_shadow(struct region *region) {
    const size_t offset = region->start - memory_base;
    region->initialised = shadow(region->bytes + 8, initialised_base + offset);
    region->cells =
        shadow(words(region->bytes) * sizeof(struct cell), cells_base + offset / 4 * sizeof(struct cell));
    return region->initialised && region->cells;
}

static void drop_shadow(struct region *region) {
    drop(region->initialised, region->bytes + 8);
    drop(region->cells, words(region->bytes) * sizeof *region->cells);
    region->initialised = NULL;
    region->cells = NULL;
}

/* A buffer of gigabytes is one of which little is touched: what nobody wrote is known without its poison. */
static void poison(const struct region *region) {
    if (region->bytes < (size_t)1 << 30)
        memset((void *)region->start, POISON, region->bytes);
}

struct region *memory_allocate(size_t bytes, enum region_kind kind) {
    size_t granules = (START_OFFSET + bytes + GRANULE - 1) / GRANULE;
    if (kind == REGION_MANAGED && !far_apart) {
        far_apart = true;
        next_granule += MANAGED_GAP_BYTES >> GRANULE_BITS;
    }
    if (region_count == MAX_REGIONS || granules > (MEMORY_RANGE_BYTES >> GRANULE_BITS) - next_granule - 1)
        return NULL;
    uintptr_t first = memory_base + (next_granule << GRANULE_BITS);
    if (mprotect((void *)first, granules << GRANULE_BITS, PROT_READ | PROT_WRITE))
        return NULL;
    struct region *region = calloc(1, sizeof *region);
    *region = (struct region){.start = first + START_OFFSET,
                              .bytes = bytes,
                              .kind = kind,
                              .state = REGION_LIVE,
                              .buffer = -1,
                              .trace = -1};
    if (!make_shadow(region)) {
        drop_shadow(region);
        free(region);
        mprotect((void *)first, granules << GRANULE_BITS, PROT_NONE);
        return NULL;
    }
    poison(region);
    regions[region_count++] = region;
    for (size_t i = 0; i < granules; i++)
        region_of_granule[next_granule + i] = (uint16_t)region_count;
    next_granule += granules + 1 + sim_random() % 3;
    return region;
}

void memory_release(struct region *region) {
    region->state = REGION_FREED;
    poison(region);
    drop_shadow(region);
}

void memory_renew(struct region *region) {
    region->state = REGION_LIVE;
    region->touched_by = 0;
    make_shadow(region);
}

void memory_reset(void) {
    for (size_t i = 0; i < region_count; i++) {
        drop_shadow(regions[i]);
        free(regions[i]);
    }
    size_t granules = next_granule - first_granule;
    void *used = (void *)(memory_base + (first_granule << GRANULE_BITS));
    madvise(used, granules << GRANULE_BITS, MADV_DONTNEED);
    mprotect(used, granules << GRANULE_BITS, PROT_NONE);
    memset(region_of_granule + first_granule, 0, granules * sizeof *region_of_granule);
    region_count = 0;
    far_apart = false;
    if ((next_granule << GRANULE_BITS) > MEMORY_RANGE_BYTES - CASE_BYTES)
        next_granule = 1;
    next_granule += 1 + sim_random() % 1000;
    first_granule = next_granule;
}

bool memory_is_of_earlier_case(uintptr_t address) {
    return address - memory_base < first_granule << GRANULE_BITS;
}

bool memory_is_device(uintptr_t address) {
    return address - memory_base < MEMORY_RANGE_BYTES;
}

struct region *memory_nearest(uintptr_t address) {
    size_t granule = (address - memory_base) >> GRANULE_BITS;
    for (size_t back = 0; back < 4 && back <= granule; back++)
        if (region_of_granule[granule - back])
            return regions[region_of_granule[granule - back] - 1];
    return region_of_granule[granule + 1] ? regions[region_of_granule[granule + 1] - 1] : NULL;
}

struct region *memory_find(uintptr_t address) {
    if (!memory_is_device(address))
        return NULL;
    uint16_t number = region_of_granule[(address - memory_base) >> GRANULE_BITS];
    if (!number)
        return NULL;
    struct region *region = regions[number - 1];
    return address - region->start < region->bytes || (region->bytes == 0 && address == region->start)
               ? region
               : NULL;
}

size_t memory_in_use(void) {
    size_t bytes = 0;
    for (size_t i = 0; i < region_count; i++)
        if (regions[i]->state != REGION_FREED)
            bytes += regions[i]->bytes;
    return bytes;
}

size_t memory_region_count(void) {
    return region_count;
}

struct region *memory_region(size_t index) {
    return regions[index];
}

void memory_touch(struct region *region, uintptr_t address, size_t bytes) {
    memset(region->initialised + (address - region->start), 1, bytes);
}
