/* Rules for device memory: every access of a kernel lies inside one live allocation, reads only bytes that
 * were written, and leaves the input alone. Counts the bytes. */
#include "simulator.h"
#include "watch.h"
#include <string.h>

static const char *doing(const struct access *access) {
    return access->kind == ACCESS_READ ? "reads" : access->kind == ACCESS_WRITE ? "writes" : "updates";
}

static void describe(struct finding *finding, const struct region *region, const struct access *access) {
    finding->write = access->kind != ACCESS_READ;
    finding->bytes = access->bytes;
    if (!region)
        return;
    memcpy(finding->buffer, region->name, sizeof finding->buffer);
    finding->offset = (int64_t)(access->address - region->start);
    finding->buffer_bytes = region->bytes;
}

/* The access is one that the hardware would refuse: the launch ends here. */
static void refuse(const struct access *access) {
    struct region *region = memory_nearest(access->address);
    struct finding finding = finding_new(FINDING_OUT_OF_BOUNDS, access->pc);
    describe(&finding, region, access);
    if (!region && memory_is_of_earlier_case(access->address)) {
        finding.kind = FINDING_USE_AFTER_FREE;
        finding_text(&finding,
                     "%s %zu bytes of memory that an earlier call had, which is gone: a pointer was kept in "
                     "a static variable",
                     doing(access), access->bytes);
    } else if (!region) {
        finding_text(&finding, "%s %zu bytes at an address that belongs to no allocation", doing(access),
                     access->bytes);
    } else if (region->state == REGION_FREED && access->address - region->start < region->bytes) {
        bool unordered = region->died && !operation_before(region->died, sim_block.operation);
        finding.kind = unordered ? FINDING_RACE_STREAMS : FINDING_USE_AFTER_FREE;
        finding_text(&finding, "%s %zu bytes of %s, which has been freed%s", doing(access), access->bytes,
                     region->name, unordered ? " on a stream that does not wait for this kernel" : "");
    } else if (region->state == REGION_PENDING && access->address - region->start < region->bytes) {
        finding.kind = FINDING_RACE_STREAMS;
        finding_text(&finding,
                     "%s %zu bytes of %s before its stream has allocated it: this kernel is on another",
                     doing(access), access->bytes, region->name);
    } else if (access->address < region->start) {
        finding_text(&finding, "%s %zu bytes, %zu bytes before the start of %s", doing(access), access->bytes,
                     (size_t)(region->start - access->address), region->name);
    } else {
        size_t past = access->address - region->start - region->bytes;
        if (access->address - region->start < region->bytes)
            finding_text(&finding, "%s %zu bytes, the last of them past the end of %s (%zu bytes)",
                         doing(access), access->bytes, region->name, region->bytes);
        else if (past == 0)
            finding_text(&finding,
                         "%s %zu bytes right behind the last one of %s (%zu bytes), past the end of %s",
                         doing(access), access->bytes, region->name, region->bytes, region->name);
        else
            finding_text(&finding, "%s %zu bytes, %zu bytes past the end of %s (%zu bytes)", doing(access),
                         access->bytes, past, region->name, region->bytes);
    }
    finding_send(&finding);
    error_stick(cudaErrorIllegalAddress);
    if (sim_current)
        block_abort();
}

/* Whether a wide load took whole elements that are written beside whole elements that are not: the padding of
 * a row, often, which it may throw away. Elements have 2 bytes or more. */
static bool is_partly_written(const unsigned char *initialised, size_t bytes) {
    size_t written = 0;
    for (size_t i = 0; i + 1 < bytes; i += 2) {
        if (initialised[i] != initialised[i + 1])
            return false;
        written += initialised[i];
    }
    return bytes > 2 && written > 0;
}

/* A warning where the bytes may go unused: whether they do cannot be seen here. */
static void report_uninitialised(const struct region *region, const struct access *access) {
    struct finding finding = finding_new(FINDING_UNINITIALISED, access->pc);
    describe(&finding, region, access);
    finding.warning =
        access->kind == ACCESS_READ && is_partly_written(region->initialised + finding.offset, access->bytes);
    finding_text(&finding, "reads %zu bytes of %s%s nothing has written", access->bytes, region->name,
                 finding.warning ? ", some of which" : " that");
    finding_send(&finding);
}

static void report_input_written(const struct region *region, const struct access *access) {
    struct finding finding = finding_new(FINDING_INPUT_WRITTEN, access->pc);
    describe(&finding, region, access);
    finding_text(&finding, "writes %zu bytes of %s, which is an input", access->bytes, region->name);
    finding_send(&finding);
}

static void report_unordered(const struct region *region, const struct access *access, const char *what) {
    struct finding finding = finding_new(FINDING_RACE_STREAMS, access->pc);
    describe(&finding, region, access);
    finding_text(&finding, "%s %s, but nothing orders this kernel after its %s on another stream",
                 doing(access), region->name, what);
    finding_send(&finding);
}

/* First use of a region in a launch: its counters start, and stream order is looked at once. */
static void begin_traffic(struct region *region, const struct access *access) {
    region->touched_by = sim_block.operation->issued;
    region->bytes_read = region->bytes_written = region->bytes_atomic = 0;
    region->reading = region->writing = region->blocks_read = region->blocks_written = 0;
    region->writing_bytes = region->most_written = 0;
    if (region->born && !operation_before(region->born, sim_block.operation))
        report_unordered(region, access, "allocation");
}

/* Blocks run one after the other, so one that has been counted is the last that was. */
static void count_read(struct region *region) {
    region->blocks_read += region->reading != sim_block.number;
    region->reading = sim_block.number;
}

static void count_written(struct region *region, size_t bytes) {
    if (region->writing != sim_block.number) {
        region->blocks_written++;
        region->writing_bytes = 0;
    }
    region->writing = sim_block.number;
    region->writing_bytes += bytes;
    if (region->writing_bytes > region->most_written)
        region->most_written = region->writing_bytes;
}

static bool any_unwritten(const unsigned char *initialised, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (!initialised[i])
            return true;
    return false;
}

static bool is_initialised(const unsigned char *initialised, size_t bytes) {
    uint32_t four;
    if (bytes != 4)
        return !any_unwritten(initialised, bytes);
    memcpy(&four, initialised, 4);
    return four == 0x01010101u;
}

/* An access that lies inside a live region. */
void region_access(struct region *region, const struct access *access) {
    size_t offset = access->address - region->start;
    if (region->touched_by != sim_block.operation->issued)
        begin_traffic(region, access);
    if (access->kind != ACCESS_WRITE && !is_initialised(region->initialised + offset, access->bytes))
        report_uninitialised(region, access);
    if (access->kind != ACCESS_WRITE)
        count_read(region);
    if (access->kind == ACCESS_READ) {
        region->bytes_read += access->bytes;
    } else {
        count_written(region, access->bytes);
        if (region->read_only)
            report_input_written(region, access);
        memset(region->initialised + offset, 1, access->bytes);
        if (access->kind == ACCESS_WRITE)
            region->bytes_written += access->bytes;
        else
            region->bytes_atomic += access->bytes;
    }
    watch_access(region, access);
    request_note(access, false);
    race_check(region->cells, offset, access, region->name, region->bytes);
}

bool region_contains(const struct region *region, const struct access *access) {
    return access->bytes <= region->bytes && access->address - region->start <= region->bytes - access->bytes;
}

void global_access(const struct access *access) {
    struct region *region = memory_find(access->address);
    if (region && region->state == REGION_LIVE && region_contains(region, access))
        region_access(region, access);
    else
        refuse(access);
}
