/* A kernel that starts before the one it depends on has ended: "programmatic dependent launch", from sm_90 on. Its blocks
 * are set up, and load what does not depend on anyone, while the last blocks of the kernel before it still run. Elsewhere
 * these functions do nothing, or launch as ever. */
#pragma once
#include <cuda_runtime.h>

/* From here on the kernel that follows may start. */
static __device__ void let_next_kernel_start() {
#if !defined(CUDA_SIMULATOR) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* What the kernel before this one has written can be read from here on. */
static __device__ void wait_for_kernel_before() {
#if !defined(CUDA_SIMULATOR) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Launches kernel(arguments...), which calls wait_for_kernel_before() before it reads what that one wrote. */
template <typename... Parameters, typename... Arguments>
static cudaError_t launch_dependent(void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                                    cudaStream_t stream, Arguments... arguments) {
#if !defined(CUDA_SIMULATOR) && CUDART_VERSION >= 11080
    cudaFuncAttributes compiled;
    if (cudaFuncGetAttributes(&compiled, (const void *)kernel) != cudaSuccess)
        return cudaGetLastError();
    if (compiled.ptxVersion >= 90) { /* compiled with the wait in it */
        cudaLaunchAttribute early = {};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(threads);
        config.stream = stream;
        config.attrs = &early;
        config.numAttrs = 1;
        (void)cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
        return cudaGetLastError(); /* what it returned; and nothing is left behind for the next call */
    }
#endif
    kernel<<<blocks, threads, 0, stream>>>(arguments...);
    return cudaGetLastError();
}
