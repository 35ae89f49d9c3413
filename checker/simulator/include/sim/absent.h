/* The parts of CUDA's runtime API that the simulator does not offer. Each is declared, so that code which
 * uses it gets one error that names it and says what to do, and not one about an unknown name. */
#ifndef SIM_ABSENT_H
#define SIM_ABSENT_H

#include "compiler.h"

#ifdef __clang__

#ifdef __cplusplus
#define SIM_ABSENT_FUNCTION(name, what) extern "C" enum cudaError name(...) SIM_ABSENT(what)
#else
#define SIM_ABSENT_FUNCTION(name, what) enum cudaError name(int, ...) SIM_ABSENT(what)
#endif
#define SIM_ABSENT_TYPE(name, what) typedef struct sim_absent *name SIM_ABSENT(what)

SIM_ABSENT_TYPE(cudaGraph_t, "graphs");
SIM_ABSENT_TYPE(cudaGraphNode_t, "graphs");
SIM_ABSENT_TYPE(cudaGraphExec_t, "graphs");
SIM_ABSENT_FUNCTION(cudaStreamBeginCapture, "graphs");
SIM_ABSENT_FUNCTION(cudaStreamEndCapture, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphCreate, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphInstantiate, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphLaunch, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExecDestroy, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphDestroy, "graphs");

SIM_ABSENT_TYPE(cudaArray_t, "arrays and textures");
SIM_ABSENT_TYPE(cudaTextureObject_t, "arrays and textures");
SIM_ABSENT_TYPE(cudaSurfaceObject_t, "arrays and surfaces");
SIM_ABSENT_FUNCTION(cudaCreateTextureObject, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMallocArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMalloc3D, "3D memory (cudaMalloc and cudaMemcpy2D are there)");
SIM_ABSENT_FUNCTION(cudaMemcpy3D, "3D memory (cudaMalloc and cudaMemcpy2D are there)");

SIM_ABSENT_FUNCTION(cudaLaunchCooperativeKernel, "cooperative launches");
SIM_ABSENT_FUNCTION(cudaStreamAddCallback, "cudaStreamAddCallback (cudaLaunchHostFunc is there)");
SIM_ABSENT_FUNCTION(cudaStreamSetAttribute, "stream attributes");
SIM_ABSENT_FUNCTION(cudaMemPoolCreate, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMallocFromPoolAsync, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaDeviceSetMemPool, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaHostRegister, "cudaHostRegister (cudaMallocHost is there)");
SIM_ABSENT_FUNCTION(cudaHostGetDevicePointer, "mapped host memory (cudaMallocManaged is there)");
SIM_ABSENT_FUNCTION(cudaMemcpyPeer, "several devices");
SIM_ABSENT_FUNCTION(cudaDeviceEnablePeerAccess, "several devices");

/* The rest of CUDA 13's runtime API. */
SIM_ABSENT_FUNCTION(cudaArrayGetInfo, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaArrayGetMemoryRequirements, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaArrayGetPlane, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaCreateChannelDesc, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaCreateSurfaceObject, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaDestroyExternalMemory, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaDestroyExternalSemaphore, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaDestroySurfaceObject, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaDestroyTextureObject, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaDeviceDisablePeerAccess, "several devices");
SIM_ABSENT_FUNCTION(cudaDeviceGetByPCIBusId, "cudaDeviceGetByPCIBusId");
SIM_ABSENT_FUNCTION(cudaDeviceGetGraphMemAttribute, "graphs");
SIM_ABSENT_FUNCTION(cudaDeviceGetHostAtomicCapabilities, "cudaDeviceGetHostAtomicCapabilities");
SIM_ABSENT_FUNCTION(cudaDeviceGetNvSciSyncAttributes, "cudaDeviceGetNvSciSyncAttributes");
SIM_ABSENT_FUNCTION(cudaDeviceGetP2PAtomicCapabilities, "several devices");
SIM_ABSENT_FUNCTION(cudaDeviceGetP2PAttribute, "several devices");
SIM_ABSENT_FUNCTION(cudaDeviceGetPCIBusId, "cudaDeviceGetPCIBusId");
SIM_ABSENT_FUNCTION(cudaDeviceGraphMemTrim, "graphs");
SIM_ABSENT_FUNCTION(cudaDeviceRegisterAsyncNotification, "cudaDeviceRegisterAsyncNotification");
SIM_ABSENT_FUNCTION(cudaDeviceSetGraphMemAttribute, "graphs");
SIM_ABSENT_FUNCTION(cudaDeviceUnregisterAsyncNotification, "cudaDeviceUnregisterAsyncNotification");
SIM_ABSENT_FUNCTION(cudaExternalMemoryGetMappedBuffer, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaExternalMemoryGetMappedMipmappedArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaFreeArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaFreeMipmappedArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaFuncGetName, "cudaFuncGetName");
SIM_ABSENT_FUNCTION(cudaFuncGetParamInfo, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaGetChannelDesc, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaGetDriverEntryPoint, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaGetDriverEntryPointByVersion, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaGetExportTable, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaGetFuncBySymbol, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaGetKernel, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaGetMipmappedArrayLevel, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaGetSurfaceObjectResourceDesc, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaGetTextureObjectResourceDesc, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaGetTextureObjectResourceViewDesc, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaGetTextureObjectTextureDesc, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaGraphAddChildGraphNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddDependencies, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddEmptyNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddExternalSemaphoresSignalNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddExternalSemaphoresWaitNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddHostNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddKernelNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddMemAllocNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddMemFreeNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddMemcpyNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddMemsetNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphAddNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphChildGraphNodeGetGraph, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphClone, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphConditionalHandleCreate, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphDebugDotPrint, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphDestroyNode, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExecExternalSemaphoresSignalNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExecExternalSemaphoresWaitNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExecGetFlags, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExecHostNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExecKernelNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExecMemcpyNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExecMemsetNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExecNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExecUpdate, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExternalSemaphoresSignalNodeGetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExternalSemaphoresSignalNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExternalSemaphoresWaitNodeGetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphExternalSemaphoresWaitNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphGetEdges, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphGetNodes, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphGetRootNodes, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphHostNodeGetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphHostNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphInstantiateWithFlags, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphInstantiateWithParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphKernelNodeCopyAttributes, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphKernelNodeGetAttribute, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphKernelNodeGetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphKernelNodeSetAttribute, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphKernelNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphMemAllocNodeGetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphMemFreeNodeGetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphMemcpyNodeGetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphMemcpyNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphMemsetNodeGetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphMemsetNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphNodeFindInClone, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphNodeGetDependencies, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphNodeGetDependentNodes, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphNodeGetEnabled, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphNodeGetType, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphNodeSetEnabled, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphNodeSetParams, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphReleaseUserObject, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphRemoveDependencies, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphRetainUserObject, "graphs");
SIM_ABSENT_FUNCTION(cudaGraphicsMapResources, "graphics");
SIM_ABSENT_FUNCTION(cudaGraphicsResourceGetMappedMipmappedArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaGraphicsResourceGetMappedPointer, "graphics");
SIM_ABSENT_FUNCTION(cudaGraphicsResourceSetMapFlags, "graphics");
SIM_ABSENT_FUNCTION(cudaGraphicsSubResourceGetMappedArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaGraphicsUnmapResources, "graphics");
SIM_ABSENT_FUNCTION(cudaGraphicsUnregisterResource, "graphics");
SIM_ABSENT_FUNCTION(cudaHostGetFlags, "cudaHostGetFlags");
SIM_ABSENT_FUNCTION(cudaHostUnregister, "cudaHostUnregister");
SIM_ABSENT_FUNCTION(cudaImportExternalMemory, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaImportExternalSemaphore, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaIpcCloseMemHandle, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaIpcGetEventHandle, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaIpcGetMemHandle, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaIpcOpenEventHandle, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaIpcOpenMemHandle, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaKernelSetAttributeForDevice, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaLibraryEnumerateKernels, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaLibraryGetGlobal, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaLibraryGetKernel, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaLibraryGetKernelCount, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaLibraryGetManaged, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaLibraryGetUnifiedFunction, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaLibraryLoadData, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaLibraryLoadFromFile, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaLibraryUnload, "kernels from libraries");
SIM_ABSENT_FUNCTION(cudaLogsCurrent, "cudaLogsCurrent");
SIM_ABSENT_FUNCTION(cudaLogsDumpToFile, "cudaLogsDumpToFile");
SIM_ABSENT_FUNCTION(cudaLogsDumpToMemory, "cudaLogsDumpToMemory");
SIM_ABSENT_FUNCTION(cudaLogsRegisterCallback, "cudaLogsRegisterCallback");
SIM_ABSENT_FUNCTION(cudaLogsUnregisterCallback, "cudaLogsUnregisterCallback");
SIM_ABSENT_FUNCTION(cudaMalloc3DArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMallocMipmappedArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemDiscardAndPrefetchBatchAsync, "batches of copies");
SIM_ABSENT_FUNCTION(cudaMemDiscardBatchAsync, "batches of copies");
SIM_ABSENT_FUNCTION(cudaMemGetDefaultMemPool, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMemGetMemPool, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMemPoolDestroy, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMemPoolExportPointer, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMemPoolExportToShareableHandle,
                    "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMemPoolGetAccess, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMemPoolImportFromShareableHandle,
                    "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMemPoolImportPointer, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMemPoolSetAccess, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMemPrefetchBatchAsync, "batches of copies");
SIM_ABSENT_FUNCTION(cudaMemRangeGetAttribute, "cudaMemRangeGetAttribute");
SIM_ABSENT_FUNCTION(cudaMemRangeGetAttributes, "cudaMemRangeGetAttributes");
SIM_ABSENT_FUNCTION(cudaMemSetMemPool, "memory pools of one's own (cudaMallocAsync is there)");
SIM_ABSENT_FUNCTION(cudaMemcpy2DArrayToArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemcpy2DFromArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemcpy2DFromArrayAsync, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemcpy2DToArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemcpy2DToArrayAsync, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemcpy3DAsync, "3D memory (cudaMalloc and cudaMemcpy2D are there)");
SIM_ABSENT_FUNCTION(cudaMemcpy3DBatchAsync, "3D memory (cudaMalloc and cudaMemcpy2D are there)");
SIM_ABSENT_FUNCTION(cudaMemcpy3DPeer, "3D memory (cudaMalloc and cudaMemcpy2D are there)");
SIM_ABSENT_FUNCTION(cudaMemcpy3DPeerAsync, "3D memory (cudaMalloc and cudaMemcpy2D are there)");
SIM_ABSENT_FUNCTION(cudaMemcpyArrayToArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemcpyBatchAsync, "batches of copies");
SIM_ABSENT_FUNCTION(cudaMemcpyFromArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemcpyFromArrayAsync, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemcpyPeerAsync, "several devices");
SIM_ABSENT_FUNCTION(cudaMemcpyToArray, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemcpyToArrayAsync, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaMemset3D, "3D memory (cudaMalloc and cudaMemcpy2D are there)");
SIM_ABSENT_FUNCTION(cudaMemset3DAsync, "3D memory (cudaMalloc and cudaMemcpy2D are there)");
SIM_ABSENT_FUNCTION(cudaMipmappedArrayGetMemoryRequirements, "arrays and textures");
SIM_ABSENT_FUNCTION(cudaOccupancyMaxActiveClusters, "thread block clusters");
SIM_ABSENT_FUNCTION(cudaOccupancyMaxPotentialClusterSize, "thread block clusters");
SIM_ABSENT_FUNCTION(cudaSignalExternalSemaphoresAsync, "memory of other programs");
SIM_ABSENT_FUNCTION(cudaStreamAttachMemAsync, "cudaStreamAttachMemAsync");
SIM_ABSENT_FUNCTION(cudaStreamBeginCaptureToGraph, "graphs");
SIM_ABSENT_FUNCTION(cudaStreamCopyAttributes, "cudaStreamCopyAttributes");
SIM_ABSENT_FUNCTION(cudaStreamGetAttribute, "cudaStreamGetAttribute");
SIM_ABSENT_FUNCTION(cudaStreamGetCaptureInfo, "graphs");
SIM_ABSENT_FUNCTION(cudaStreamGetId, "cudaStreamGetId");
SIM_ABSENT_FUNCTION(cudaStreamUpdateCaptureDependencies, "graphs");
SIM_ABSENT_FUNCTION(cudaThreadExchangeStreamCaptureMode, "graphs");
SIM_ABSENT_FUNCTION(cudaUserObjectCreate, "graphs");
SIM_ABSENT_FUNCTION(cudaUserObjectRelease, "graphs");
SIM_ABSENT_FUNCTION(cudaUserObjectRetain, "graphs");
SIM_ABSENT_FUNCTION(cudaWaitExternalSemaphoresAsync, "memory of other programs");

#undef SIM_ABSENT_FUNCTION
#undef SIM_ABSENT_TYPE

#endif
#endif
