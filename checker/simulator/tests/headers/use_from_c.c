/* The runtime API from C17: every type, with our own warnings. */
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stdio.h>

int main(void) {
    cudaDataType_t type = CUDA_R_16BF;
    cudaError_t error = cudaSuccess;
    dim3 grid = {1, 2, 3};
    cudaLaunchConfig_t config = {
        .gridDim = grid, .blockDim = {.x = 32, .y = 1, .z = 1}, .stream = cudaStreamLegacy};
    float4 four = {1, 2, 3, 4};
    struct cudaDeviceProp properties = {.major = 9};
    struct cudaPointerAttributes attributes = {.type = cudaMemoryTypeDevice};
    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost;
    cudaError_t (*wait)(cudaStream_t, cudaEvent_t, unsigned int) = cudaStreamWaitEvent;
    cudaError_t (*allocate)(void **, size_t, cudaStream_t) = cudaMallocAsync;
    cudaError_t (*launch)(const void *, dim3, dim3, void **, size_t, cudaStream_t) = cudaLaunchKernel;
    printf("%d", type == 14 && error == 0 && cudaErrorNotSupported == 801 && kind == 2 && four.w == 4 &&
                     config.blockDim.x == 32 && properties.major == 9 && attributes.type == 2 && wait &&
                     allocate && launch && sizeof(float4) == 16 && sizeof(cudaLaunchAttribute) == 72 &&
                     CUDART_VERSION == 13000);
    return 0;
}
