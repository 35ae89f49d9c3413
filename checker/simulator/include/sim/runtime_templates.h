/* The runtime API's C++ face: calls that take a typed pointer, a kernel or a variable where C takes a void
 * pointer. */
#ifndef SIM_RUNTIME_TEMPLATES_H
#define SIM_RUNTIME_TEMPLATES_H

#include "../cuda_runtime_api.h"
#include "compiler.h"

/* ---- memory ---- */

template <class T> SIM_HOST cudaError_t cudaMalloc(T **pointer, size_t bytes) {
    return ::cudaMalloc(reinterpret_cast<void **>(pointer), bytes);
}
template <class T> SIM_HOST cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
    return ::cudaMallocAsync(reinterpret_cast<void **>(pointer), bytes, stream);
}
template <class T>
SIM_HOST cudaError_t cudaMallocManaged(T **pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged(reinterpret_cast<void **>(pointer), bytes, flags);
}
template <class T> SIM_HOST cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0) {
    (void)flags;
    return ::cudaMallocHost(reinterpret_cast<void **>(pointer), bytes);
}
template <class T> SIM_HOST cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags) {
    return ::cudaHostAlloc(reinterpret_cast<void **>(pointer), bytes, flags);
}

template <class T>
SIM_HOST cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    return ::cudaMallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}

/* ---- variables of the device ---- */

template <class T> SIM_HOST cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
    return ::cudaGetSymbolAddress(pointer, static_cast<const void *>(&symbol));
}
template <class T> SIM_HOST cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
    return ::cudaGetSymbolSize(bytes, static_cast<const void *>(&symbol));
}
template <class T>
SIM_HOST cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol(static_cast<const void *>(&symbol), from, bytes, offset, kind);
}
template <class T>
SIM_HOST cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                             cudaStream_t stream = nullptr) {
    return ::cudaMemcpyToSymbolAsync(static_cast<const void *>(&symbol), from, bytes, offset, kind, stream);
}
template <class T>
SIM_HOST cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(to, static_cast<const void *>(&symbol), bytes, offset, kind);
}
template <class T>
SIM_HOST cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                               cudaStream_t stream = nullptr) {
    return ::cudaMemcpyFromSymbolAsync(to, static_cast<const void *>(&symbol), bytes, offset, kind, stream);
}

/* ---- kernels ---- */

template <class Function>
SIM_HOST cudaError_t cudaFuncSetAttribute(Function *kernel, enum cudaFuncAttribute attribute, int value) {
    return ::cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}
template <class Function>
SIM_HOST cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, Function *kernel) {
    return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}
template <class Function>
SIM_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *kernel,
                                                                   int block_threads, size_t dynamic_shared) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void *>(kernel),
                                                           block_threads, dynamic_shared);
}

template <class Function>
SIM_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, Function *kernel,
                                                                            int block_threads,
                                                                            size_t dynamic_shared,
                                                                            unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, reinterpret_cast<const void *>(kernel), block_threads, dynamic_shared, flags);
}
template <class Function>
SIM_HOST cudaError_t cudaFuncSetCacheConfig(Function *kernel, enum cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig(reinterpret_cast<const void *>(kernel), config);
}
template <class Function>
SIM_HOST cudaError_t cudaFuncSetSharedMemConfig(Function *kernel, enum cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig(reinterpret_cast<const void *>(kernel), config);
}

/* The largest block that keeps the most threads of a multiprocessor busy, tried in whole warps. */
template <class Function>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block_threads, Function *kernel,
                                                      size_t dynamic_shared = 0, int block_limit = 0) {
    int device = 0, processors = 1, best = 0;
    cudaError_t error = ::cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (block_limit <= 0 || block_limit > 1024)
        block_limit = 1024;
    for (int threads = block_limit / 32 * 32; error == cudaSuccess && threads > 0; threads -= 32) {
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_shared);
        if (blocks * threads > best) {
            best = blocks * threads;
            *block_threads = threads;
            *min_grid = blocks * processors;
        }
    }
    return error;
}

/* ---- launches ---- */

/* What clang makes of kernel<<<grid, block, shared, stream>>>(arguments): this call, which is handed to the kernel's
 * stub, and from there to cudaLaunchKernel. */
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_shared = 0,
                                                struct CUstream_st *stream = nullptr);

/* arguments[i] points to a value of the type of the kernel's parameter i. */
template <class Function>
SIM_HOST cudaError_t cudaLaunchKernel(Function *kernel, dim3 grid, dim3 block, void **arguments,
                                      size_t dynamic_shared = 0, cudaStream_t stream = nullptr) {
    return ::cudaLaunchKernel(reinterpret_cast<const void *>(kernel), grid, block, arguments, dynamic_shared,
                              stream);
}

/* The arguments are converted to the kernel's parameters, as in a call. */
template <class... Parameters, class... Arguments>
SIM_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *configuration,
                                        void (*kernel)(Parameters...), Arguments &&...arguments) {
    return [&](Parameters... converted) {
        void *pointers[] = {const_cast<void *>(static_cast<const volatile void *>(&converted))..., nullptr};
        return ::cudaLaunchKernelExC(configuration, reinterpret_cast<const void *>(kernel), pointers);
    }(static_cast<Arguments &&>(arguments)...);
}

#endif
