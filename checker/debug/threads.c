/* Threads of the simulator's kernels below gdb. Blocks run one at a time, their threads on fibers of one operating-system
 * thread; gdb sees the one that runs. To show another, its fiber is switched to and stops right there. */
#include "../simulator/image.h"
#include "../simulator/watch.h"
#include "debug.h"
#include <string.h>

extern int debug_wanted;

const int debug_has_threads = 1;

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void __real_fiber_switch(fiber_context *from, fiber_context to);
void __real_watch_access(const struct region *region, const struct access *access);
bool __real_block_run(const unsigned index[3]);

/* ---- stopping in a thread ---- */

static bool visiting;
static fiber_context visitor;

/* A fiber that was suspended has been switched to: by whoever stopped, or because its turn has come. */
void __wrap_fiber_switch(fiber_context *from, fiber_context to) {
    __real_fiber_switch(from, to);
    while (visiting) {
        debug_stop();
        visiting = false;
        __real_fiber_switch(from, visitor);
    }
}

static void stand_in(struct thread *thread) {
    sim_current = thread;
    sim_thread_x = thread->x;
    sim_thread_y = thread->y;
    sim_thread_z = thread->z;
}

/* One that has begun, has not returned and is not the running one waits on a fiber of its own. */
static bool has_stack(unsigned thread) {
    const struct warp *warp = &sim_block.warp[thread / WARP_LANES];
    return thread < sim_block.threads && sim_current != &sim_block.thread[thread] &&
           !((warp->unstarted | warp->exited) & 1u << thread % WARP_LANES);
}

static void visit(unsigned thread) {
    struct thread *self = sim_current;
    const unsigned x = sim_thread_x, y = sim_thread_y, z = sim_thread_z;
    stand_in(&sim_block.thread[thread]);
    visiting = true;
    __real_fiber_switch(&visitor, sim_block.thread[thread].context);
    sim_current = self;
    sim_thread_x = x;
    sim_thread_y = y;
    sim_thread_z = z;
}

static unsigned number_of(const struct place_in_code *place) {
    for (unsigned i = 0; i < sim_block.threads; i++)
        if (sim_block.thread[i].x == place->thread[0] && sim_block.thread[i].y == place->thread[1] &&
            sim_block.thread[i].z == place->thread[2])
            return i;
    return BLOCK_MAX_THREADS;
}

void threads_stop_in(const struct finding *finding) {
    const unsigned thread = finding && finding->at.known ? number_of(&finding->at) : BLOCK_MAX_THREADS;
    const bool elsewhere = has_stack(thread);
    int next = elsewhere ? (int)thread : -1;
    for (;;) {
        const bool at_home = next < 0 || !has_stack((unsigned)next);
        debug_wanted = -1;
        if (at_home)
            debug_stop();
        else
            visit((unsigned)next);
        next = debug_wanted;
        if (next < 0 && (at_home || elsewhere))
            return;
    }
}

/* ---- what leads there ---- */

void __wrap_watch_access(const struct region *region, const struct access *access) {
    const size_t offset = access->address - region->start;
    if (cases_folder != NULL && access->kind != ACCESS_READ &&
        stop_is_first_write(access->address, access->bytes)) {
        memset(region->initialised + offset, 0, access->bytes); /* the store is still to come */
        stop_write(access->address, access->bytes);
        memset(region->initialised + offset, 1, access->bytes);
    } else if (cases_folder != NULL && access->kind != ACCESS_READ) {
        stop_write(access->address, access->bytes);
    }
    __real_watch_access(region, access);
}

bool __wrap_block_run(const unsigned index[3]) {
    stop_kernel(sim_block.launch->step, sim_block.launch->name);
    return __real_block_run(index);
}

int threads_step(void) {
    return sim_current && sim_block.launch ? sim_block.launch->step : -1;
}

const unsigned char *threads_written(uintptr_t address) {
    const struct region *region = memory_find(address);
    return region && region->initialised ? region->initialised + (address - region->start) : NULL;
}

/* ---- shared arrays, for `shared` ---- */

struct debug_array {
    char name[64];
    uint64_t bytes;
} debug_arrays[256];
int debug_array_count;

/* The indices of a thread are objects of a type without members, which is what the compiler makes of a shared one, too. */
static bool is_builtin(const char *name) {
    return strcmp(name, "threadIdx") == 0 || strcmp(name, "blockIdx") == 0 || strcmp(name, "blockDim") == 0 ||
           strcmp(name, "gridDim") == 0;
}

void threads_open(void) {
    const struct sim_image *image = sim_submission.image;
    for (uint64_t i = 0; i < image->variable_count && debug_array_count < 256; i++) {
        struct debug_array *array = &debug_arrays[debug_array_count];
        symbol_variable_name(image->variables[i].name, array->name);
        array->bytes = image->variables[i].bytes;
        debug_array_count += image->variables[i].kind == SIM_IN_SHARED && !is_builtin(array->name);
    }
}
