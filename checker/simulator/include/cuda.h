/* The driver API, as far as programs of the runtime API meet it: its types, its constants, and its calls by name, each of
 * which says that it is not offered. Values are those of CUDA 13. */
#ifndef CUDA_H
#define CUDA_H

#include <stddef.h>
#include <stdint.h>

#include "sim/compiler.h"

#define CUDA_VERSION 13000
#define CUDAAPI

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUarray_st *CUarray;
typedef struct CUuuid_st {
    char bytes[16];
} CUuuid;

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_PROFILER_DISABLED = 5,
    CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6,
    CUDA_ERROR_PROFILER_ALREADY_STARTED = 7,
    CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8,
    CUDA_ERROR_STUB_LIBRARY = 34,
    CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER = 36,
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_DEVICE_NOT_LICENSED = 102,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202,
    CUDA_ERROR_MAP_FAILED = 205,
    CUDA_ERROR_UNMAP_FAILED = 206,
    CUDA_ERROR_ARRAY_IS_MAPPED = 207,
    CUDA_ERROR_ALREADY_MAPPED = 208,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_ALREADY_ACQUIRED = 210,
    CUDA_ERROR_NOT_MAPPED = 211,
    CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212,
    CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213,
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
    CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216,
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219,
    CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_JIT_COMPILATION_DISABLED = 223,
    CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY = 224,
    CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 225,
    CUDA_ERROR_CONTAINED = 226,
    CUDA_ERROR_INVALID_SOURCE = 300,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302,
    CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303,
    CUDA_ERROR_OPERATING_SYSTEM = 304,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_ILLEGAL_STATE = 401,
    CUDA_ERROR_LOSSY_QUERY = 402,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
    CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_TOO_MANY_PEERS = 711,
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
    CUDA_ERROR_INVALID_PC = 718,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    CUDA_ERROR_TENSOR_MEMORY_LEAK = 721,
    CUDA_ERROR_NOT_PERMITTED = 800,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_SYSTEM_NOT_READY = 802,
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
    CUDA_ERROR_MPS_CONNECTION_FAILED = 805,
    CUDA_ERROR_MPS_RPC_FAILURE = 806,
    CUDA_ERROR_MPS_SERVER_NOT_READY = 807,
    CUDA_ERROR_MPS_MAX_CLIENTS_REACHED = 808,
    CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809,
    CUDA_ERROR_MPS_CLIENT_TERMINATED = 810,
    CUDA_ERROR_CDP_NOT_SUPPORTED = 811,
    CUDA_ERROR_CDP_VERSION_MISMATCH = 812,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_MERGE = 902,
    CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
    CUDA_ERROR_CAPTURED_EVENT = 907,
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
    CUDA_ERROR_TIMEOUT = 909,
    CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
    CUDA_ERROR_EXTERNAL_DEVICE = 911,
    CUDA_ERROR_INVALID_CLUSTER_SIZE = 912,
    CUDA_ERROR_FUNCTION_NOT_LOADED = 913,
    CUDA_ERROR_INVALID_RESOURCE_TYPE = 914,
    CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION = 915,
    CUDA_ERROR_KEY_ROTATION = 916,
    CUDA_ERROR_UNKNOWN = 999,
} CUresult;

#ifdef __clang__
#ifdef __cplusplus
#define SIM_ABSENT_CALL(name) extern "C" CUresult name(...) SIM_ABSENT("the driver API (" #name ")")
#else
#define SIM_ABSENT_CALL(name) CUresult name(int, ...) SIM_ABSENT("the driver API (" #name ")")
#endif

SIM_ABSENT_CALL(cuArray3DCreate);
SIM_ABSENT_CALL(cuArray3DGetDescriptor);
SIM_ABSENT_CALL(cuArrayCreate);
SIM_ABSENT_CALL(cuArrayDestroy);
SIM_ABSENT_CALL(cuArrayGetDescriptor);
SIM_ABSENT_CALL(cuArrayGetMemoryRequirements);
SIM_ABSENT_CALL(cuArrayGetPlane);
SIM_ABSENT_CALL(cuArrayGetSparseProperties);
SIM_ABSENT_CALL(cuCheckpointProcessCheckpoint);
SIM_ABSENT_CALL(cuCheckpointProcessGetRestoreThreadId);
SIM_ABSENT_CALL(cuCheckpointProcessGetState);
SIM_ABSENT_CALL(cuCheckpointProcessLock);
SIM_ABSENT_CALL(cuCheckpointProcessRestore);
SIM_ABSENT_CALL(cuCheckpointProcessUnlock);
SIM_ABSENT_CALL(cuCoredumpGetAttribute);
SIM_ABSENT_CALL(cuCoredumpGetAttributeGlobal);
SIM_ABSENT_CALL(cuCoredumpSetAttribute);
SIM_ABSENT_CALL(cuCoredumpSetAttributeGlobal);
SIM_ABSENT_CALL(cuCtxCreate);
SIM_ABSENT_CALL(cuCtxDestroy);
SIM_ABSENT_CALL(cuCtxDisablePeerAccess);
SIM_ABSENT_CALL(cuCtxEnablePeerAccess);
SIM_ABSENT_CALL(cuCtxFromGreenCtx);
SIM_ABSENT_CALL(cuCtxGetApiVersion);
SIM_ABSENT_CALL(cuCtxGetCacheConfig);
SIM_ABSENT_CALL(cuCtxGetCurrent);
SIM_ABSENT_CALL(cuCtxGetDevResource);
SIM_ABSENT_CALL(cuCtxGetDevice);
SIM_ABSENT_CALL(cuCtxGetDevice_v2);
SIM_ABSENT_CALL(cuCtxGetExecAffinity);
SIM_ABSENT_CALL(cuCtxGetFlags);
SIM_ABSENT_CALL(cuCtxGetId);
SIM_ABSENT_CALL(cuCtxGetLimit);
SIM_ABSENT_CALL(cuCtxGetStreamPriorityRange);
SIM_ABSENT_CALL(cuCtxPopCurrent);
SIM_ABSENT_CALL(cuCtxPushCurrent);
SIM_ABSENT_CALL(cuCtxRecordEvent);
SIM_ABSENT_CALL(cuCtxResetPersistingL2Cache);
SIM_ABSENT_CALL(cuCtxSetCacheConfig);
SIM_ABSENT_CALL(cuCtxSetCurrent);
SIM_ABSENT_CALL(cuCtxSetFlags);
SIM_ABSENT_CALL(cuCtxSetLimit);
SIM_ABSENT_CALL(cuCtxSynchronize);
SIM_ABSENT_CALL(cuCtxSynchronize_v2);
SIM_ABSENT_CALL(cuCtxWaitEvent);
SIM_ABSENT_CALL(cuDestroyExternalMemory);
SIM_ABSENT_CALL(cuDestroyExternalSemaphore);
SIM_ABSENT_CALL(cuDevResourceGenerateDesc);
SIM_ABSENT_CALL(cuDevSmResourceSplitByCount);
SIM_ABSENT_CALL(cuDeviceCanAccessPeer);
SIM_ABSENT_CALL(cuDeviceGet);
SIM_ABSENT_CALL(cuDeviceGetAttribute);
SIM_ABSENT_CALL(cuDeviceGetByPCIBusId);
SIM_ABSENT_CALL(cuDeviceGetCount);
SIM_ABSENT_CALL(cuDeviceGetDefaultMemPool);
SIM_ABSENT_CALL(cuDeviceGetDevResource);
SIM_ABSENT_CALL(cuDeviceGetExecAffinitySupport);
SIM_ABSENT_CALL(cuDeviceGetGraphMemAttribute);
SIM_ABSENT_CALL(cuDeviceGetHostAtomicCapabilities);
SIM_ABSENT_CALL(cuDeviceGetLuid);
SIM_ABSENT_CALL(cuDeviceGetMemPool);
SIM_ABSENT_CALL(cuDeviceGetName);
SIM_ABSENT_CALL(cuDeviceGetNvSciSyncAttributes);
SIM_ABSENT_CALL(cuDeviceGetP2PAtomicCapabilities);
SIM_ABSENT_CALL(cuDeviceGetP2PAttribute);
SIM_ABSENT_CALL(cuDeviceGetPCIBusId);
SIM_ABSENT_CALL(cuDeviceGetTexture1DLinearMaxWidth);
SIM_ABSENT_CALL(cuDeviceGetUuid);
SIM_ABSENT_CALL(cuDeviceGraphMemTrim);
SIM_ABSENT_CALL(cuDevicePrimaryCtxGetState);
SIM_ABSENT_CALL(cuDevicePrimaryCtxRelease);
SIM_ABSENT_CALL(cuDevicePrimaryCtxReset);
SIM_ABSENT_CALL(cuDevicePrimaryCtxRetain);
SIM_ABSENT_CALL(cuDevicePrimaryCtxSetFlags);
SIM_ABSENT_CALL(cuDeviceRegisterAsyncNotification);
SIM_ABSENT_CALL(cuDeviceSetGraphMemAttribute);
SIM_ABSENT_CALL(cuDeviceSetMemPool);
SIM_ABSENT_CALL(cuDeviceTotalMem);
SIM_ABSENT_CALL(cuDeviceUnregisterAsyncNotification);
SIM_ABSENT_CALL(cuDriverGetVersion);
SIM_ABSENT_CALL(cuEventCreate);
SIM_ABSENT_CALL(cuEventDestroy);
SIM_ABSENT_CALL(cuEventElapsedTime);
SIM_ABSENT_CALL(cuEventQuery);
SIM_ABSENT_CALL(cuEventRecord);
SIM_ABSENT_CALL(cuEventRecordWithFlags);
SIM_ABSENT_CALL(cuEventSynchronize);
SIM_ABSENT_CALL(cuExternalMemoryGetMappedBuffer);
SIM_ABSENT_CALL(cuExternalMemoryGetMappedMipmappedArray);
SIM_ABSENT_CALL(cuFlushGPUDirectRDMAWrites);
SIM_ABSENT_CALL(cuFuncGetAttribute);
SIM_ABSENT_CALL(cuFuncGetModule);
SIM_ABSENT_CALL(cuFuncGetName);
SIM_ABSENT_CALL(cuFuncGetParamInfo);
SIM_ABSENT_CALL(cuFuncIsLoaded);
SIM_ABSENT_CALL(cuFuncLoad);
SIM_ABSENT_CALL(cuFuncSetAttribute);
SIM_ABSENT_CALL(cuFuncSetCacheConfig);
SIM_ABSENT_CALL(cuGetErrorName);
SIM_ABSENT_CALL(cuGetErrorString);
SIM_ABSENT_CALL(cuGetExportTable);
SIM_ABSENT_CALL(cuGetProcAddress);
SIM_ABSENT_CALL(cuGraphAddBatchMemOpNode);
SIM_ABSENT_CALL(cuGraphAddChildGraphNode);
SIM_ABSENT_CALL(cuGraphAddDependencies);
SIM_ABSENT_CALL(cuGraphAddEmptyNode);
SIM_ABSENT_CALL(cuGraphAddEventRecordNode);
SIM_ABSENT_CALL(cuGraphAddEventWaitNode);
SIM_ABSENT_CALL(cuGraphAddExternalSemaphoresSignalNode);
SIM_ABSENT_CALL(cuGraphAddExternalSemaphoresWaitNode);
SIM_ABSENT_CALL(cuGraphAddHostNode);
SIM_ABSENT_CALL(cuGraphAddKernelNode);
SIM_ABSENT_CALL(cuGraphAddMemAllocNode);
SIM_ABSENT_CALL(cuGraphAddMemFreeNode);
SIM_ABSENT_CALL(cuGraphAddMemcpyNode);
SIM_ABSENT_CALL(cuGraphAddMemsetNode);
SIM_ABSENT_CALL(cuGraphAddNode);
SIM_ABSENT_CALL(cuGraphBatchMemOpNodeGetParams);
SIM_ABSENT_CALL(cuGraphBatchMemOpNodeSetParams);
SIM_ABSENT_CALL(cuGraphChildGraphNodeGetGraph);
SIM_ABSENT_CALL(cuGraphClone);
SIM_ABSENT_CALL(cuGraphConditionalHandleCreate);
SIM_ABSENT_CALL(cuGraphCreate);
SIM_ABSENT_CALL(cuGraphDebugDotPrint);
SIM_ABSENT_CALL(cuGraphDestroy);
SIM_ABSENT_CALL(cuGraphDestroyNode);
SIM_ABSENT_CALL(cuGraphEventRecordNodeGetEvent);
SIM_ABSENT_CALL(cuGraphEventRecordNodeSetEvent);
SIM_ABSENT_CALL(cuGraphEventWaitNodeGetEvent);
SIM_ABSENT_CALL(cuGraphEventWaitNodeSetEvent);
SIM_ABSENT_CALL(cuGraphExecBatchMemOpNodeSetParams);
SIM_ABSENT_CALL(cuGraphExecChildGraphNodeSetParams);
SIM_ABSENT_CALL(cuGraphExecDestroy);
SIM_ABSENT_CALL(cuGraphExecEventRecordNodeSetEvent);
SIM_ABSENT_CALL(cuGraphExecEventWaitNodeSetEvent);
SIM_ABSENT_CALL(cuGraphExecExternalSemaphoresSignalNodeSetParams);
SIM_ABSENT_CALL(cuGraphExecExternalSemaphoresWaitNodeSetParams);
SIM_ABSENT_CALL(cuGraphExecGetFlags);
SIM_ABSENT_CALL(cuGraphExecHostNodeSetParams);
SIM_ABSENT_CALL(cuGraphExecKernelNodeSetParams);
SIM_ABSENT_CALL(cuGraphExecMemcpyNodeSetParams);
SIM_ABSENT_CALL(cuGraphExecMemsetNodeSetParams);
SIM_ABSENT_CALL(cuGraphExecNodeSetParams);
SIM_ABSENT_CALL(cuGraphExecUpdate);
SIM_ABSENT_CALL(cuGraphExternalSemaphoresSignalNodeGetParams);
SIM_ABSENT_CALL(cuGraphExternalSemaphoresSignalNodeSetParams);
SIM_ABSENT_CALL(cuGraphExternalSemaphoresWaitNodeGetParams);
SIM_ABSENT_CALL(cuGraphExternalSemaphoresWaitNodeSetParams);
SIM_ABSENT_CALL(cuGraphGetEdges);
SIM_ABSENT_CALL(cuGraphGetNodes);
SIM_ABSENT_CALL(cuGraphGetRootNodes);
SIM_ABSENT_CALL(cuGraphHostNodeGetParams);
SIM_ABSENT_CALL(cuGraphHostNodeSetParams);
SIM_ABSENT_CALL(cuGraphInstantiate);
SIM_ABSENT_CALL(cuGraphInstantiateWithParams);
SIM_ABSENT_CALL(cuGraphKernelNodeCopyAttributes);
SIM_ABSENT_CALL(cuGraphKernelNodeGetAttribute);
SIM_ABSENT_CALL(cuGraphKernelNodeGetParams);
SIM_ABSENT_CALL(cuGraphKernelNodeSetAttribute);
SIM_ABSENT_CALL(cuGraphKernelNodeSetParams);
SIM_ABSENT_CALL(cuGraphLaunch);
SIM_ABSENT_CALL(cuGraphMemAllocNodeGetParams);
SIM_ABSENT_CALL(cuGraphMemFreeNodeGetParams);
SIM_ABSENT_CALL(cuGraphMemcpyNodeGetParams);
SIM_ABSENT_CALL(cuGraphMemcpyNodeSetParams);
SIM_ABSENT_CALL(cuGraphMemsetNodeGetParams);
SIM_ABSENT_CALL(cuGraphMemsetNodeSetParams);
SIM_ABSENT_CALL(cuGraphNodeFindInClone);
SIM_ABSENT_CALL(cuGraphNodeGetDependencies);
SIM_ABSENT_CALL(cuGraphNodeGetDependentNodes);
SIM_ABSENT_CALL(cuGraphNodeGetEnabled);
SIM_ABSENT_CALL(cuGraphNodeGetType);
SIM_ABSENT_CALL(cuGraphNodeSetEnabled);
SIM_ABSENT_CALL(cuGraphNodeSetParams);
SIM_ABSENT_CALL(cuGraphReleaseUserObject);
SIM_ABSENT_CALL(cuGraphRemoveDependencies);
SIM_ABSENT_CALL(cuGraphRetainUserObject);
SIM_ABSENT_CALL(cuGraphUpload);
SIM_ABSENT_CALL(cuGraphicsMapResources);
SIM_ABSENT_CALL(cuGraphicsResourceGetMappedMipmappedArray);
SIM_ABSENT_CALL(cuGraphicsResourceGetMappedPointer);
SIM_ABSENT_CALL(cuGraphicsResourceSetMapFlags);
SIM_ABSENT_CALL(cuGraphicsSubResourceGetMappedArray);
SIM_ABSENT_CALL(cuGraphicsUnmapResources);
SIM_ABSENT_CALL(cuGraphicsUnregisterResource);
SIM_ABSENT_CALL(cuGreenCtxCreate);
SIM_ABSENT_CALL(cuGreenCtxDestroy);
SIM_ABSENT_CALL(cuGreenCtxGetDevResource);
SIM_ABSENT_CALL(cuGreenCtxGetId);
SIM_ABSENT_CALL(cuGreenCtxRecordEvent);
SIM_ABSENT_CALL(cuGreenCtxStreamCreate);
SIM_ABSENT_CALL(cuGreenCtxWaitEvent);
SIM_ABSENT_CALL(cuImportExternalMemory);
SIM_ABSENT_CALL(cuImportExternalSemaphore);
SIM_ABSENT_CALL(cuInit);
SIM_ABSENT_CALL(cuIpcCloseMemHandle);
SIM_ABSENT_CALL(cuIpcGetEventHandle);
SIM_ABSENT_CALL(cuIpcGetMemHandle);
SIM_ABSENT_CALL(cuIpcOpenEventHandle);
SIM_ABSENT_CALL(cuIpcOpenMemHandle);
SIM_ABSENT_CALL(cuKernelGetAttribute);
SIM_ABSENT_CALL(cuKernelGetFunction);
SIM_ABSENT_CALL(cuKernelGetLibrary);
SIM_ABSENT_CALL(cuKernelGetName);
SIM_ABSENT_CALL(cuKernelGetParamInfo);
SIM_ABSENT_CALL(cuKernelSetAttribute);
SIM_ABSENT_CALL(cuKernelSetCacheConfig);
SIM_ABSENT_CALL(cuLaunchCooperativeKernel);
SIM_ABSENT_CALL(cuLaunchHostFunc);
SIM_ABSENT_CALL(cuLaunchKernel);
SIM_ABSENT_CALL(cuLaunchKernelEx);
SIM_ABSENT_CALL(cuLibraryEnumerateKernels);
SIM_ABSENT_CALL(cuLibraryGetGlobal);
SIM_ABSENT_CALL(cuLibraryGetKernel);
SIM_ABSENT_CALL(cuLibraryGetKernelCount);
SIM_ABSENT_CALL(cuLibraryGetManaged);
SIM_ABSENT_CALL(cuLibraryGetModule);
SIM_ABSENT_CALL(cuLibraryGetUnifiedFunction);
SIM_ABSENT_CALL(cuLibraryLoadData);
SIM_ABSENT_CALL(cuLibraryLoadFromFile);
SIM_ABSENT_CALL(cuLibraryUnload);
SIM_ABSENT_CALL(cuLogsCurrent);
SIM_ABSENT_CALL(cuLogsDumpToFile);
SIM_ABSENT_CALL(cuLogsDumpToMemory);
SIM_ABSENT_CALL(cuLogsRegisterCallback);
SIM_ABSENT_CALL(cuLogsUnregisterCallback);
SIM_ABSENT_CALL(cuMemAddressFree);
SIM_ABSENT_CALL(cuMemAddressReserve);
SIM_ABSENT_CALL(cuMemAdvise);
SIM_ABSENT_CALL(cuMemAlloc);
SIM_ABSENT_CALL(cuMemAllocAsync);
SIM_ABSENT_CALL(cuMemAllocFromPoolAsync);
SIM_ABSENT_CALL(cuMemAllocHost);
SIM_ABSENT_CALL(cuMemAllocManaged);
SIM_ABSENT_CALL(cuMemAllocPitch);
SIM_ABSENT_CALL(cuMemBatchDecompressAsync);
SIM_ABSENT_CALL(cuMemCreate);
SIM_ABSENT_CALL(cuMemDiscardAndPrefetchBatchAsync);
SIM_ABSENT_CALL(cuMemDiscardBatchAsync);
SIM_ABSENT_CALL(cuMemExportToShareableHandle);
SIM_ABSENT_CALL(cuMemFree);
SIM_ABSENT_CALL(cuMemFreeAsync);
SIM_ABSENT_CALL(cuMemFreeHost);
SIM_ABSENT_CALL(cuMemGetAccess);
SIM_ABSENT_CALL(cuMemGetAddressRange);
SIM_ABSENT_CALL(cuMemGetAllocationGranularity);
SIM_ABSENT_CALL(cuMemGetAllocationPropertiesFromHandle);
SIM_ABSENT_CALL(cuMemGetDefaultMemPool);
SIM_ABSENT_CALL(cuMemGetHandleForAddressRange);
SIM_ABSENT_CALL(cuMemGetInfo);
SIM_ABSENT_CALL(cuMemGetMemPool);
SIM_ABSENT_CALL(cuMemHostAlloc);
SIM_ABSENT_CALL(cuMemHostGetDevicePointer);
SIM_ABSENT_CALL(cuMemHostGetFlags);
SIM_ABSENT_CALL(cuMemHostRegister);
SIM_ABSENT_CALL(cuMemHostUnregister);
SIM_ABSENT_CALL(cuMemImportFromShareableHandle);
SIM_ABSENT_CALL(cuMemMap);
SIM_ABSENT_CALL(cuMemMapArrayAsync);
SIM_ABSENT_CALL(cuMemPoolCreate);
SIM_ABSENT_CALL(cuMemPoolDestroy);
SIM_ABSENT_CALL(cuMemPoolExportPointer);
SIM_ABSENT_CALL(cuMemPoolExportToShareableHandle);
SIM_ABSENT_CALL(cuMemPoolGetAccess);
SIM_ABSENT_CALL(cuMemPoolGetAttribute);
SIM_ABSENT_CALL(cuMemPoolImportFromShareableHandle);
SIM_ABSENT_CALL(cuMemPoolImportPointer);
SIM_ABSENT_CALL(cuMemPoolSetAccess);
SIM_ABSENT_CALL(cuMemPoolSetAttribute);
SIM_ABSENT_CALL(cuMemPoolTrimTo);
SIM_ABSENT_CALL(cuMemPrefetchAsync);
SIM_ABSENT_CALL(cuMemPrefetchBatchAsync);
SIM_ABSENT_CALL(cuMemRangeGetAttribute);
SIM_ABSENT_CALL(cuMemRangeGetAttributes);
SIM_ABSENT_CALL(cuMemRelease);
SIM_ABSENT_CALL(cuMemRetainAllocationHandle);
SIM_ABSENT_CALL(cuMemSetAccess);
SIM_ABSENT_CALL(cuMemSetMemPool);
SIM_ABSENT_CALL(cuMemUnmap);
SIM_ABSENT_CALL(cuMemcpy);
SIM_ABSENT_CALL(cuMemcpy2D);
SIM_ABSENT_CALL(cuMemcpy2DAsync);
SIM_ABSENT_CALL(cuMemcpy2DUnaligned);
SIM_ABSENT_CALL(cuMemcpy3D);
SIM_ABSENT_CALL(cuMemcpy3DAsync);
SIM_ABSENT_CALL(cuMemcpy3DBatchAsync);
SIM_ABSENT_CALL(cuMemcpy3DPeer);
SIM_ABSENT_CALL(cuMemcpy3DPeerAsync);
SIM_ABSENT_CALL(cuMemcpyAsync);
SIM_ABSENT_CALL(cuMemcpyAtoA);
SIM_ABSENT_CALL(cuMemcpyAtoD);
SIM_ABSENT_CALL(cuMemcpyAtoH);
SIM_ABSENT_CALL(cuMemcpyAtoHAsync);
SIM_ABSENT_CALL(cuMemcpyBatchAsync);
SIM_ABSENT_CALL(cuMemcpyDtoA);
SIM_ABSENT_CALL(cuMemcpyDtoD);
SIM_ABSENT_CALL(cuMemcpyDtoDAsync);
SIM_ABSENT_CALL(cuMemcpyDtoH);
SIM_ABSENT_CALL(cuMemcpyDtoHAsync);
SIM_ABSENT_CALL(cuMemcpyHtoA);
SIM_ABSENT_CALL(cuMemcpyHtoAAsync);
SIM_ABSENT_CALL(cuMemcpyHtoD);
SIM_ABSENT_CALL(cuMemcpyHtoDAsync);
SIM_ABSENT_CALL(cuMemcpyPeer);
SIM_ABSENT_CALL(cuMemcpyPeerAsync);
SIM_ABSENT_CALL(cuMemsetD16);
SIM_ABSENT_CALL(cuMemsetD16Async);
SIM_ABSENT_CALL(cuMemsetD2D16);
SIM_ABSENT_CALL(cuMemsetD2D16Async);
SIM_ABSENT_CALL(cuMemsetD2D32);
SIM_ABSENT_CALL(cuMemsetD2D32Async);
SIM_ABSENT_CALL(cuMemsetD2D8);
SIM_ABSENT_CALL(cuMemsetD2D8Async);
SIM_ABSENT_CALL(cuMemsetD32);
SIM_ABSENT_CALL(cuMemsetD32Async);
SIM_ABSENT_CALL(cuMemsetD8);
SIM_ABSENT_CALL(cuMemsetD8Async);
SIM_ABSENT_CALL(cuMipmappedArrayCreate);
SIM_ABSENT_CALL(cuMipmappedArrayDestroy);
SIM_ABSENT_CALL(cuMipmappedArrayGetLevel);
SIM_ABSENT_CALL(cuMipmappedArrayGetMemoryRequirements);
SIM_ABSENT_CALL(cuMipmappedArrayGetSparseProperties);
SIM_ABSENT_CALL(cuModuleEnumerateFunctions);
SIM_ABSENT_CALL(cuModuleGetFunction);
SIM_ABSENT_CALL(cuModuleGetFunctionCount);
SIM_ABSENT_CALL(cuModuleGetGlobal);
SIM_ABSENT_CALL(cuModuleGetLoadingMode);
SIM_ABSENT_CALL(cuModuleLoad);
SIM_ABSENT_CALL(cuModuleLoadData);
SIM_ABSENT_CALL(cuModuleLoadDataEx);
SIM_ABSENT_CALL(cuModuleLoadFatBinary);
SIM_ABSENT_CALL(cuModuleUnload);
SIM_ABSENT_CALL(cuMulticastAddDevice);
SIM_ABSENT_CALL(cuMulticastBindAddr);
SIM_ABSENT_CALL(cuMulticastBindMem);
SIM_ABSENT_CALL(cuMulticastCreate);
SIM_ABSENT_CALL(cuMulticastGetGranularity);
SIM_ABSENT_CALL(cuMulticastUnbind);
SIM_ABSENT_CALL(cuOccupancyAvailableDynamicSMemPerBlock);
SIM_ABSENT_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor);
SIM_ABSENT_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
SIM_ABSENT_CALL(cuOccupancyMaxActiveClusters);
SIM_ABSENT_CALL(cuOccupancyMaxPotentialBlockSize);
SIM_ABSENT_CALL(cuOccupancyMaxPotentialBlockSizeWithFlags);
SIM_ABSENT_CALL(cuOccupancyMaxPotentialClusterSize);
SIM_ABSENT_CALL(cuPointerGetAttribute);
SIM_ABSENT_CALL(cuPointerGetAttributes);
SIM_ABSENT_CALL(cuPointerSetAttribute);
SIM_ABSENT_CALL(cuSignalExternalSemaphoresAsync);
SIM_ABSENT_CALL(cuStreamAddCallback);
SIM_ABSENT_CALL(cuStreamAttachMemAsync);
SIM_ABSENT_CALL(cuStreamBatchMemOp);
SIM_ABSENT_CALL(cuStreamBeginCapture);
SIM_ABSENT_CALL(cuStreamBeginCaptureToGraph);
SIM_ABSENT_CALL(cuStreamCopyAttributes);
SIM_ABSENT_CALL(cuStreamCreate);
SIM_ABSENT_CALL(cuStreamCreateWithPriority);
SIM_ABSENT_CALL(cuStreamDestroy);
SIM_ABSENT_CALL(cuStreamEndCapture);
SIM_ABSENT_CALL(cuStreamGetAttribute);
SIM_ABSENT_CALL(cuStreamGetCaptureInfo);
SIM_ABSENT_CALL(cuStreamGetCtx);
SIM_ABSENT_CALL(cuStreamGetCtx_v2);
SIM_ABSENT_CALL(cuStreamGetDevice);
SIM_ABSENT_CALL(cuStreamGetFlags);
SIM_ABSENT_CALL(cuStreamGetGreenCtx);
SIM_ABSENT_CALL(cuStreamGetId);
SIM_ABSENT_CALL(cuStreamGetPriority);
SIM_ABSENT_CALL(cuStreamIsCapturing);
SIM_ABSENT_CALL(cuStreamQuery);
SIM_ABSENT_CALL(cuStreamSetAttribute);
SIM_ABSENT_CALL(cuStreamSynchronize);
SIM_ABSENT_CALL(cuStreamUpdateCaptureDependencies);
SIM_ABSENT_CALL(cuStreamWaitEvent);
SIM_ABSENT_CALL(cuStreamWaitValue32);
SIM_ABSENT_CALL(cuStreamWaitValue64);
SIM_ABSENT_CALL(cuStreamWriteValue32);
SIM_ABSENT_CALL(cuStreamWriteValue64);
SIM_ABSENT_CALL(cuSurfObjectCreate);
SIM_ABSENT_CALL(cuSurfObjectDestroy);
SIM_ABSENT_CALL(cuSurfObjectGetResourceDesc);
SIM_ABSENT_CALL(cuTensorMapEncodeIm2col);
SIM_ABSENT_CALL(cuTensorMapEncodeIm2colWide);
SIM_ABSENT_CALL(cuTensorMapEncodeTiled);
SIM_ABSENT_CALL(cuTensorMapReplaceAddress);
SIM_ABSENT_CALL(cuTexObjectCreate);
SIM_ABSENT_CALL(cuTexObjectDestroy);
SIM_ABSENT_CALL(cuTexObjectGetResourceDesc);
SIM_ABSENT_CALL(cuTexObjectGetResourceViewDesc);
SIM_ABSENT_CALL(cuTexObjectGetTextureDesc);
SIM_ABSENT_CALL(cuThreadExchangeStreamCaptureMode);
SIM_ABSENT_CALL(cuUserObjectCreate);
SIM_ABSENT_CALL(cuUserObjectRelease);
SIM_ABSENT_CALL(cuUserObjectRetain);
SIM_ABSENT_CALL(cuWaitExternalSemaphoresAsync);

#undef SIM_ABSENT_CALL
#endif

#endif
