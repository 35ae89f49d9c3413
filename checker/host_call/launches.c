/* Launches, up to the point where the device comes in: kernel<<<...>>>(...) is configured here, then the stub of the kernel
 * fetches the configuration and calls cudaLaunchKernel. */
#include "host_call/launches.h"
#include <stddef.h>

enum { NESTED = 16 /* launches among the arguments of a launch */ };

static struct configuration {
    dim3 grid, block;
    size_t dynamic_shared;
    cudaStream_t stream;
    const void *pc;
} pushed[NESTED];
static unsigned pushed_count;
static const void *fetched; /* place in the source of the launch whose stub is running */

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_shared,
                                     struct CUstream_st *stream) {
    if (pushed_count == NESTED)
        return 1;
    pushed[pushed_count++] =
        (struct configuration){grid, block, dynamic_shared, stream, __builtin_return_address(0)};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *dynamic_shared, void *stream) {
    if (!pushed_count)
        return cudaErrorMissingConfiguration;
    const struct configuration *top = &pushed[--pushed_count];
    *grid = top->grid;
    *block = top->block;
    *dynamic_shared = top->dynamic_shared;
    *(cudaStream_t *)stream = top->stream;
    fetched = top->pc;
    return cudaSuccess;
}

static cudaError_t launch(const void *stub, const cudaLaunchConfig_t *wanted, void **arguments,
                          const void *pc, cudaError_t refused) {
    const struct asked_launch asked = {.stub = stub,
                                       .wanted = wanted,
                                       .arguments = arguments,
                                       .pc = fetched ? fetched : pc,
                                       .by_stub = fetched != NULL,
                                       .refused = refused};
    fetched = NULL;
    return launch_asked(&asked);
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t dynamic_shared, cudaStream_t stream) {
    const cudaLaunchConfig_t wanted = {
        .gridDim = grid, .blockDim = block, .dynamicSmemBytes = dynamic_shared, .stream = stream};
    return launch(kernel, &wanted, arguments, __builtin_return_address(0), cudaSuccess);
}

/* Attributes other than the priority and the shared memory carveout, which are hints, are refused: their names are
 * compile errors already, so what arrives here was named by a number. */
static bool only_hints(const cudaLaunchConfig_t *configuration) {
    for (unsigned i = 0; i < configuration->numAttrs; i++) {
        const cudaLaunchAttributeID id = configuration->attrs[i].id;
        if (id != cudaLaunchAttributeIgnore && id != cudaLaunchAttributePriority &&
            id != cudaLaunchAttributePreferredSharedMemoryCarveout)
            return false;
    }
    return true;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *kernel,
                                void **arguments) {
    static const cudaLaunchConfig_t none;
    cudaError_t refused = cudaSuccess;
    if (!configuration)
        refused = cudaErrorInvalidValue;
    else if (!only_hints(configuration))
        refused = cudaErrorNotSupported;
    return launch(kernel, configuration ? configuration : &none, arguments, __builtin_return_address(0),
                  refused);
}
