/* The runtime API's C++ face. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <vector>

__constant__ float table[16];
__constant__ int one_number;
__device__ int counter;
__device__ float lines[4][8];

__global__ void reads(float *out) {
    out[threadIdx.x] = table[threadIdx.x % 16] + one_number + lines[1][2];
    atomicAdd(&counter, 1);
}

extern "C" int memory_calls(void) {
    float *device = nullptr, *managed, *pinned;
    int *integers;
    void *untyped;
    double2 *pairs;
    cudaStream_t stream, other;
    cudaEvent_t start, stop;
    float milliseconds;
    size_t free_bytes, total_bytes;
    std::vector<float> host(64, 1.0f);
    cudaStreamCreate(&stream);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreate(&start);
    cudaEventCreateWithFlags(&stop, cudaEventDisableTiming);
    cudaMalloc(&device, 64 * sizeof(float));
    cudaMalloc((void **)&integers, 4);
    cudaMalloc(&untyped, 4);
    cudaMallocAsync(&pairs, 64, stream);
    cudaMallocManaged(&managed, 256);
    cudaMallocHost(&pinned, 256);
    cudaMemcpy(device, host.data(), 256, cudaMemcpyHostToDevice);
    cudaMemcpyAsync(device, host.data(), 256, cudaMemcpyDefault, stream);
    cudaMemset(device, 0xff, 256);
    cudaMemsetAsync(device, 0, 256, stream);
    cudaMemcpy2D(device, 32, host.data(), 16, 16, 4, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(table, host.data(), sizeof(table));
    const int seven = 7;
    cudaMemcpyToSymbol(one_number, &seven, sizeof(int));
    int count;
    cudaMemcpyFromSymbol(&count, counter, sizeof(count));
    void *address;
    cudaGetSymbolAddress(&address, lines);
    cudaGetSymbolAddress((void **)&integers, counter);
    cudaEventRecord(start);
    cudaEventRecord(stop, stream);
    cudaStreamWaitEvent(other, stop);
    cudaStreamWaitEvent(other, stop, 0);
    reads<<<1, 16, 0, other>>>(device);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&milliseconds, start, stop);
    cudaStreamSynchronize(stream);
    cudaDeviceSynchronize();
    cudaMemGetInfo(&free_bytes, &total_bytes);
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, device);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    int processors = properties.multiProcessorCount * properties.warpSize + properties.maxGridSize[0];
    cudaDeviceGetAttribute(&processors, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    cudaMemPool_t pool;
    uint64_t threshold = UINT64_MAX;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    cudaFreeAsync(pairs, stream);
    cudaFree(device);
    cudaFree(managed);
    cudaFreeHost(pinned);
    cudaEventDestroy(start);
    cudaStreamDestroy(stream);
    return attributes.type == cudaMemoryTypeDevice && cudaGetLastError() == cudaSuccess && processors > 0;
}
