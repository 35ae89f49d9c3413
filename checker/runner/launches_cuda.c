/* Launches of the submission. nvcc turns kernel<<<...>>>(...) into __cudaLaunchKernel (CUDA 13) or
 * cudaLaunchKernel (before); the others are called by name. Each is made as it was asked for, and noted. One
 * that is to fail is not made: its error is returned, and kept for cudaGetLastError(). */
#include "runtime_cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KERNELS = 256 };

static bool unchecked;
static cudaError_t made_to_fail; /* what cudaGetLastError() has to tell of a launch that was not made */

/* Kernel handles of CUDA 13 and the host functions that they stand for. */
static struct { const void *handle, *function; } known[MAX_KERNELS];
static int known_count;

bool launch_is_unchecked(void) {
    return unchecked;
}

void launch_reset(void) {
    unchecked = false;
    made_to_fail = cudaSuccess;
}

/* The C++ library's, in every program that nvcc links. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/* "void partials_kernel<float>(float const*, int)" becomes "partials_kernel<float>". */
static void shorten(char *name) {
    if (strncmp(name, "void ", 5) == 0)
        memmove(name, name + 5, strlen(name + 5) + 1);
    int depth = 0;
    for (char *at = name; *at; at++) {
        depth += *at == '<';
        depth -= *at == '>';
        if (*at == '(' && depth == 0 && at != name) {
            *at = '\0';
            return;
        }
    }
}

const char *launch_kernel_name(const char *mangled) {
    static char text[KERNEL_NAME_BYTES];
    if (mangled == NULL)
        return "a kernel";
    int status = -1;
    char *plain = __cxa_demangle(mangled, NULL, NULL, &status);
    if (status == 0)
        shorten(plain);
    snprintf(text, sizeof text, "%s", status == 0 ? plain : mangled);
    free(plain);
    return text;
}

static const char *name_of(const void *kernel) {
    const char *mangled = NULL;
    for (int i = 0; i < known_count; i++)
        if (known[i].handle == kernel)
            kernel = known[i].function;
    if (cudaFuncGetName(&mangled, kernel) != cudaSuccess)
        cudaGetLastError();
    return launch_kernel_name(mangled);
}

/* What follows a launch that was made. by_syntax: with <<<...>>>, which returns nothing. */
static cudaError_t launched(cudaError_t error, const void *kernel, dim3 grid, dim3 block, size_t shared,
                            cudaStream_t stream, bool by_syntax) {
    if (error == cudaSuccess) {
        driver_launch_was_traced();
        trace_launch(name_of(kernel), grid, block, shared, stream);
        return error;
    }
    unchecked |= by_syntax && cuda_in_call();
    if (cuda_in_call() && (error == cudaErrorInvalidConfiguration || error == cudaErrorLaunchOutOfResources ||
                           error == cudaErrorInvalidValue)) {
        struct finding finding = {.kind = FINDING_BAD_LAUNCH, .step = cuda_step()};
        const char *name =
            name_of(kernel); /* clears no error: cudaFuncGetName succeeds where a launch could be tried */
        snprintf(finding.kernel, sizeof finding.kernel, "%s", name);
        snprintf(finding.text, sizeof finding.text,
                 "the device refuses a launch of (%u, %u, %u) blocks of (%u, %u, %u) threads with %zu bytes "
                 "of dynamic "
                 "shared memory: %s",
                 grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, cudaGetErrorString(error));
        cuda_send(&finding);
    }
    return error;
}

/* A launch that is to fail. cudaErrorInvalidValue would look like a refusal of the call's arguments. */
static cudaError_t fail_launch(bool by_syntax) {
    unchecked |= by_syntax;
    return made_to_fail = cudaErrorLaunchOutOfResources;
}

/* ---- what nvcc makes of <<<...>>> since CUDA 13 ---- */

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream);
cudaError_t __wrap___cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared, cudaStream_t stream);

#if CUDART_VERSION >= 13000
cudaError_t __wrap___cudaGetKernel(cudaKernel_t *kernel, const void *function) {
    const cudaError_t error = __cudaGetKernel(kernel, function);
    if (error == cudaSuccess && known_count < MAX_KERNELS) {
        known[known_count].handle = *kernel;
        known[known_count++].function = function;
    }
    return error;
}

cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t shared, cudaStream_t stream) {
    if (cuda_should_fail(FAIL_LAUNCH))
        return fail_launch(true);
    memory_before_launch(stream);
    return launched(__cudaLaunchKernel(kernel, grid, block, arguments, shared, stream), kernel, grid, block,
                    shared, stream, true);
}
#endif

/* ---- by name ---- */

cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream);
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *kernel,
                                       void **arguments);
cudaError_t __wrap_cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                               size_t shared, cudaStream_t stream);

cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream) {
    const bool by_syntax = CUDART_VERSION < 13000;
    if (cuda_should_fail(FAIL_LAUNCH))
        return fail_launch(by_syntax);
    memory_before_launch(stream);
    return launched(cudaLaunchKernel(kernel, grid, block, arguments, shared, stream), kernel, grid, block,
                    shared, stream, by_syntax);
}

cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *kernel,
                                       void **arguments) {
    if (configuration == NULL)
        return cudaLaunchKernelExC(configuration, kernel, arguments);
    if (cuda_should_fail(FAIL_LAUNCH))
        return fail_launch(false);
    const cudaLaunchConfig_t *made = configuration;
    memory_before_launch(made->stream);
    return launched(cudaLaunchKernelExC(made, kernel, arguments), kernel, made->gridDim, made->blockDim,
                    made->dynamicSmemBytes, made->stream, false);
}

cudaError_t __wrap_cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                               size_t shared, cudaStream_t stream) {
    if (cuda_should_fail(FAIL_LAUNCH))
        return fail_launch(false);
    memory_before_launch(stream);
    return launched(cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, stream), kernel, grid,
                    block, shared, stream, false);
}

/* ---- asking for the error ---- */

cudaError_t __wrap_cudaGetLastError(void);
cudaError_t __wrap_cudaPeekAtLastError(void);

cudaError_t __wrap_cudaGetLastError(void) {
    const cudaError_t failed = made_to_fail;
    launch_reset();
    return failed != cudaSuccess ? failed : cudaGetLastError();
}

cudaError_t __wrap_cudaPeekAtLastError(void) {
    unchecked = false;
    return made_to_fail != cudaSuccess ? made_to_fail : cudaPeekAtLastError();
}
