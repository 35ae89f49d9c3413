/* Launches: checked against the limits of the hardware, queued, and later run block after block.
 *
 * Limits: CUDA C++ Programming Guide, "Compute Capabilities", technical specifications (the same from 3.0 to
 * 12.0 where they are named here). */
#include "simulator.h"
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GRID_MAX_X = 2147483647,
    GRID_MAX_YZ = 65535,
    BLOCK_MAX_XY = 1024,
    BLOCK_MAX_Z = 64,
    MAX_OPTED_IN = 64
};

/* Kernels allowed more than 48 KB of dynamic shared memory (cudaFuncSetAttribute). */
static struct {
    const void *function;
    size_t bytes;
} opted_in[MAX_OPTED_IN];
static int opted_in_count;

void launch_allow_shared(const void *function, size_t bytes) {
    for (int i = 0; i < opted_in_count; i++)
        if (opted_in[i].function == function) {
            opted_in[i].bytes = bytes;
            return;
        }
    if (opted_in_count < MAX_OPTED_IN) {
        opted_in[opted_in_count].function = function;
        opted_in[opted_in_count++].bytes = bytes;
    }
}

/* A launch whose kernel has no known address gets the most that any kernel was allowed. */
static size_t allowed_shared(const void *function) {
    size_t most = SHARED_DEFAULT_BYTES;
    for (int i = 0; i < opted_in_count; i++)
        if ((!function || opted_in[i].function == function) && opted_in[i].bytes > most)
            most = opted_in[i].bytes;
    return most;
}

void launch_reset(void) {
    opted_in_count = 0;
}

/* Returns what is wrong with a launch, or cudaSuccess; the sentence goes to text. */
static cudaError_t check(const struct sim_launch *launch, char *text, size_t bytes) {
    const unsigned *grid = launch->grid, *block = launch->block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (!grid[0] || !grid[1] || !grid[2]) {
        snprintf(text, bytes, "a grid of %u x %u x %u blocks: no dimension may be 0", grid[0], grid[1],
                 grid[2]);
        return cudaErrorInvalidConfiguration;
    }
    if (grid[0] > GRID_MAX_X || grid[1] > GRID_MAX_YZ || grid[2] > GRID_MAX_YZ) {
        snprintf(text, bytes, "a grid of %u x %u x %u blocks: x may be up to 2147483647, y and z up to 65535",
                 grid[0], grid[1], grid[2]);
        return cudaErrorInvalidConfiguration;
    }
    if (!threads || threads > BLOCK_MAX_THREADS || block[0] > BLOCK_MAX_XY || block[1] > BLOCK_MAX_XY ||
        block[2] > BLOCK_MAX_Z) {
        snprintf(text, bytes, "a block of %u x %u x %u threads: 1 to 1024 threads, z up to 64", block[0],
                 block[1], block[2]);
        return cudaErrorInvalidConfiguration;
    }
    size_t allowed = allowed_shared(launch->function);
    if (launch->dynamic_shared > allowed) {
        snprintf(text, bytes, "%zu bytes of dynamic shared memory: this kernel may have %zu%s",
                 launch->dynamic_shared, allowed,
                 allowed == SHARED_DEFAULT_BYTES ? " (more only after cudaFuncSetAttribute)" : "");
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

static void report_bad_launch(const char *kernel, const char *text, const void *pc) {
    struct finding finding = finding_new(FINDING_BAD_LAUNCH, pc);
    snprintf(finding.kernel, sizeof finding.kernel, "%s", kernel);
    finding_text(&finding, "%s", text);
    finding_send(&finding);
}

static cudaError_t refuse(cudaError_t error, const struct sim_launch *wanted, void *closure,
                          void (*destroy)(void *)) {
    if (destroy)
        destroy(closure);
    free(closure);
    if (!wanted->function) /* a call such as cudaLaunchKernel returns the error to who made it */
        error_launch_failed();
    return error_set(error);
}

/* A kernel that was launched by its address has the name of its symbol, where that is exported. */
static void name_kernel(struct launch *launch, const struct sim_launch *wanted) {
    Dl_info symbol;
    if (wanted->function && dladdr(wanted->function, &symbol) && symbol.dli_sname)
        symbol_function_name(symbol.dli_sname, launch->name, sizeof launch->name);
    else
        snprintf(launch->name, sizeof launch->name, "%s", wanted->kernel);
}

int sim_launch(const struct sim_launch *wanted, void (*call)(void *), void *closure,
               void (*destroy)(void *)) {
    const void *pc = __builtin_return_address(0);
    char text[TEXT_BYTES];
    if (error_sticky() != cudaSuccess)
        return refuse(error_sticky(), wanted, closure, destroy);
    cudaError_t error = check(wanted, text, sizeof text);
    struct stream *stream = stream_of(wanted->stream);
    if (error == cudaSuccess && !stream) {
        error = cudaErrorInvalidResourceHandle;
        snprintf(text, sizeof text, "launched on a stream that does not exist (any more)");
    }
    if (error != cudaSuccess) {
        report_bad_launch(wanted->kernel, text, pc);
        return refuse(error, wanted, closure, destroy);
    }
    if (runtime_should_fail(FAIL_LAUNCH))
        return refuse(cudaErrorLaunchOutOfResources, wanted, closure, destroy);
    struct launch *launch = calloc(1, sizeof *launch);
    memcpy(launch->grid, wanted->grid, sizeof launch->grid);
    memcpy(launch->block, wanted->block, sizeof launch->block);
    launch->dynamic_shared = wanted->dynamic_shared;
    launch->function = wanted->function;
    name_kernel(launch, wanted);
    launch->call = call;
    launch->closure = closure;
    launch->closure_bytes = malloc_usable_size(closure);
    launch->destroy = destroy;
    launch->step = runtime_step();
    stream_issue(stream, OPERATION_LAUNCH)->launch = launch;
    runtime_trace_launch(launch, stream);
    return cudaSuccess;
}

bool closure_holds(uintptr_t address) {
    return address - (uintptr_t)sim_block.launch->closure < sim_block.launch->closure_bytes;
}

/* ---- running ---- */

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Blocks are taken in steps of a number that has no divisor in common with theirs, so each comes once. */
static uint64_t draw_stride(uint64_t blocks) {
    if (blocks < 3)
        return 1;
    switch (sim_random() % 3) {
    case 0:
        return 1;
    case 1:
        return blocks - 1;
    default:
        for (;;) {
            uint64_t stride = 1 + sim_random() % (blocks - 1);
            if (greatest_common_divisor(stride, blocks) == 1)
                return stride;
        }
    }
}

void launch_execute(struct operation *operation) {
    struct launch *launch = operation->launch;
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    operation_take_blocks(operation, (uint32_t)blocks);
    atomic_order_launch();
    block_prepare(operation);
    uint64_t stride = draw_stride(blocks), linear = sim_random() % blocks;
    bool alive = true;
    for (uint64_t i = 0; i < blocks && alive; i++, linear = (linear + stride) % blocks) {
        unsigned index[3] = {(unsigned)(linear % launch->grid[0]),
                             (unsigned)(linear / launch->grid[0] % launch->grid[1]),
                             (unsigned)(linear / launch->grid[0] / launch->grid[1])};
        sim_block.number = operation->first_block + (uint32_t)linear;
        atomic_order_block();
        alive = block_run(index);
        request_block_ends();
        launch->trace.blocks_run++;
        launch->trace.barriers += sim_block.barriers;
    }
    if (!alive && error_sticky() == cudaSuccess)
        error_stick(cudaErrorLaunchFailure);
    runtime_trace_traffic(launch);
    if (launch->destroy)
        launch->destroy(launch->closure);
    free(launch->closure);
    launch->closure = NULL;
}
