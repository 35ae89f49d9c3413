/* The runtime API's C++ face: calls that take a typed pointer, a kernel or a variable where C takes a void
 * pointer. */
#ifndef SIM_RUNTIME_TEMPLATES_H
#define SIM_RUNTIME_TEMPLATES_H

#include <utility>

#include "launch.h"

namespace sim {
template <class Function> SIM_INLINE const void *address_of(Function *function) {
    return reinterpret_cast<const void *>(function);
}

/* What the kernel's parameter number `index` is given, from an array of pointers to the arguments. */
template <class Parameter>
SIM_INLINE const std::decay_t<Parameter> &pointed_argument(void **arguments, int index) {
    return *static_cast<const std::decay_t<Parameter> *>(arguments[index]);
}

template <class... Parameters, int... index>
kept_call keep_pointed(void (*kernel)(Parameters...), void **arguments,
                       std::integer_sequence<int, index...>) {
    return keep(kernel, pointed_argument<Parameters>(arguments, index)...);
}
} // namespace sim

/* ---- memory ---- */

template <class T> SIM_INLINE cudaError_t cudaMalloc(T **pointer, size_t bytes) {
    return ::cudaMalloc(reinterpret_cast<void **>(pointer), bytes);
}
template <class T> SIM_INLINE cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
    return ::cudaMallocAsync(reinterpret_cast<void **>(pointer), bytes, stream);
}
template <class T>
SIM_INLINE cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                         unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged(reinterpret_cast<void **>(pointer), bytes, flags);
}
template <class T> SIM_INLINE cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0) {
    (void)flags;
    return ::cudaMallocHost(reinterpret_cast<void **>(pointer), bytes);
}
template <class T> SIM_INLINE cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags) {
    return ::cudaHostAlloc(reinterpret_cast<void **>(pointer), bytes, flags);
}

template <class T>
SIM_INLINE cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    return ::cudaMallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}

/* ---- variables of the device ---- */

template <class T> SIM_INLINE cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
    return ::cudaGetSymbolAddress(pointer, static_cast<const void *>(&symbol));
}
template <class T>
SIM_INLINE cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                          enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol(static_cast<const void *>(&symbol), from, bytes, offset, kind);
}
template <class T>
SIM_INLINE cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                               cudaStream_t stream = nullptr) {
    return ::cudaMemcpyToSymbolAsync(static_cast<const void *>(&symbol), from, bytes, offset, kind, stream);
}
template <class T>
SIM_INLINE cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                            enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(to, static_cast<const void *>(&symbol), bytes, offset, kind);
}
template <class T>
SIM_INLINE cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                 cudaStream_t stream = nullptr) {
    return ::cudaMemcpyFromSymbolAsync(to, static_cast<const void *>(&symbol), bytes, offset, kind, stream);
}

/* ---- kernels ---- */

template <class... Parameters>
SIM_INLINE cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), enum cudaFuncAttribute attribute,
                                            int value) {
    return ::cudaFuncSetAttribute(sim::address_of(kernel), attribute, value);
}
template <class... Parameters>
SIM_INLINE cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                             void (*kernel)(Parameters...)) {
    return ::cudaFuncGetAttributes(attributes, sim::address_of(kernel));
}
template <class... Parameters>
SIM_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                     void (*kernel)(Parameters...),
                                                                     int block_threads,
                                                                     size_t dynamic_shared) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, sim::address_of(kernel), block_threads,
                                                           dynamic_shared);
}

/* The largest block that keeps the most threads of a multiprocessor busy, tried in whole warps. */
template <class... Parameters>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block_threads,
                                                      void (*kernel)(Parameters...),
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

namespace sim {
/* Attributes other than the priority and the shared memory carveout, which are hints, are refused: their
 * names are compile errors already, so what arrives here was named by a number. */
SIM_INLINE bool only_hints(const cudaLaunchConfig_t *configuration) {
    for (unsigned int i = 0; i < configuration->numAttrs; i++) {
        const cudaLaunchAttributeID id = configuration->attrs[i].id;
        if (id != cudaLaunchAttributeIgnore && id != cudaLaunchAttributePriority &&
            id != cudaLaunchAttributePreferredSharedMemoryCarveout) {
            return false;
        }
    }
    return true;
}

SIM_INLINE configuration read(const cudaLaunchConfig_t *from) {
    return configuration(from->gridDim, from->blockDim, from->dynamicSmemBytes, from->stream);
}
} // namespace sim

/* arguments[i] points to a value of the type of the kernel's parameter i. */
template <class... Parameters>
SIM_INLINE cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void **arguments, size_t dynamic_shared = 0,
                                        cudaStream_t stream = nullptr) {
    const struct sim_launch described = sim::describe(
        "kernel", sim::configuration(grid, block, dynamic_shared, stream), sim::address_of(kernel));
    const sim::kept_call call =
        sim::keep_pointed(kernel, arguments, std::make_integer_sequence<int, sizeof...(Parameters)>());
    return static_cast<cudaError_t>(sim_launch(&described, call.run, call.closure, call.destroy));
}

/* CUDA's takes a kernel that is cast to void * and no other; the translator takes the cast away, and calls
 * this one. */
namespace sim {
template <class... Parameters>
SIM_INLINE cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration,
                                           void (*kernel)(Parameters...), void **arguments) {
    if (!only_hints(configuration))
        return cudaErrorNotSupported;
    const struct sim_launch described = describe("kernel", read(configuration), address_of(kernel));
    const kept_call call =
        keep_pointed(kernel, arguments, std::make_integer_sequence<int, sizeof...(Parameters)>());
    return static_cast<cudaError_t>(sim_launch(&described, call.run, call.closure, call.destroy));
}
} // namespace sim

template <class... Parameters, class... Arguments>
SIM_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *configuration,
                                          void (*kernel)(Parameters...), Arguments &&...arguments) {
    if (!sim::only_hints(configuration))
        return cudaErrorNotSupported;
    const struct sim_launch described =
        sim::describe("kernel", sim::read(configuration), sim::address_of(kernel));
    const sim::kept_call call = sim::keep(kernel, std::decay_t<Parameters>(arguments)...);
    return static_cast<cudaError_t>(sim_launch(&described, call.run, call.closure, call.destroy));
}

#endif
