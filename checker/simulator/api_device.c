/* CUDA runtime calls: what the device is, and what a kernel may ask of it. The properties that a program can
 * run into (limits, warp size) are those of compute capability 9.0; the number of multiprocessors is a small
 * one, so that grids sized by it stay small. */
#include "image.h"
#include "simulator.h"
#include <stdio.h>
#include <string.h>

enum {
    MULTIPROCESSORS = 16,
    THREADS_PER_MULTIPROCESSOR = 2048,
    BLOCKS_PER_MULTIPROCESSOR = 32,
    SHARED_PER_MULTIPROCESSOR = 228 * 1024,
    REGISTERS = 65536,
    L2_BYTES = 50 * 1024 * 1024,
    VERSION = 13000
};

cudaError_t cudaGetDevice(int *device) {
    if (!device)
        return error_set(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    return error_set(device == 0 ? error_sticky() : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceCount(int *count) {
    if (!count)
        return error_set(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceReset(void) {
    runtime_trace_wait("cudaDeviceReset", "it waits for the device and destroys everything on it",
                       calling_place(__builtin_return_address(0)));
    stream_wait_all();
    return error_set(error_sticky());
}

cudaError_t cudaDriverGetVersion(int *version) {
    return cudaRuntimeGetVersion(version);
}

cudaError_t cudaRuntimeGetVersion(int *version) {
    if (!version)
        return error_set(cudaErrorInvalidValue);
    *version = VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
    if (!properties || device != 0)
        return error_set(properties ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *properties = (struct cudaDeviceProp){.totalGlobalMem = (size_t)8 << 30,
                                          .sharedMemPerBlock = SHARED_DEFAULT_BYTES,
                                          .sharedMemPerBlockOptin = SHARED_MAX_BYTES,
                                          .sharedMemPerMultiprocessor = SHARED_PER_MULTIPROCESSOR,
                                          .reservedSharedMemPerBlock = 1024,
                                          .totalConstMem = 65536,
                                          .memPitch = 2147483647,
                                          .textureAlignment = 512,
                                          .major = 9,
                                          .minor = 0,
                                          .warpSize = WARP_LANES,
                                          .multiProcessorCount = MULTIPROCESSORS,
                                          .maxThreadsPerBlock = BLOCK_MAX_THREADS,
                                          .maxThreadsDim = {1024, 1024, 64},
                                          .maxGridSize = {2147483647, 65535, 65535},
                                          .maxThreadsPerMultiProcessor = THREADS_PER_MULTIPROCESSOR,
                                          .maxBlocksPerMultiProcessor = BLOCKS_PER_MULTIPROCESSOR,
                                          .regsPerBlock = REGISTERS,
                                          .regsPerMultiprocessor = REGISTERS,
                                          .l2CacheSize = L2_BYTES,
                                          .memoryBusWidth = 6144,
                                          .asyncEngineCount = 1,
                                          .concurrentKernels = 1,
                                          .streamPrioritiesSupported = 1,
                                          .unifiedAddressing = 1,
                                          .managedMemory = 1,
                                          .memoryPoolsSupported = 1,
                                          .globalL1CacheSupported = 1,
                                          .localL1CacheSupported = 1};
    snprintf(properties->name, sizeof properties->name, "Softmax Workshop simulator");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    if (!value || device != 0)
        return error_set(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    static const struct {
        enum cudaDeviceAttr attribute;
        int value;
    } known[] = {
        {cudaDevAttrMaxThreadsPerBlock, BLOCK_MAX_THREADS},
        {cudaDevAttrMaxBlockDimX, 1024},
        {cudaDevAttrMaxBlockDimY, 1024},
        {cudaDevAttrMaxBlockDimZ, 64},
        {cudaDevAttrMaxGridDimX, 2147483647},
        {cudaDevAttrMaxGridDimY, 65535},
        {cudaDevAttrMaxGridDimZ, 65535},
        {cudaDevAttrMaxSharedMemoryPerBlock, SHARED_DEFAULT_BYTES},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, SHARED_MAX_BYTES},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, SHARED_PER_MULTIPROCESSOR},
        {cudaDevAttrMaxRegistersPerBlock, REGISTERS},
        {cudaDevAttrMaxRegistersPerMultiprocessor, REGISTERS},
        {cudaDevAttrWarpSize, WARP_LANES},
        {cudaDevAttrMultiProcessorCount, MULTIPROCESSORS},
        {cudaDevAttrMaxThreadsPerMultiProcessor, THREADS_PER_MULTIPROCESSOR},
        {cudaDevAttrMaxBlocksPerMultiprocessor, BLOCKS_PER_MULTIPROCESSOR},
        {cudaDevAttrL2CacheSize, L2_BYTES},
        {cudaDevAttrComputeCapabilityMajor, 9},
        {cudaDevAttrComputeCapabilityMinor, 0},
        {cudaDevAttrMemoryPoolsSupported, 1},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrConcurrentKernels, 1},
    };
    *value = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].attribute == attribute)
            *value = known[i].value;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
    struct kernel_record *record = kernel_find(kernel);
    if (!record)
        return error_set(cudaErrorInvalidDeviceFunction);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;
    const size_t fixed = record->kernel ? record->kernel->shared_bytes : 0;
    if (value < 0 || (size_t)value + fixed > SHARED_MAX_BYTES)
        return error_set(cudaErrorInvalidValue);
    record->allowed_shared = (size_t)value;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel) {
    const struct kernel_record *record = kernel_find(kernel);
    if (!attributes || !record || !record->kernel)
        return error_set(attributes ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    const int bound = (int)record->kernel->max_threads;
    *attributes =
        (struct cudaFuncAttributes){.sharedSizeBytes = record->kernel->shared_bytes,
                                    .maxThreadsPerBlock = bound ? bound : BLOCK_MAX_THREADS,
                                    .numRegs = 32,
                                    .ptxVersion = 90,
                                    .binaryVersion = 90,
                                    .maxDynamicSharedSizeBytes = (int)launch_allowed_shared(record)};
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_threads,
                                                          size_t dynamic_shared) {
    const struct kernel_record *record = kernel_find(kernel);
    if (!blocks || !record || block_threads < 1 || block_threads > BLOCK_MAX_THREADS)
        return error_set(cudaErrorInvalidValue);
    int fit = THREADS_PER_MULTIPROCESSOR / block_threads;
    if (fit > BLOCKS_PER_MULTIPROCESSOR)
        fit = BLOCKS_PER_MULTIPROCESSOR;
    size_t each = dynamic_shared + 1024 + (record->kernel ? record->kernel->shared_bytes : 0);
    if ((size_t)fit * each > SHARED_PER_MULTIPROCESSOR)
        fit = (int)(SHARED_PER_MULTIPROCESSOR / each);
    *blocks = fit;
    return cudaSuccess;
}
