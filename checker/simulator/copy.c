/* Copies, fills, stream-ordered allocation and freeing, at the moment when their stream comes to them. */
#include "simulator.h"
#include <stdio.h>
#include <string.h>

static void note_use(struct region *region, const struct operation *operation) {
    uint32_t *used = &region->used.done[operation->stream_slot];
    if (operation->position > *used)
        *used = operation->position;
}

static void report(enum finding_kind kind, const struct region *region, const char *text) {
    struct finding finding = finding_new(kind, sim_block.operation->pc);
    finding.step = sim_block.operation->step;
    if (region)
        snprintf(finding.buffer, sizeof finding.buffer, "%s", region->name);
    finding_text(&finding, "%s", text);
    finding_send(&finding);
}

/* Memory that is freed, or not allocated yet, when a copy or fill uses it. */
static void report_dead(const struct region *region) {
    const struct operation *other = region->state == REGION_FREED ? region->died : region->born;
    if (other && !operation_before(other, sim_block.operation))
        report(
            FINDING_RACE_STREAMS, region,
            "a copy or fill uses memory that another stream allocates or frees, and nothing orders the two");
    else
        report(FINDING_USE_AFTER_FREE, region, "a copy or fill uses memory that has been freed");
}

/* One row of a copy or fill, in device memory: inside a live allocation or a variable of the submission, and
 * ordered after what it meets. Where the first row is of the host's memory, all are: a pitch leads anywhere. */
static bool usable(uintptr_t start, size_t bytes, bool write, bool host, struct region **region) {
    *region = memory_find(start);
    if (!*region)
        *region = variable_find(start);
    if (host ? *region || memory_is_device(start) : !*region) {
        report(FINDING_OUT_OF_BOUNDS, NULL, "a copy or fill uses an address that belongs to no allocation");
    } else if (*region && (*region)->state != REGION_LIVE) {
        report_dead(*region);
    } else if (*region && (bytes > (*region)->bytes || start - (*region)->start > (*region)->bytes - bytes)) {
        report(FINDING_OUT_OF_BOUNDS, *region, "a copy or fill runs past the end of its allocation");
    } else {
        if (*region) {
            note_use(*region, sim_block.operation);
            race_check_range(*region, start, bytes, write);
        }
        return true;
    }
    error_stick(cudaErrorIllegalAddress);
    return false;
}

static bool is_host(uintptr_t address) {
    return !memory_is_device(address) && !variable_find(address);
}

/* False: it cannot be done, and those after it are not tried. */
static bool copy_row(const struct operation *operation, uintptr_t from_start, size_t row) {
    const uintptr_t source = from_start + row * operation->source_pitch,
                    destination = operation->destination + row * operation->destination_pitch;
    const size_t bytes = operation->width;
    struct region *from, *to;
    if (!bytes || !usable(source, bytes, false, is_host(from_start), &from) ||
        !usable(destination, bytes, true, is_host(operation->destination), &to))
        return false;
    memcpy((void *)destination, (void *)source, bytes);
    if (to && from)
        memcpy(to->initialised + (destination - to->start), from->initialised + (source - from->start),
               bytes);
    else if (to)
        memory_touch(to, destination, bytes);
    return true;
}

void copy_execute(struct operation *operation) {
    sim_block.operation = operation;
    operation_take_blocks(operation, 1);
    uintptr_t source = operation->staging ? (uintptr_t)operation->staging : operation->source;
    for (size_t row = 0; row < operation->rows; row++)
        if (!copy_row(operation, source, row))
            return;
}

void fill_execute(struct operation *operation) {
    sim_block.operation = operation;
    operation_take_blocks(operation, 1);
    for (size_t row = 0; row < operation->rows; row++) {
        uintptr_t start = operation->destination + row * operation->destination_pitch;
        struct region *region;
        if (!operation->width || !usable(start, operation->width, true, false, &region))
            return;
        memset((void *)start, operation->value, operation->width);
        memory_touch(region, start, operation->width);
    }
}

void allocate_execute(struct operation *operation) {
    if (operation->region->state == REGION_PENDING) /* or it was freed first, on another stream */
        operation->region->state = REGION_LIVE;
}

void free_execute(struct operation *operation) {
    struct region *region = operation->region;
    sim_block.operation = operation;
    if (region->state == REGION_FREED) {
        report(FINDING_INVALID_FREE, region, "memory is freed a second time");
        return;
    }
    region->died = operation;
    if (region->born && !operation_before(region->born, operation)) {
        report(FINDING_RACE_STREAMS, region,
               "memory is freed on another stream than it was allocated on, and nothing orders the two");
        memory_release(region);
        return;
    }
    for (int i = 0; i < MAX_STREAMS; i++)
        if (region->used.done[i] > operation->before.done[i]) {
            report(FINDING_RACE_STREAMS, region,
                   "memory is freed on a stream that does not wait for the kernels which use it on another");
            break;
        }
    memory_release(region);
}
