/* A stack for each CUDA thread that is suspended, and the switch between two of them.
 *
 * The switch is Boost.Context's, by its C entry points (make_fcontext, jump_fcontext: the same for every
 * processor that Boost supports). A stack is taken when a thread first has to run beside others and given
 * back when it returns, so a kernel without barriers runs all its threads on one. */
#include "simulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
    fiber_context from;
    void *data;
} transfer;

transfer jump_fcontext(fiber_context to, void *data);
fiber_context make_fcontext(void *top, size_t bytes, void (*body)(transfer));

enum {
    STACK_BYTES = 128 * 1024,
    STACK_COUNT = BLOCK_MAX_THREADS + 1,
    /* Tops at one offset from a page would share a few sets of the L1 cache. */
    STAGGER_STEPS = 29,
    STAGGER_BYTES = 128
};

static char *stacks;
static void (*fiber_body)(void);
static int spare[STACK_COUNT], spare_count;

void fiber_open(void (*body)(void)) {
    fiber_body = body;
    size_t bytes = (size_t)STACK_COUNT * STACK_BYTES;
    stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) {
        perror("the simulator cannot reserve stacks for its threads");
        exit(1);
    }
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < STACK_COUNT; i++)
        mprotect(stacks + (size_t)i * STACK_BYTES, page, PROT_NONE);
    fiber_give_all();
}

void fiber_give_all(void) {
    spare_count = 0;
    for (int i = STACK_COUNT - 1; i >= 0; i--)
        spare[spare_count++] = i;
}

int fiber_take(void) {
    return spare[--spare_count];
}

void fiber_give(int stack) {
    spare[spare_count++] = stack;
}

static bool is_stack(uintptr_t address) {
    return address - (uintptr_t)stacks < (size_t)STACK_COUNT * STACK_BYTES;
}

bool fiber_holds(uintptr_t address) {
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return is_stack(address) && is_stack(here) &&
           (address - (uintptr_t)stacks) / STACK_BYTES == (here - (uintptr_t)stacks) / STACK_BYTES;
}

/* A frame begins with the frame before it and the address to return to (System V ABI, AMD64, 3.2.2; the same
 * on AArch64), and build/instrument has every function keep one. */
bool fiber_is_frame(uintptr_t address, size_t bytes) {
    enum { KEPT = 2 * sizeof(void *) };
    const uintptr_t *frame = __builtin_frame_address(0);
    while (is_stack((uintptr_t)frame)) {
        const uintptr_t start = (uintptr_t)frame;
        if (address < start + KEPT && address + bytes > start)
            return true;
        const uintptr_t *before = (const uintptr_t *)frame[0];
        if (before <= frame)
            break;
        frame = before;
    }
    return false;
}

/* Boost hands a new fiber where it was switched to from, and one pointer: to where that is kept. */
static void enter(transfer arrival) {
    *(fiber_context *)arrival.data = arrival.from;
    fiber_body();
}

fiber_context fiber_make(int stack) {
    char *top = stacks + (size_t)(stack + 1) * STACK_BYTES - (size_t)(stack % STAGGER_STEPS) * STAGGER_BYTES;
    return make_fcontext(top, STACK_BYTES / 2, enter);
}

/* Suspends the running fiber into *from and resumes another. */
void fiber_switch(fiber_context *from, fiber_context to) {
    transfer arrival = jump_fcontext(to, from);
    *(fiber_context *)arrival.data = arrival.from;
}
