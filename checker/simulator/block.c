/* One block of a launch: its threads take turns until all have returned.
 *
 * A thread runs until it has to wait (block_wait) or returns. Then the next lane that can run goes on, the
 * lanes of the same warp first, so that a shuffle finds its partners soon. A lane that has not started costs
 * no switch when the lane before it has returned: it begins on the same stack. Which warp begins, and whether
 * lanes are taken from the first or from the last, is drawn from the seed.
 *
 * When nobody can run and some have not returned, the threads wait for each other for ever. */
#include "image.h"
#include "simulator.h"
#include <string.h>

struct block sim_block;
struct thread *sim_current;

/* What the headers call threadIdx and its kin: const there, written here at every switch. */
unsigned sim_thread_x, sim_thread_y, sim_thread_z;
unsigned sim_block_x, sim_block_y, sim_block_z;
unsigned sim_block_dim_x, sim_block_dim_y, sim_block_dim_z;
unsigned sim_grid_dim_x, sim_grid_dim_y, sim_grid_dim_z;

static fiber_context scheduler; /* where block_run waits */
static fiber_context left_behind;

enum {
    /* Atomic and volatile accesses without anything else happening, after which a thread is taken to wait
     * for something that cannot come. */
    SPIN_LIMIT = 4 * 1000 * 1000,
    SPINS_BEFORE_TURN = 64
};

unsigned block_thread_number(const struct thread *thread) {
    return (unsigned)(thread - sim_block.thread);
}

struct warp *block_warp(const struct thread *thread) {
    return &sim_block.warp[block_thread_number(thread) / WARP_LANES];
}

static void make_current(struct thread *thread) {
    sim_current = thread;
    sim_thread_x = thread->x;
    sim_thread_y = thread->y;
    sim_thread_z = thread->z;
}

void block_ready(struct warp *warp, uint32_t lanes) {
    warp->ready |= lanes;
    if (warp->ready)
        sim_block.runnable |= 1u << (warp - sim_block.warp);
    sim_block.spins = 0;
}

static int pick_bit(uint32_t bits) {
    return sim_block.descending ? 31 - __builtin_clz(bits) : __builtin_ctz(bits);
}

static unsigned pick_warp(void) {
    unsigned first = sim_block.first_warp;
    uint32_t later = sim_block.runnable & (~0u << first);
    return (unsigned)__builtin_ctz(later ? later : sim_block.runnable);
}

/* Takes the next thread to run, or returns NULL. *started says whether it has run before. */
static struct thread *pick(unsigned warp_number, bool *started) {
    race_settle();
    if (!(sim_block.runnable & 1u << warp_number) && sim_block.warp[warp_number].converging)
        warp_converge(&sim_block.warp[warp_number]);
    if (!sim_block.runnable)
        return NULL;
    if (!(sim_block.runnable & 1u << warp_number))
        warp_number = pick_warp();
    struct warp *warp = &sim_block.warp[warp_number];
    int lane = pick_bit(warp->ready | warp->unstarted);
    uint32_t bit = 1u << lane;
    *started = warp->ready & bit;
    warp->ready &= ~bit;
    warp->unstarted &= ~bit;
    if (!(warp->ready | warp->unstarted))
        sim_block.runnable &= ~(1u << warp_number);
    return &sim_block.thread[warp_number * WARP_LANES + (unsigned)lane];
}

/* Leaves the running fiber, kept in *from, for another thread; or for block_run, when there is none. */
static void resume(struct thread *next, bool started, fiber_context *from) {
    if (!next) {
        fiber_switch(from, scheduler);
        return;
    }
    make_current(next);
    if (!started) {
        next->stack = fiber_take();
        next->context = fiber_make(next->stack);
    }
    fiber_switch(from, next->context);
}

void block_wait(const void *pc) {
    struct thread *self = sim_current;
    self->pc = pc;
    bool started;
    struct thread *next = pick(block_thread_number(self) / WARP_LANES, &started);
    if (next != self)
        resume(next, started, &self->context);
}

void sim_yield(void) {
    struct thread *self = sim_current;
    if (!self)
        return;
    struct warp *warp = block_warp(self);
    uint32_t bit = 1u << (block_thread_number(self) % WARP_LANES);
    uint64_t spins = sim_block.spins;
    bool started;
    struct thread *next = pick(pick_warp(), &started);
    block_ready(warp, bit);
    sim_block.spins = spins;
    if (next)
        resume(next, started, &self->context);
    else
        pick((unsigned)(warp - sim_block.warp), &started); /* itself again */
}

void block_spin(const void *pc) {
    if (++sim_block.spins % SPINS_BEFORE_TURN == 0 && sim_block.runnable)
        sim_yield();
    if (sim_block.spins < SPIN_LIMIT)
        return;
    struct finding finding = finding_new(FINDING_WAITS_FOR_BLOCK, pc);
    finding_text(&finding, "this thread keeps reading one value and waits for another block to change it, "
                           "but that block may not run before this one ends");
    finding_send(&finding);
    block_abort();
}

void block_abort(void) {
    sim_block.aborted = true;
    fiber_switch(&left_behind, scheduler);
    __builtin_unreachable();
}

/* ---- the barrier ---- */

static void release_barrier(void) {
    uint32_t clock = 0;
    for (unsigned i = 0; i < sim_block.warps; i++)
        if (sim_block.warp[i].clock > clock)
            clock = sim_block.warp[i].clock;
    sim_block.barrier_clock = ++clock;
    for (unsigned i = 0; i < sim_block.warps; i++) {
        struct warp *warp = &sim_block.warp[i];
        warp->clock = clock;
        uint32_t lanes = warp->at_barrier;
        warp->at_barrier = 0;
        if (lanes)
            block_ready(warp, lanes);
    }
    sim_block.barriers++;
    sim_block.arrived = 0;
}

static int barrier_result(int kind, int sum, unsigned arrived) {
    switch (kind) {
    case SIM_BARRIER_COUNT:
        return sum;
    case SIM_BARRIER_AND:
        return sum == (int)arrived;
    case SIM_BARRIER_OR:
        return sum != 0;
    default:
        return 0;
    }
}

/* Lets everyone go on when the last thread has arrived, or has returned instead. */
static void finish_barrier(void) {
    if (!sim_block.arrived || sim_block.arrived + sim_block.exited < sim_block.threads)
        return;
    int result = barrier_result(sim_block.barrier_kind, sim_block.barrier_sum, sim_block.arrived);
    for (unsigned i = 0; i < sim_block.threads; i++)
        sim_block.thread[i].argument = result;
    release_barrier();
}

static void check_same_barrier(int kind, const void *pc) {
    if (sim_block.barrier_pc == pc && sim_block.barrier_kind == kind)
        return;
    struct finding finding = finding_new(FINDING_BARRIER_DIVERGED, pc);
    finding_thread(&finding.other, sim_block.barrier_thread, sim_block.index, sim_block.barrier_pc);
    finding_text(&finding, "threads of one block stand at different barriers: every thread must reach the "
                           "same __syncthreads()");
    finding_send(&finding);
}

int sim_barrier(enum sim_barrier_kind kind, int predicate) {
    const void *pc = __builtin_return_address(0);
    struct thread *self = sim_current;
    if (!self)
        return 0;
    if (sim_block.arrived == 0) {
        sim_block.barrier_pc = pc;
        sim_block.barrier_kind = kind;
        sim_block.barrier_thread = block_thread_number(self);
        sim_block.barrier_sum = 0;
    } else {
        check_same_barrier(kind, pc);
    }
    sim_block.arrived++;
    sim_block.barrier_sum += predicate != 0;
    block_warp(self)->at_barrier |= 1u << (block_thread_number(self) % WARP_LANES);
    finish_barrier();
    block_wait(pc);
    return self->argument;
}

/* ---- threads ---- */

static void leave(struct thread *self) {
    struct warp *warp = block_warp(self);
    warp->exited |= 1u << (block_thread_number(self) % WARP_LANES);
    sim_block.exited++;
    sim_block.spins = 0;
    if (warp->pending)
        warp_thread_left(warp);
    finish_barrier();
}

/* The body of every fiber: runs one thread after another for as long as the next has not started yet. */
static void run_threads(void) {
    for (;;) {
        struct thread *self = sim_current;
        sim_block.launch->kernel->run(sim_block.launch->arguments);
        leave(self);
        bool started = true;
        struct thread *next = pick(block_thread_number(self) / WARP_LANES, &started);
        if (!next || started) {
            fiber_give(self->stack);
            resume(next, started, &left_behind);
        }
        next->stack = self->stack;
        make_current(next);
    }
}

void block_open(void) {
    fiber_open(run_threads);
}

void block_prepare(struct operation *operation) {
    struct launch *launch = operation->launch;
    sim_block.operation = operation;
    sim_block.launch = launch;
    sim_block_dim_x = launch->block[0];
    sim_block_dim_y = launch->block[1];
    sim_block_dim_z = launch->block[2];
    sim_grid_dim_x = launch->grid[0];
    sim_grid_dim_y = launch->grid[1];
    sim_grid_dim_z = launch->grid[2];
    unsigned number = 0;
    for (unsigned z = 0; z < launch->block[2]; z++)
        for (unsigned y = 0; y < launch->block[1]; y++)
            for (unsigned x = 0; x < launch->block[0]; x++, number++) {
                sim_block.thread[number].x = x;
                sim_block.thread[number].y = y;
                sim_block.thread[number].z = z;
            }
    sim_block.threads = number;
    sim_block.warps = (number + WARP_LANES - 1) / WARP_LANES;
}

static void begin(const unsigned index[3]) {
    uint64_t choice = sim_random();
    memcpy(sim_block.index, index, sizeof sim_block.index);
    sim_block_x = index[0];
    sim_block_y = index[1];
    sim_block_z = index[2];
    sim_block.descending = choice & 1;
    sim_block.first_warp = (unsigned)(choice >> 8) % sim_block.warps;
    sim_block.runnable = sim_block.warps == 32 ? ~0u : (1u << sim_block.warps) - 1;
    sim_block.arrived = sim_block.exited = 0;
    sim_block.barrier_clock = 0;
    sim_block.barriers = sim_block.spins = 0;
    sim_block.aborted = false;
    for (unsigned i = 0; i < sim_block.warps; i++) {
        struct warp *warp = &sim_block.warp[i];
        unsigned lanes = sim_block.threads - i * WARP_LANES;
        warp->lanes = warp->unstarted = lanes >= WARP_LANES ? ~0u : (1u << lanes) - 1;
        warp->ready = warp->at_barrier = warp->exited = warp->converging = 0;
        warp->clock = 0;
        warp->pending = 0;
    }
}

bool block_run(const unsigned index[3]) {
    begin(index);
    bool started;
    struct thread *first = pick(sim_block.first_warp, &started);
    resume(first, started, &scheduler);
    if (!sim_block.aborted && sim_block.exited < sim_block.threads) {
        warp_report_stuck();
        sim_block.aborted = true;
    }
    sim_current = NULL;
    if (sim_block.aborted)
        fiber_give_all();
    return !sim_block.aborted;
}
