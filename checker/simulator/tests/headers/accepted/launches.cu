/* Ways to launch, and what surrounds a launch in host code. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

struct scale {
    float factor, offset;
};

__global__ void plain(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
template <typename T, int width> __global__ void typed(T *out, scale s, long long n) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x)
        out[i] = (T)(s.factor * width + s.offset);
}
template <class T> __global__ void deduced(T *out, T value) {
    out[threadIdx.x] = value;
}
__global__ void overloaded(int *out) {
    *out = 1;
}
__global__ void overloaded(float *out) {
    *out = 2;
}
__global__ __launch_bounds__(256, 2) void bounded(const float *__restrict__ in, float *__restrict__ out) {
    extern __shared__ float dynamic[];
    dynamic[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x];
}
static __global__ void __launch_bounds__(128) quiet(int *flag) {
    *flag = warpSize;
}
namespace inner {
__global__ void hidden(int *flag) {
    *flag = 1;
}
} // namespace inner

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t error = (call);                                                                          \
        if (error != cudaSuccess) {                                                                          \
            printf("%s: %s\n", #call, cudaGetErrorString(error));                                            \
            return error;                                                                                    \
        }                                                                                                    \
    } while (0)

template <class T> static cudaError_t launch_typed(T *out, int64_t n, cudaStream_t stream) {
    dim3 grid((unsigned)((n + 255) / 256)), block(256);
    typed<T, 4><<<grid, block, 0, stream>>>(out, scale{2.0f, 1.0f}, n);
    return cudaGetLastError();
}

extern "C" cudaError_t launches(float *out, const float *in, int n, cudaStream_t stream) {
    plain<<<(n + 255) / 256, 256>>>(out, in, n);
    plain<<<dim3(2, 3), dim3(32, 4, 2), 64 * sizeof(float), stream>>>(out, NULL, 0);
    plain<<<1, 1>>>(nullptr, in, n);
    deduced<<<1, 32>>>(out, 3.0f);
    overloaded<<<1, 1>>>(out);
    overloaded<<<1, 1>>>((int *)out);
    inner::hidden<<<1, 1>>>((int *)out);
    quiet<<<1, 1, 0, stream>>>((int *)out);
    auto kernel = bounded;
    kernel<<<1, 256, 256 * sizeof(float), stream>>>(in, out);
    void (*chosen)(float *, scale, long long) = n > 3 ? typed<float, 1> : typed<float, 2>;
    chosen<<<1, 32, 0, stream>>>(out, scale(), n);
    CHECK(launch_typed(out, n, stream));

    CHECK(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024));
    CHECK(cudaFuncSetAttribute(typed<float, 1>, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxShared));
    CHECK(cudaFuncSetAttribute((const void *)bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    int blocks, grid, block;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
    struct cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, bounded));

    void *arguments[] = {&out, &in, &n};
    CHECK(cudaLaunchKernel(plain, dim3(1), dim3(256), arguments, 0, stream));
    CHECK(cudaLaunchKernel((const void *)plain, dim3(1), dim3(256), arguments, 0, stream));
    CHECK(cudaLaunchKernel((void *)(&plain), 1, 256, arguments, 0, stream));
    CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(typed<float, 4>), 1, 256, arguments, 0, stream));
    CHECK(cudaLaunchKernel(reinterpret_cast<void const *>(&typed<float, 2>), 1, 256, arguments, 0, stream));
    CHECK(cudaLaunchKernel((const void *)(n > 3 ? typed<float, 1> : typed<float, 2>), 1, 256, arguments, 0,
                           stream));
    cudaLaunchAttribute priority;
    priority.id = cudaLaunchAttributePriority;
    priority.val.priority = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(64);
    config.dynamicSmemBytes = 0;
    config.stream = stream;
    config.attrs = &priority;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, plain, out, in, n));
    CHECK(cudaLaunchKernelExC(&config, (const void *)plain, arguments));
    CHECK(cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(&typed<float, 2>), arguments));
    CHECK(cudaLaunchKernelEx(&config, typed<float, 2>, out, scale{1, 2}, 3));
    return cudaPeekAtLastError();
}
