/* A stack for each CUDA thread that is suspended, and the switch between two of them.
 *
 * The switch is Boost.Context's, by its C entry points (make_fcontext, jump_fcontext: the same for every
 * processor that Boost supports). A stack is taken when a thread first has to run beside others and given
 * back when it returns, so a kernel without barriers runs all its threads on one.
 *
 * A thread has two: device code is compiled with LLVM's SafeStack, which keeps where functions return to, saved registers and
 * all that the compiler puts away on the one, and on the other local variables that are reached through pointers. So no
 * pointer of a kernel leads to the first, and a write there is a fault. What is on the second is found by
 * __safestack_unsafe_stack_ptr, which the compiler's code moves. */
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
    STACK_BYTES = 256 * 1024,
    GUARD_BYTES =
        96 * 1024, /* more than a function of the C library that a kernel calls puts on the stack at once */
    STACK_COUNT = BLOCK_MAX_THREADS + 1,
    /* Local memory of a thread (CUDA C++ Programming Guide, "Compute Capabilities"): 512 KB. A function with few variables is
     * not asked whether there is room (instrument/emit.c): 160 KB of calls, each with 16 bytes on the first stack or more and
     * up to 256 on this one, come to 2.5 MB. */
    LOCALS_BYTES = 4 << 20,
    LOCALS_LIMIT = 512 * 1024,
    /* Tops at one offset from a page would share a few sets of the L1 cache. */
    STAGGER_STEPS = 29,
    STAGGER_BYTES = 128
};

__thread char *__safestack_unsafe_stack_ptr;

static char *stacks, *locals;
static void (*fiber_body)(void);
static int spare[STACK_COUNT], spare_count;

static char *reserve(size_t bytes) {
    char *start =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
        perror("the simulator cannot reserve stacks for its threads");
        exit(1);
    }
    return start;
}

void fiber_open(void (*body)(void)) {
    fiber_body = body;
    stacks = reserve((size_t)STACK_COUNT * STACK_BYTES);
    locals = reserve((size_t)STACK_COUNT * LOCALS_BYTES);
    for (int i = 0; i < STACK_COUNT; i++)
        mprotect(stacks + (size_t)i * STACK_BYTES, GUARD_BYTES, PROT_NONE);
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

static size_t stagger(size_t stack) {
    return stack % STAGGER_STEPS * STAGGER_BYTES;
}

/* Where the running thread's local variables begin, from above. */
static char *locals_top(void) {
    const size_t stack = ((uintptr_t)__builtin_frame_address(0) - (uintptr_t)stacks) / STACK_BYTES;
    return locals + (stack + 1) * LOCALS_BYTES - stagger(stack);
}

bool fiber_holds(uintptr_t address, size_t bytes) {
    if (!is_stack((uintptr_t)__builtin_frame_address(0)))
        return false;
    const uintptr_t start = (uintptr_t)locals_top() - LOCALS_LIMIT;
    return address - start < LOCALS_LIMIT && bytes <= LOCALS_LIMIT - (address - start);
}

bool fiber_is_stack(uintptr_t address) {
    return is_stack(address) || address - (uintptr_t)locals < (size_t)STACK_COUNT * LOCALS_BYTES;
}

bool fiber_has_room(void) {
    const uintptr_t used = (uintptr_t)locals_top() - (uintptr_t)__safestack_unsafe_stack_ptr;
    return used <= LOCALS_LIMIT;
}

/* Boost hands a new fiber where it was switched to from, and one pointer: to where that is kept. */
static void enter(transfer arrival) {
    *(fiber_context *)arrival.data = arrival.from;
    __safestack_unsafe_stack_ptr = locals_top();
    fiber_body();
}

fiber_context fiber_make(int stack) {
    char *top = stacks + (size_t)(stack + 1) * STACK_BYTES - stagger((size_t)stack);
    return make_fcontext(top, STACK_BYTES / 2, enter);
}

/* Suspends the running fiber into *from and resumes another. */
void fiber_switch(fiber_context *from, fiber_context to) {
    char *mine = __safestack_unsafe_stack_ptr;
    transfer arrival = jump_fcontext(to, from);
    *(fiber_context *)arrival.data = arrival.from;
    __safestack_unsafe_stack_ptr = mine;
}
