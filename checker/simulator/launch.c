/* Launches: checked against the limits of the hardware, queued, and later run block after block.
 *
 * Limits: CUDA C++ Programming Guide, "Compute Capabilities", technical specifications (the same from 3.0 to
 * 12.0 where they are named here). */
#include "fence_order.h"
#include "image.h"
#include "simulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRID_MAX_X = 2147483647, GRID_MAX_YZ = 65535, BLOCK_MAX_XY = 1024, BLOCK_MAX_Z = 64 };

/* Dynamic shared memory that a kernel may have: what 48 KB leave beside its static arrays, or what
 * cudaFuncSetAttribute has allowed this very kernel. */
size_t launch_allowed_shared(const struct kernel_record *record) {
    const size_t fixed = record->kernel ? record->kernel->shared_bytes : 0;
    return record->allowed_shared
               ? record->allowed_shared
               : SHARED_DEFAULT_BYTES - (fixed < SHARED_DEFAULT_BYTES ? fixed : SHARED_DEFAULT_BYTES);
}

/* Returns what is wrong with a launch, or cudaSuccess; the sentence goes to text. */
static cudaError_t check(const struct kernel_record *record, const cudaLaunchConfig_t *wanted, char *text,
                         size_t bytes) {
    const unsigned grid[3] = {wanted->gridDim.x, wanted->gridDim.y, wanted->gridDim.z};
    const unsigned block[3] = {wanted->blockDim.x, wanted->blockDim.y, wanted->blockDim.z};
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
    const unsigned most = record->kernel->max_threads;
    if (most && threads > most) {
        snprintf(text, bytes, "%llu threads a block: the kernel's __launch_bounds__ allows %u",
                 (unsigned long long)threads, most);
        return cudaErrorLaunchOutOfResources;
    }
    const size_t allowed = launch_allowed_shared(record), fixed = record->kernel->shared_bytes;
    if (wanted->dynamicSmemBytes > allowed) {
        char beside[80] = "";
        if (fixed)
            snprintf(beside, sizeof beside, " beside %zu of static arrays", fixed);
        snprintf(text, bytes, "%zu bytes of dynamic shared memory%s: this kernel may have %zu%s",
                 wanted->dynamicSmemBytes, beside, allowed,
                 record->allowed_shared ? " by its cudaFuncSetAttribute"
                                        : " (more only after cudaFuncSetAttribute for this very kernel)");
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

/* Copies of the arguments, and an array of pointers to them, in one piece of memory. */
static void **keep_arguments(const struct sim_kernel *kernel, void **arguments) {
    size_t bytes = kernel->arguments * sizeof(void *);
    for (uint32_t i = 0; i < kernel->arguments; i++)
        bytes += (kernel->argument_bytes[i] + 15) / 16 * 16 + 16;
    void **kept = malloc(bytes + 16);
    uintptr_t place = (uintptr_t)(kept + kernel->arguments);
    for (uint32_t i = 0; i < kernel->arguments; i++) {
        place = (place + 15) / 16 * 16;
        kept[i] = (void *)place;
        memcpy(kept[i], arguments[i], kernel->argument_bytes[i]);
        place += kernel->argument_bytes[i];
    }
    return kept;
}

cudaError_t launch_request(const struct kernel_record *record, const cudaLaunchConfig_t *wanted,
                           void **arguments, const void *pc) {
    char text[TEXT_BYTES];
    if (error_sticky() != cudaSuccess)
        return error_sticky();
    if (!record || !record->kernel) {
        report_bad_launch(
            "?",
            "what is launched is not a kernel: give the name of a __global__ function, or a pointer to one",
            pc);
        return cudaErrorInvalidDeviceFunction;
    }
    cudaError_t error = check(record, wanted, text, sizeof text);
    struct stream *stream = stream_of(wanted->stream);
    if (error == cudaSuccess && !stream) {
        error = cudaErrorInvalidResourceHandle;
        snprintf(text, sizeof text, "launched on a stream that does not exist (any more)");
    }
    if (error != cudaSuccess) {
        report_bad_launch(record->plain_name, text, pc);
        return error;
    }
    if (runtime_should_fail(FAIL_LAUNCH))
        return cudaErrorLaunchOutOfResources;
    struct launch *launch = calloc(1, sizeof *launch);
    *launch = (struct launch){.grid = {wanted->gridDim.x, wanted->gridDim.y, wanted->gridDim.z},
                              .block = {wanted->blockDim.x, wanted->blockDim.y, wanted->blockDim.z},
                              .dynamic_shared = wanted->dynamicSmemBytes,
                              .kernel = record->kernel,
                              .arguments = keep_arguments(record->kernel, arguments),
                              .step = runtime_step()};
    snprintf(launch->name, sizeof launch->name, "%s", record->plain_name);
    stream_issue(stream, OPERATION_LAUNCH)->launch = launch;
    runtime_trace_launch(launch, stream);
    return cudaSuccess;
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
    fence_order_launch();
    grid_order_launch();
    block_prepare(operation);
    uint64_t stride = draw_stride(blocks), linear = sim_random() % blocks;
    bool alive = true;
    uint64_t left_out = 0;
    for (uint64_t i = 0; i < blocks && alive; i++, linear = (linear + stride) % blocks) {
        if (!sample_takes(linear, blocks)) {
            left_out++;
            continue;
        }
        unsigned index[3] = {(unsigned)(linear % launch->grid[0]),
                             (unsigned)(linear / launch->grid[0] % launch->grid[1]),
                             (unsigned)(linear / launch->grid[0] / launch->grid[1])};
        sim_block.number = operation->first_block + (uint32_t)linear;
        fence_order_block();
        grid_order_block();
        alive = block_run(index);
        request_block_ends();
        launch->trace.blocks_run++;
        launch->trace.barriers += sim_block.barriers;
    }
    race_launch_ends();
    if (!alive && error_sticky() == cudaSuccess)
        error_stick(cudaErrorLaunchFailure);
    runtime_trace_traffic(launch);
    sample_launch_ends(left_out);
    free(launch->arguments);
    launch->arguments = NULL;
}
