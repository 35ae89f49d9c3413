/* The parts of CUDA's runtime API that the simulator does not offer. Each is declared, so that code which
 * uses it gets one error that names it and says what to do, and not one about an unknown name. */
#ifndef SIM_ABSENT_H
#define SIM_ABSENT_H

#include "compiler.h"

#ifdef __clang__

#ifdef __cplusplus
#define SIM_ABSENT_FUNCTION(name, what) extern "C" enum cudaError name(...) SIM_ABSENT(what)
#else
#define SIM_ABSENT_FUNCTION(name, what) enum cudaError name() SIM_ABSENT(what)
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
SIM_ABSENT_FUNCTION(cudaMemPrefetchAsync, "hints about managed memory");
SIM_ABSENT_FUNCTION(cudaMemAdvise, "hints about managed memory");
SIM_ABSENT_FUNCTION(cudaMemcpyPeer, "several devices");
SIM_ABSENT_FUNCTION(cudaDeviceEnablePeerAccess, "several devices");
SIM_ABSENT_FUNCTION(cudaDeviceSetLimit, "device limits");
SIM_ABSENT_FUNCTION(cudaDeviceGetLimit, "device limits");
SIM_ABSENT_FUNCTION(cudaFuncSetCacheConfig, "cache preferences");

#undef SIM_ABSENT_FUNCTION
#undef SIM_ABSENT_TYPE

#endif
#endif
