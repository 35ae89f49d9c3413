/* The calls of the CUDA runtime that travel from the host process to the device process, each once: client.c makes of this
 * list what a submission calls, simulator/serve.c what answers it.
 *
 *   CALL_n(name, kind, type, ... )   n arguments, each with its kind and type
 *
 *   IN      by value, of at most 8 bytes
 *   OUT     a pointer to a result of this type, written where the call succeeds
 *   ALWAYS  the same, written whatever the call returns
 *
 * Calls that take or give memory of the host, or whose arguments have no such form, are COPIES and OTHERS: written by hand. */
#ifndef CUDA_CALLS_H
#define CUDA_CALLS_H

#include <cuda_runtime_api.h>

#define CUDA_CALLS                                                                                           \
    CALL_0(cudaGetLastError)                                                                                 \
    CALL_0(cudaPeekAtLastError)                                                                              \
    CALL_0(cudaDeviceSynchronize)                                                                            \
    CALL_0(cudaDeviceReset)                                                                                  \
    CALL_1(cudaGetDevice, OUT, int)                                                                          \
    CALL_1(cudaSetDevice, IN, int)                                                                           \
    CALL_1(cudaGetDeviceCount, OUT, int)                                                                     \
    CALL_2(cudaGetDeviceProperties, OUT, struct cudaDeviceProp, IN, int)                                     \
    CALL_3(cudaDeviceGetAttribute, OUT, int, IN, enum cudaDeviceAttr, IN, int)                               \
    CALL_1(cudaDriverGetVersion, OUT, int)                                                                   \
    CALL_1(cudaRuntimeGetVersion, OUT, int)                                                                  \
    CALL_2(cudaMalloc, ALWAYS, void *, IN, size_t)                                                           \
    CALL_3(cudaMallocAsync, ALWAYS, void *, IN, size_t, IN, cudaStream_t)                                    \
    CALL_3(cudaMallocManaged, ALWAYS, void *, IN, size_t, IN, unsigned int)                                  \
    CALL_2(cudaMallocHost, OUT, void *, IN, size_t)                                                          \
    CALL_3(cudaHostAlloc, OUT, void *, IN, size_t, IN, unsigned int)                                         \
    CALL_1(cudaFree, IN, void *)                                                                             \
    CALL_2(cudaFreeAsync, IN, void *, IN, cudaStream_t)                                                      \
    CALL_1(cudaFreeHost, IN, void *)                                                                         \
    CALL_2(cudaMemGetInfo, OUT, size_t, OUT, size_t)                                                         \
    CALL_2(cudaPointerGetAttributes, OUT, struct cudaPointerAttributes, IN, const void *)                    \
    CALL_3(cudaMemset, IN, void *, IN, int, IN, size_t)                                                      \
    CALL_4(cudaMemsetAsync, IN, void *, IN, int, IN, size_t, IN, cudaStream_t)                               \
    CALL_5(cudaMemset2D, IN, void *, IN, size_t, IN, int, IN, size_t, IN, size_t)                            \
    CALL_6(cudaMemset2DAsync, IN, void *, IN, size_t, IN, int, IN, size_t, IN, size_t, IN, cudaStream_t)     \
    CALL_2(cudaDeviceGetDefaultMemPool, OUT, cudaMemPool_t, IN, int)                                         \
    CALL_2(cudaDeviceGetMemPool, OUT, cudaMemPool_t, IN, int)                                                \
    CALL_2(cudaMemPoolTrimTo, IN, cudaMemPool_t, IN, size_t)                                                 \
    CALL_2(cudaGetSymbolAddress, OUT, void *, IN, const void *)                                              \
    CALL_2(cudaGetSymbolSize, OUT, size_t, IN, const void *)                                                 \
    CALL_1(cudaStreamCreate, OUT, cudaStream_t)                                                              \
    CALL_2(cudaStreamCreateWithFlags, OUT, cudaStream_t, IN, unsigned int)                                   \
    CALL_3(cudaStreamCreateWithPriority, OUT, cudaStream_t, IN, unsigned int, IN, int)                       \
    CALL_1(cudaStreamDestroy, IN, cudaStream_t)                                                              \
    CALL_1(cudaStreamSynchronize, IN, cudaStream_t)                                                          \
    CALL_1(cudaStreamQuery, IN, cudaStream_t)                                                                \
    CALL_3(cudaStreamWaitEvent, IN, cudaStream_t, IN, cudaEvent_t, IN, unsigned int)                         \
    CALL_2(cudaStreamGetFlags, IN, cudaStream_t, OUT, unsigned int)                                          \
    CALL_2(cudaStreamIsCapturing, IN, cudaStream_t, OUT, enum cudaStreamCaptureStatus)                       \
    CALL_1(cudaEventCreate, OUT, cudaEvent_t)                                                                \
    CALL_2(cudaEventCreateWithFlags, OUT, cudaEvent_t, IN, unsigned int)                                     \
    CALL_2(cudaEventRecord, IN, cudaEvent_t, IN, cudaStream_t)                                               \
    CALL_1(cudaEventSynchronize, IN, cudaEvent_t)                                                            \
    CALL_1(cudaEventQuery, IN, cudaEvent_t)                                                                  \
    CALL_3(cudaEventElapsedTime, OUT, float, IN, cudaEvent_t, IN, cudaEvent_t)                               \
    CALL_1(cudaEventDestroy, IN, cudaEvent_t)                                                                \
    CALL_3(cudaFuncSetAttribute, IN, const void *, IN, enum cudaFuncAttribute, IN, int)                      \
    CALL_2(cudaFuncGetAttributes, OUT, struct cudaFuncAttributes, IN, const void *)                          \
    CALL_4(cudaOccupancyMaxActiveBlocksPerMultiprocessor, OUT, int, IN, const void *, IN, int, IN, size_t)

/* Words: the arguments in their order. Bytes: of the source, where that is the host's, its rows one after the other. What is
 * answered: of the destination, likewise. */
#define CUDA_COPIES                                                                                          \
    COPY(cudaMemcpy)                                                                                         \
    COPY(cudaMemcpyAsync)                                                                                    \
    COPY(cudaMemcpy2D)                                                                                       \
    COPY(cudaMemcpy2DAsync)                                                                                  \
    COPY(cudaMemcpyToSymbol)                                                                                 \
    COPY(cudaMemcpyToSymbolAsync)                                                                            \
    COPY(cudaMemcpyFromSymbol)                                                                               \
    COPY(cudaMemcpyFromSymbolAsync)

/* The words and bytes of each are told where client.c and its neighbours send it. */
#define CUDA_OTHERS                                                                                          \
    OTHER(cudaLaunchKernel)                                                                                  \
    OTHER(cudaLaunchHostFunc)                                                                                \
    OTHER(cudaMemPoolSetAttribute)                                                                           \
    OTHER(cudaMemPoolGetAttribute)                                                                           \
    OTHER(register_function)                                                                                 \
    OTHER(register_variable)                                                                                 \
    OTHER(argument_sizes)                                                                                    \
    OTHER(access)

enum cuda_call {
#define CALL_0(name) CUDA_##name,
#define CALL_1(name, ...) CUDA_##name,
#define CALL_2(name, ...) CUDA_##name,
#define CALL_3(name, ...) CUDA_##name,
#define CALL_4(name, ...) CUDA_##name,
#define CALL_5(name, ...) CUDA_##name,
#define CALL_6(name, ...) CUDA_##name,
#define COPY(name) CUDA_##name,
#define OTHER(name) CUDA_##name,
    CUDA_CALLS CUDA_COPIES CUDA_OTHERS
#undef CALL_0
#undef CALL_1
#undef CALL_2
#undef CALL_3
#undef CALL_4
#undef CALL_5
#undef CALL_6
#undef COPY
#undef OTHER
        CUDA_CALL_COUNT
};

#endif
