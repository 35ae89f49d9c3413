/* Two accesses to one byte, at least one of them a store and not both atomic, that nothing orders.
 *
 * For each word of memory we keep the last writer and the last reader. Whether an earlier access of the same
 * block lies before this one is told by clocks: each warp has one, which a __syncwarp() moves on, and a
 * __syncthreads() moves all of them to one later value (block.c). So an access by a lane of the same warp is
 * ordered if the clock has moved since, and one by another warp if it is older than the last barrier. A
 * __syncwarp() of some lanes only is taken to order all: a race may be missed, no correct program is blamed.
 * Blocks of one launch are never ordered but through fences and atomics; kernels by their streams. Nothing
 * depends on the order in which the threads happened to run.
 *
 * Two strong accesses, atomic or volatile, are no race, but order nothing by themselves (fence_order.c). */
#include "fence_order.h"
#include "simulator.h"
#include <stdio.h>
#include <string.h>

enum {
    WORD = 4,
    LAST_CLOCK = UINT16_MAX, /* as far as a mark can count; it then says nothing any more */
    COMPARED_BYTES = 16
};

/* A store over another thread's store: if both wrote the same value it is no fault. That shows only when
 * the store has been carried out, at the next thing that the thread does. */
static struct {
    bool open;
    uintptr_t address;
    size_t bytes;
    unsigned char before[COMPARED_BYTES];
    struct finding finding;
} unsettled;

/* A plain load that meets an atomic operation: `old = *address` in front of a loop of atomicCAS, or `if
 * (value > *address)` in front of an atomicMax, is no fault, as the operation looks again. Which load is one
 * of these shows when a thread does the atomic operation right after it, on the same word; another thread may
 * find nothing to do. So such a race is kept until the launch ends, and told if its load was never seen in
 * front of an atomic operation. */
enum { KEPT = 32 };

static struct {
    uint32_t load; /* pc */
    struct finding finding;
} kept[KEPT];
static int kept_count;
static uint32_t first_looks[KEPT]; /* loads in front of atomic operations, by pc */
static int first_look_count;

static struct {
    uintptr_t address;
    uint32_t pc;
    const struct thread *thread;
} last_load;

static void keep(uint32_t load, const struct finding *finding) {
    for (int i = 0; i < kept_count; i++)
        if (kept[i].load == load && kept[i].finding.at.pc == finding->at.pc)
            return;
    if (kept_count == KEPT)
        return;
    kept[kept_count].load = load;
    kept[kept_count++].finding = *finding;
}

static bool is_first_look(uint32_t load) {
    for (int i = 0; i < first_look_count; i++)
        if (first_looks[i] == load)
            return true;
    return false;
}

static void note_first_look(uint32_t load) {
    if (!is_first_look(load) && first_look_count < KEPT)
        first_looks[first_look_count++] = load;
}

void race_note_load(const struct access *access) {
    last_load.address = access->kind == ACCESS_READ ? access->address : 0;
    last_load.pc = (uint32_t)runtime_pc(access->pc);
    last_load.thread = sim_current;
}

void race_launch_ends(void) {
    for (int i = 0; i < kept_count; i++)
        if (!is_first_look(kept[i].load))
            finding_send(&kept[i].finding);
    kept_count = first_look_count = 0;
    last_load.thread = NULL;
}

void race_settle(void) {
    if (!unsettled.open)
        return;
    unsettled.open = false;
    if (memcmp((void *)unsettled.address, unsettled.before, unsettled.bytes) == 0) {
        unsettled.finding.kind = FINDING_SAME_VALUE;
        unsettled.finding.warning = 1;
    }
    finding_send(&unsettled.finding);
}

static uint16_t clock_now(const struct warp *warp) {
    return warp->clock < LAST_CLOCK ? (uint16_t)warp->clock : LAST_CLOCK;
}

static struct mark mark_here(unsigned bytes, bool strong, const void *pc) {
    return (struct mark){.block = sim_block.number,
                         .pc = (uint32_t)runtime_pc(pc),
                         .clock = clock_now(block_warp(sim_current)),
                         .thread = (uint16_t)(block_thread_number(sim_current) & (BLOCK_MAX_THREADS - 1)),
                         .bytes = bytes & 15u,
                         .atomic = strong,
                         .strong = strong,
                         .fences = fence_count() & 0x7fffffffu};
}

/* Could the access that left this mark happen at the same time as one by the running thread? */
static bool concurrent(const struct mark *mark) {
    if (mark->block == sim_block.number) {
        unsigned self = block_thread_number(sim_current);
        if (mark->thread == self || mark->clock == LAST_CLOCK)
            return false;
        if (mark->thread / WARP_LANES == self / WARP_LANES ? mark->clock != block_warp(sim_current)->clock
                                                           : mark->clock < sim_block.barrier_clock)
            return false;
        return !fence_order_before(mark);
    }
    if (mark->block >= sim_block.operation->first_block)
        return !grid_order_before(mark);
    return !operation_before(operation_of_block(mark->block), sim_block.operation);
}

static void block_index(const struct operation *operation, uint32_t block, unsigned index[3]) {
    uint32_t linear = block - operation->first_block;
    index[0] = linear % operation->launch->grid[0];
    index[1] = linear / operation->launch->grid[0] % operation->launch->grid[1];
    index[2] = linear / operation->launch->grid[0] / operation->launch->grid[1];
}

/* What an access belongs to: the array that holds it. */
struct holder {
    const char *name;
    size_t bytes, offset;
};

static const char *doing(bool write) {
    return write ? "writes" : "reads";
}

/* Says what this access does and with whom it collides. other_does: "writes", "reads", "updates". */
static void describe_other(struct finding *finding, const struct mark *other, const char *other_does) {
    const struct operation *operation = operation_of_block(other->block);
    unsigned index[3] = {0};
    if (operation->kind == OPERATION_LAUNCH) {
        block_index(operation, other->block, index);
        finding_thread(&finding->other, other->thread, index, NULL);
        finding->other.pc = other->pc ? other->pc | PC_OF_DEVICE : 0;
    } else {
        finding->other.pc = runtime_pc(operation->pc);
    }
    const char *does = doing(finding->write), *name = finding->buffer;
    if (other->block == sim_block.number)
        finding_text(finding, "%s what thread %u of the same block %s in %s, and no barrier lies between",
                     does, (unsigned)other->thread, other_does, name);
    else if (finding->kind == FINDING_RACE_GRID)
        finding_text(finding, "%s what block (%u,%u,%u) %s in %s, and blocks of one launch have no order",
                     does, index[0], index[1], index[2], other_does, name);
    else
        finding_text(finding, "%s%s what %s %s in %s, on a stream that nothing orders with this one",
                     finding->kernel[0] ? "" : "a copy or fill ", does,
                     operation->kind == OPERATION_LAUNCH ? operation->launch->name
                     : finding->kernel[0]                ? "a copy or fill"
                                                         : "another copy or fill",
                     other_does, name);
}

static void report(const struct mark *other, const char *other_does, const struct access *access,
                   const struct holder *holder, bool both_store) {
    const bool other_loads = strcmp(other_does, "reads") == 0;
    enum finding_kind kind = other->block == sim_block.number                   ? FINDING_RACE_BLOCK
                             : other->block >= sim_block.operation->first_block ? FINDING_RACE_GRID
                                                                                : FINDING_RACE_STREAMS;
    struct finding finding = finding_new(kind, access->pc);
    finding.write = access->kind != ACCESS_READ;
    finding.bytes = access->bytes;
    finding.offset = (int64_t)holder->offset;
    finding.buffer_bytes = holder->bytes;
    snprintf(finding.buffer, sizeof finding.buffer, "%s", holder->name);
    describe_other(&finding, other, other_does);
    const bool one_launch = kind != FINDING_RACE_STREAMS;
    if (one_launch && access->kind == ACCESS_READ && other->strong && !access->strong) {
        keep((uint32_t)runtime_pc(access->pc), &finding);
        return;
    }
    if (one_launch && access->kind == ACCESS_ATOMIC && other_loads && !other->strong) {
        keep(other->pc, &finding);
        return;
    }
    if (!both_store || access->bytes > COMPARED_BYTES) {
        finding_send(&finding);
        return;
    }
    race_settle();
    unsettled.open = true;
    unsettled.address = access->address;
    unsettled.bytes = access->bytes;
    unsettled.finding = finding;
    memcpy(unsettled.before, (void *)access->address, access->bytes);
}

static void note_reader(struct cell *cell, const struct mark *self) {
    struct mark *reader = &cell->reader, next = *self;
    next.atomic = 0;
    next.strong = self->strong && (reader->strong || reader->block != self->block || !reader->bytes);
    if (reader->block == self->block && reader->thread == self->thread) {
        next.atomic = reader->atomic;
        next.many = reader->many && reader->clock == self->clock;
        if (reader->clock == self->clock)
            next.bytes |= reader->bytes;
    } else if (reader->bytes & self->bytes) {
        if (reader->block == self->block) {
            next.atomic = reader->atomic;
            next.many = reader->clock == self->clock;
            cell->other_pc = reader->pc;
            cell->other_thread = reader->thread;
        } else if (reader->block >= sim_block.operation->first_block) {
            next.atomic = 1;
        }
    }
    *reader = next;
}

static void check_against_readers(const struct cell *cell, const struct mark *self,
                                  const struct access *access, const struct holder *holder) {
    const struct mark *reader = &cell->reader;
    if (!reader->block || !(reader->bytes & self->bytes) || (reader->strong && self->strong))
        return;
    if (concurrent(reader))
        report(reader, "reads", access, holder, false);
    else if (reader->block == self->block && reader->many && reader->clock == self->clock &&
             reader->clock != LAST_CLOCK) {
        struct mark other = *reader;
        other.thread = cell->other_thread & 0x3ff;
        other.pc = cell->other_pc;
        report(&other, "reads", access, holder, false);
    } else if (reader->block == self->block && reader->atomic) {
        struct mark other = *reader; /* nor which block */
        uint32_t first = sim_block.operation->first_block;
        other.block = self->block == first ? first + 1 : first;
        if (concurrent(&other))
            report(&other, "reads", access, holder, false);
    }
}

static void check_word(struct cell *cell, const struct mark *self, const struct access *access,
                       const struct holder *holder) {
    struct mark *writer = &cell->writer;
    if (writer->block && (writer->bytes & self->bytes) && !(writer->atomic && self->atomic) &&
        concurrent(writer))
        report(writer, writer->atomic ? "updates" : "writes", access, holder, access->kind == ACCESS_WRITE);
    if (access->kind == ACCESS_READ) {
        note_reader(cell, self);
        return;
    }
    check_against_readers(cell, self, access, holder);
    *writer = *self;
    cell->reader.block = 0;
}

/* Which bytes of a word an access touches, one bit each. It goes from word first to word last. */
static unsigned bytes_of_word(size_t word, size_t first, size_t last, size_t offset, size_t bytes) {
    unsigned touched = 15;
    if (word == first)
        touched &= 15u << (offset % WORD);
    if (word == last)
        touched &= 15u >> (WORD - 1 - (offset + bytes - 1) % WORD);
    return touched;
}

void race_check(struct cell *cells, size_t offset, const struct access *access, const char *name,
                size_t holder_bytes) {
    struct holder holder = {name, holder_bytes, offset};
    size_t first = offset / WORD, last = (offset + access->bytes - 1) / WORD;
    for (size_t word = first; word <= last; word++) {
        struct mark self =
            mark_here(bytes_of_word(word, first, last, offset, access->bytes), access->strong, access->pc);
        check_word(&cells[word], &self, access, &holder);
    }
}

void race_begin_atomic(uintptr_t address) {
    if (last_load.address == address && last_load.thread == sim_current)
        note_first_look(last_load.pc);
}

void race_forget_load(struct cell *cells, size_t offset) {
    struct mark *reader = &cells[offset / WORD].reader;
    if (reader->block == sim_block.number && reader->thread == block_thread_number(sim_current) &&
        !reader->many && !reader->atomic)
        reader->block = 0;
}

static bool unordered(const struct mark *mark, const struct mark *self) {
    return mark->block && (mark->bytes & self->bytes) && mark->block != self->block &&
           !operation_before(operation_of_block(mark->block), sim_block.operation);
}

void race_check_range(struct region *region, uintptr_t start, size_t bytes, bool write) {
    size_t offset = start - region->start, first = offset / WORD, last = (offset + bytes - 1) / WORD;
    bool said = false;
    for (size_t word = first; word <= last; word++) {
        struct mark self = {.block = sim_block.operation->first_block,
                            .bytes = bytes_of_word(word, first, last, offset, bytes)};
        struct cell *cell = &region->cells[word];
        bool meets = unordered(&cell->writer, &self) || (write && unordered(&cell->reader, &self));
        if (meets && !said) {
            const struct mark *other = unordered(&cell->writer, &self) ? &cell->writer : &cell->reader;
            struct finding finding = finding_new(FINDING_RACE_STREAMS, sim_block.operation->pc);
            finding.step = operation_of_block(other->block)->step;
            finding.write = write;
            finding.buffer_bytes = region->bytes;
            snprintf(finding.buffer, sizeof finding.buffer, "%s", region->name);
            describe_other(&finding, other, other == &cell->writer ? "writes" : "reads");
            finding_send(&finding);
            said = true;
        }
        if (write)
            *cell = (struct cell){.writer = self};
        else
            cell->reader = self;
    }
}
