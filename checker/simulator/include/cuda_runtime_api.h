/* CUDA's runtime API as far as the simulator offers it, for C17 and C++17. Names, arguments and results are
 * those of CUDA 13; the simulator's core implements them. What is missing is named at the end, so that using
 * it is a compile error that says where it can be used. */
#ifndef CUDA_RUNTIME_API_H
#define CUDA_RUNTIME_API_H

#include <stddef.h>

#include "driver_types.h"
#include "library_types.h"
#include "sim/absent.h"

#define CUDART_VERSION 13000
#define CUDA_SIMULATOR 1 /* no toolkit of NVIDIA's: for code that has another form for a GPU */

/* A default argument, which only C++ has. */
#ifdef __cplusplus
#define SIM_DEFAULT(value) = value
extern "C" {
#else
#define SIM_DEFAULT(value)
#endif

/* ---- errors ---- */

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* ---- the device ---- */

cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);

/* ---- memory: sizes, pitches and widths in bytes ---- */

cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocManaged(void **pointer, size_t bytes,
                              unsigned int flags SIM_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocHost(void **pointer, size_t bytes);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream SIM_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream SIM_DEFAULT(0));
cudaError_t cudaMemset(void *pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream SIM_DEFAULT(0));
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream SIM_DEFAULT(0));

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep);

/* A symbol is the address of a __device__ or __constant__ variable. */
cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                               size_t offset SIM_DEFAULT(0),
                               enum cudaMemcpyKind kind SIM_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream SIM_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset SIM_DEFAULT(0),
                                 enum cudaMemcpyKind kind SIM_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream SIM_DEFAULT(0));

/* ---- streams and events ---- */

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags SIM_DEFAULT(0));
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);

cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream SIM_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);

/* ---- kernels ---- */

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t dynamic_shared, cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *kernel,
                                void **arguments);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_threads,
                                                          size_t dynamic_shared);

/* ---- what needs no simulator ---- */

/* Rows of `width` bytes, `height` of them, that all begin at a multiple of 512 bytes. */
static inline cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    if (!pitch)
        return cudaErrorInvalidValue;
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(pointer, *pitch * height);
}
static inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

/* ---- hints: taken, and without effect on what is computed ---- */

static inline cudaError_t cudaInitDevice(int device, unsigned int flags, unsigned int device_flags) {
    (void)flags, (void)device_flags;
    return cudaSetDevice(device);
}
static inline cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    (void)flags;
    return cudaSuccess;
}
static inline cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
    if (flags)
        *flags = cudaDeviceScheduleAuto;
    return flags ? cudaSuccess : cudaErrorInvalidValue;
}
static inline cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    (void)config;
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
    if (config)
        *config = cudaFuncCachePreferNone;
    return config ? cudaSuccess : cudaErrorInvalidValue;
}
static inline cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config) {
    (void)config;
    return kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}
static inline cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
    (void)config;
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
    if (config)
        *config = cudaSharedMemBankSizeFourByte;
    return config ? cudaSuccess : cudaErrorInvalidValue;
}
static inline cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config) {
    (void)config;
    return kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}
static inline cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    (void)limit, (void)value;
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    if (value)
        *value = limit == cudaLimitMallocHeapSize   ? (size_t)8 << 20
                 : limit == cudaLimitPrintfFifoSize ? (size_t)1 << 20
                                                    : 1024;
    return value ? cudaSuccess : cudaErrorInvalidValue;
}
static inline cudaError_t cudaCtxResetPersistingL2Cache(void) {
    return cudaSuccess;
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                                        struct cudaMemLocation location) {
    (void)bytes, (void)advice, (void)location;
    return pointer ? cudaSuccess : cudaErrorInvalidValue;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes,
                                               struct cudaMemLocation location, unsigned int flags,
                                               cudaStream_t stream SIM_DEFAULT(0)) {
    (void)bytes, (void)location, (void)flags, (void)stream;
    return pointer ? cudaSuccess : cudaErrorInvalidValue;
}

/* ---- one device ---- */

static inline cudaError_t cudaSetValidDevices(int *devices, int count) {
    return devices && count > 0 ? cudaSuccess : cudaErrorInvalidValue;
}
static inline cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
    if (!device || !properties)
        return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    if (!can || device != 0 || peer != 0)
        return cudaErrorInvalidDevice;
    *can = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    (void)stream;
    if (priority)
        *priority = 0;
    return priority ? cudaSuccess : cudaErrorInvalidValue;
}
static inline cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
    (void)stream;
    return cudaGetDevice(device);
}
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int block_threads,
                                                       size_t dynamic_shared, unsigned int flags) {
    (void)flags;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_threads, dynamic_shared);
}

#ifdef __cplusplus
}
#endif
#undef SIM_DEFAULT

#endif
