/* What the lanes of a warp do together: shuffles, votes, matches, reductions, __syncwarp.
 *
 * A lane leaves its operand and waits; the last lane of the mask to arrive computes every lane's result and
 * goes on at once, so that an operation costs one switch a lane. Lanes that have returned, or that a short
 * last warp never had, count as arrived: CUDA asks only non-exited threads named in the mask. To read such a
 * lane gives an undefined value. */
#include "simulator.h"
#include <string.h>

enum warp_kind { WARP_SYNC = 1, WARP_SHUFFLE, WARP_VOTE, WARP_MATCH = 8, WARP_REDUCE = 12 };

/* What a shuffle yields that reads a lane which is not there: as a float +infinity, which no maximum and no
 * sum survives. To read it and throw it away is correct, so the finding is a warning. */
static const uint64_t UNDEFINED_BITS = 0x7f8000007f800000u;

static const char *kind_name(int kind) {
    if (kind == WARP_SYNC)
        return "__syncwarp";
    if (kind == WARP_SHUFFLE)
        return "a shuffle";
    if (kind < WARP_MATCH)
        return "a vote";
    if (kind < WARP_REDUCE)
        return "a match";
    return "a warp reduction";
}

static struct thread *lane_of(struct warp *warp, int lane) {
    return &sim_block.thread[(warp - sim_block.warp) * WARP_LANES + lane];
}

static void report_absent_source(struct warp *warp, int lane, int source) {
    struct thread *thread = lane_of(warp, lane);
    struct finding finding = finding_new(FINDING_LANE_ABSENT, thread->pc);
    finding_thread(&finding.at, block_thread_number(thread), sim_block.index, thread->pc);
    const char *why = !(warp->lanes & 1u << source) ? "which this block does not have"
                      : warp->exited & 1u << source ? "which has returned"
                                                    : "which is not in the mask";
    finding.warning = 1;
    finding_text(&finding, "lane %d's shuffle reads lane %d, %s: the value is undefined", lane, source, why);
    finding_send(&finding);
}

static void complete_shuffle(struct warp *warp, uint32_t arrived) {
    uint64_t operand[WARP_LANES];
    for (uint32_t rest = arrived; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        operand[lane] = lane_of(warp, lane)->bits;
    }
    for (uint32_t rest = arrived; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        int source = lane_of(warp, lane)->argument;
        if (arrived & 1u << source) {
            lane_of(warp, lane)->bits = operand[source];
        } else {
            report_absent_source(warp, lane, source);
            lane_of(warp, lane)->bits = UNDEFINED_BITS;
        }
    }
}

static void complete_vote(struct warp *warp, uint32_t arrived, int kind) {
    uint32_t ballot = 0;
    for (uint32_t rest = arrived; rest; rest &= rest - 1)
        if (lane_of(warp, __builtin_ctz(rest))->bits)
            ballot |= rest & -rest;
    uint32_t result = kind == SIM_VOTE_BALLOT ? ballot
                      : kind == SIM_VOTE_ANY  ? ballot != 0
                                              : ballot == arrived;
    for (uint32_t rest = arrived; rest; rest &= rest - 1)
        lane_of(warp, __builtin_ctz(rest))->bits = result;
}

static void complete_match(struct warp *warp, uint32_t arrived, int kind) {
    uint32_t same[WARP_LANES] = {0};
    for (uint32_t rest = arrived; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        for (uint32_t others = arrived; others; others &= others - 1)
            if (lane_of(warp, __builtin_ctz(others))->bits == lane_of(warp, lane)->bits)
                same[lane] |= others & -others;
    }
    for (uint32_t rest = arrived; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        lane_of(warp, lane)->bits = kind == SIM_MATCH_ANY || same[lane] == arrived ? same[lane] : 0;
    }
}

static uint32_t reduce_two(int kind, uint32_t a, uint32_t b) {
    switch (kind) {
    case SIM_REDUCE_ADD:
        return a + b;
    case SIM_REDUCE_MIN:
        return a < b ? a : b;
    case SIM_REDUCE_MAX:
        return a > b ? a : b;
    case SIM_REDUCE_MIN_SIGNED:
        return (int32_t)a < (int32_t)b ? a : b;
    case SIM_REDUCE_MAX_SIGNED:
        return (int32_t)a > (int32_t)b ? a : b;
    case SIM_REDUCE_AND:
        return a & b;
    case SIM_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static void complete_reduce(struct warp *warp, uint32_t arrived, int kind) {
    uint32_t result = (uint32_t)lane_of(warp, __builtin_ctz(arrived))->bits;
    for (uint32_t rest = arrived & (arrived - 1); rest; rest &= rest - 1)
        result = reduce_two(kind, result, (uint32_t)lane_of(warp, __builtin_ctz(rest))->bits);
    for (uint32_t rest = arrived; rest; rest &= rest - 1)
        lane_of(warp, __builtin_ctz(rest))->bits = result;
}

/* Computes the results of an operation that all its lanes have reached, and forgets it. */
static uint32_t complete(struct warp *warp, int slot) {
    struct warp_operation operation = warp->operations[slot];
    warp->operations[slot] = warp->operations[--warp->pending];
    if (operation.kind == WARP_SYNC)
        warp->clock++;
    else if (operation.kind == WARP_SHUFFLE)
        complete_shuffle(warp, operation.arrived);
    else if (operation.kind < WARP_MATCH)
        complete_vote(warp, operation.arrived, operation.kind - WARP_VOTE);
    else if (operation.kind < WARP_REDUCE)
        complete_match(warp, operation.arrived, operation.kind - WARP_MATCH);
    else
        complete_reduce(warp, operation.arrived, operation.kind - WARP_REDUCE);
    if (operation.kind == WARP_SHUFFLE)
        sim_block.launch->trace.shuffles++;
    return operation.arrived;
}

static bool all_there(const struct warp *warp, const struct warp_operation *operation) {
    return (operation->mask & warp->lanes & ~warp->exited & ~operation->arrived) == 0;
}

void warp_thread_left(struct warp *warp) {
    for (int slot = 0; slot < warp->pending;) {
        if (all_there(warp, &warp->operations[slot]))
            block_ready(warp, complete(warp, slot));
        else
            slot++;
    }
}

static void check_in_mask(int kind, uint32_t mask, int lane, const void *pc) {
    if (mask & 1u << lane)
        return;
    struct finding finding = finding_new(FINDING_LANE_NOT_IN_MASK, pc);
    finding_text(&finding, "lane %d calls %s with the mask 0x%08x, which leaves that lane out", lane,
                 kind_name(kind), mask);
    finding_send(&finding);
    block_abort();
}

/* The current lane brings bits (and argument) to an operation and gets its result. */
static uint64_t meet(int kind, uint32_t mask, uint64_t bits, int argument, const void *pc) {
    struct thread *self = sim_current;
    if (!self)
        return bits;
    struct warp *warp = block_warp(self);
    int lane = (int)(block_thread_number(self) % WARP_LANES);
    check_in_mask(kind, mask, lane, pc);
    self->bits = bits;
    self->argument = argument;
    self->pc = pc;
    int slot = 0;
    while (slot < warp->pending &&
           (warp->operations[slot].mask != mask || warp->operations[slot].kind != kind))
        slot++;
    if (slot == warp->pending)
        warp->operations[warp->pending++] = (struct warp_operation){.kind = kind, .mask = mask};
    struct warp_operation *operation = &warp->operations[slot];
    operation->arrived |= 1u << lane;
    if (all_there(warp, operation)) {
        uint32_t others = complete(warp, slot) & ~(1u << lane);
        if (others)
            block_ready(warp, others);
        return self->bits;
    }
    block_wait(pc);
    return self->bits;
}

void sim_warp_barrier(unsigned mask) {
    meet(WARP_SYNC, mask, 0, 0, __builtin_return_address(0));
}

/* PTX ISA, shfl.sync: lanes stay inside their segment of `width`; one that would leave it reads itself. */
static int shuffle_source(enum sim_shuffle_kind kind, int lane, int argument, int width) {
    int first = lane & ~(width - 1), last = first + width - 1, source = lane;
    switch (kind) {
    case SIM_SHUFFLE_INDEX:
        return first + (argument & (width - 1));
    case SIM_SHUFFLE_UP:
        source = lane - argument;
        return source < first ? lane : source;
    case SIM_SHUFFLE_DOWN:
        source = lane + argument;
        return source > last ? lane : source;
    case SIM_SHUFFLE_XOR:
        source = lane ^ argument;
        return source > last ? lane : source;
    }
    return lane;
}

uint64_t sim_shuffle(enum sim_shuffle_kind kind, unsigned mask, uint64_t bits, int argument, int width) {
    const void *pc = __builtin_return_address(0);
    if (!sim_current)
        return bits;
    int lane = (int)(block_thread_number(sim_current) % WARP_LANES);
    if (width < 1 || width > WARP_LANES || (width & (width - 1)))
        width = WARP_LANES;
    int source = shuffle_source(kind, lane, argument & (WARP_LANES - 1), width) & (WARP_LANES - 1);
    return meet(WARP_SHUFFLE, mask, bits, source, pc);
}

unsigned sim_vote(enum sim_vote_kind kind, unsigned mask, int predicate) {
    const void *pc = __builtin_return_address(0);
    return (unsigned)meet(WARP_VOTE + (int)kind, mask, predicate != 0, 0, pc);
}

unsigned sim_match(enum sim_match_kind kind, unsigned mask, uint64_t bits) {
    const void *pc = __builtin_return_address(0);
    return (unsigned)meet(WARP_MATCH + (int)kind, mask, bits, 0, pc);
}

uint32_t sim_reduce(enum sim_reduce_kind kind, unsigned mask, uint32_t value) {
    const void *pc = __builtin_return_address(0);
    return (uint32_t)meet(WARP_REDUCE + (int)kind, mask, value, 0, pc);
}

/* Which lanes are together here shows only when every other lane of the warp has gone as far as it can. */
unsigned sim_activemask(void) {
    if (!sim_current)
        return 1;
    struct thread *self = sim_current;
    block_warp(self)->converging |= 1u << (block_thread_number(self) % WARP_LANES);
    block_wait(__builtin_return_address(0));
    return (unsigned)self->bits;
}

void warp_converge(struct warp *warp) {
    uint32_t together = 0;
    const void *pc = lane_of(warp, __builtin_ctz(warp->converging))->pc;
    for (uint32_t rest = warp->converging; rest; rest &= rest - 1)
        if (lane_of(warp, __builtin_ctz(rest))->pc == pc)
            together |= rest & -rest;
    for (uint32_t rest = together; rest; rest &= rest - 1)
        lane_of(warp, __builtin_ctz(rest))->bits = together;
    warp->converging &= ~together;
    block_ready(warp, together);
}

/* Nobody can run. Names one operation that cannot end, and a lane that keeps it waiting. */
bool warp_report_stuck(void) {
    for (unsigned i = 0; i < sim_block.warps; i++) {
        struct warp *warp = &sim_block.warp[i];
        if (!warp->pending)
            continue;
        struct warp_operation *operation = &warp->operations[0];
        struct thread *waiting = lane_of(warp, __builtin_ctz(operation->arrived));
        uint32_t missing = operation->mask & warp->lanes & ~warp->exited & ~operation->arrived;
        int lane = __builtin_ctz(missing);
        struct thread *other = lane_of(warp, lane);
        struct finding finding = finding_new(FINDING_LANE_ABSENT, waiting->pc);
        finding_thread(&finding.at, block_thread_number(waiting), sim_block.index, waiting->pc);
        finding_thread(&finding.other, block_thread_number(other), sim_block.index, other->pc);
        finding_text(&finding, "%s with the mask 0x%08x waits for lane %d, which never comes: it waits at %s",
                     kind_name(operation->kind), operation->mask, lane,
                     warp->at_barrier & 1u << lane ? "__syncthreads()" : "another warp operation");
        return finding_send(&finding);
    }
    return false;
}
