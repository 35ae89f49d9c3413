// Shows: every host call of the runtime API once more, from CUDA C: typed pointers, default arguments, kernels and symbols by name, enumerators
// in an initialiser list, and the launches by call; in a benchmark under a function that nothing calls.
/* The three stages of split_softmax, each a kernel and the function that launches it.
 *
 * partials and normalize give a block one chunk of one row. A thread holds VALUES of the chunk in
 * registers, blockDim.x apart, so that the lanes of a warp read neighbours and all the loads are on their
 * way before the first is needed: 256, 1024 or 4096 values make a block of 32, 128 or 512 threads.
 * merge gives each row one warp, which needs no shared memory.
 *
 * Values are converted to FP32 as they are loaded and rounded once as they are stored. The exponentials are
 * __expf: it multiplies by log2(e) first, and the rounding of that product costs |x| * 6e-8 of the result, at
 * most 6e-6 before the result vanishes. The tolerance is 3e-5. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum { WARP = 32, VALUES = 8, MAX_WARPS = 32 };

static __device__ float to_float(float value) {
    return value;
}
static __device__ float to_float(__half value) {
    return __half2float(value);
}
static __device__ float to_float(__nv_bfloat16 value) {
    return __bfloat162float(value);
}

/* Rounds to nearest even. */
static __device__ void round_to(float *out, float value) {
    *out = value;
}
static __device__ void round_to(__half *out, float value) {
    *out = __float2half_rn(value);
}
static __device__ void round_to(__nv_bfloat16 *out, float value) {
    *out = __float2bfloat16_rn(value);
}

/* What to subtract before the exponential: the maximum. Where everything is masked that is -inf, and
 * -inf - -inf would be NaN; with 0 instead, each exp(-inf) is the 0 it should be. A NaN stays a NaN
 * either way, and lives on in the sum, for fmaxf has kept it out of the maximum. */
static __device__ float shift_of(float max) {
    return max == -INFINITY ? 0.0f : max;
}

/* The maximum over a warp, in every lane. All 32 lanes call it. */
static __device__ float warp_max(float value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance));
    return value;
}

/* The sum over a warp, in every lane. All 32 lanes call it. */
static __device__ float warp_sum(float value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    return value;
}

/* The maximum over a block, in every thread. Each warp reduces its own values, then each reduces the
 * results of all warps: after one barrier everyone knows, and nobody has to be told. */
static __device__ float block_max(float value) {
    __shared__ float of_warp[MAX_WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;

    value = warp_max(value);
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    return warp_max(lane < warps ? of_warp[lane] : -INFINITY);
}

/* The sum over a block, in every thread. Its shared array is not the one of block_max, so the two can
 * follow each other without a barrier in between. */
static __device__ float block_sum(float value) {
    __shared__ float of_warp[MAX_WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;

    value = warp_sum(value);
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    return warp_sum(lane < warps ? of_warp[lane] : 0.0f);
}

/* ---- stage 1: the state of each chunk ---- */

/* Block (row * chunks + index) writes the state of chunk `index` of `row`. */
template <typename T>
static __global__ void partials_kernel(const T *x, int cols, int chunks, int chunk, float *partial_max,
                                       float *partial_sum) {
    int row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    const T *x_row = x + row * cols; /* rows * cols < 2^31: an int holds it */
    int first = index * chunk + threadIdx.x;

    /* Columns past the end of a short last chunk count as masked: they cannot raise the maximum, as 0
     * would in a row of negatives, and they add nothing to the sum. */
    float value[VALUES];
    float max = -INFINITY;
#pragma unroll
    for (int i = 0; i < VALUES; i++) {
        int col = first + i * blockDim.x;
        value[i] = col < cols ? to_float(x_row[col]) : -INFINITY;
        max = fmaxf(max, value[i]);
    }
    max = block_max(max);

    float shift = shift_of(max), sum = 0.0f;
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        sum += __expf(value[i] - shift);
    sum = block_sum(sum);

    if (threadIdx.x == 0) {
        partial_max[blockIdx.x] = max;
        partial_sum[blockIdx.x] = sum;
    }
}

/* rows * chunks <= rows * cols < 2^31 blocks: grid.x can hold them, grid.y (65,535) could not. */
template <typename T>
static void launch_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                            cudaStream_t stream) {
    int chunks = (int)split_softmax_chunks(x.cols, chunk);
    unsigned blocks = (unsigned)(x.rows * chunks), threads = (unsigned)chunk / VALUES;
    partials_kernel<T><<<blocks, threads, 0, stream>>>((const T *)x.data, (int)x.cols, chunks, chunk,
                                                       partial_max, partial_sum);
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                                   cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F:
        launch_partials<float>(x, chunk, partial_max, partial_sum, stream);
        break;
    case CUDA_R_16F:
        launch_partials<__half>(x, chunk, partial_max, partial_sum, stream);
        break;
    case CUDA_R_16BF:
        launch_partials<__nv_bfloat16>(x, chunk, partial_max, partial_sum, stream);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

/* ---- stage 2: the state of each row ---- */

/* The warp of block `row` merges the states of the chunks of `row`. A chunk's sum counts from the chunk's
 * own maximum; exp(chunk's maximum - row's maximum) makes it count from the row's. */
static __global__ void merge_kernel(const float *partial_max, const float *partial_sum, int64_t chunks,
                                    float *row_max, float *row_sum) {
    const float *maxima = partial_max + blockIdx.x * chunks;
    const float *sums = partial_sum + blockIdx.x * chunks;

    float max = -INFINITY;
    for (int64_t index = threadIdx.x; index < chunks; index += WARP)
        max = fmaxf(max, maxima[index]);
    max = warp_max(max);

    float shift = shift_of(max), sum = 0.0f;
    for (int64_t index = threadIdx.x; index < chunks; index += WARP)
        sum += sums[index] * __expf(maxima[index] - shift);
    sum = warp_sum(sum);

    if (threadIdx.x == 0) {
        row_max[blockIdx.x] = max;
        row_sum[blockIdx.x] = sum;
    }
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows,
                                int64_t chunks, float *row_max, float *row_sum, cudaStream_t stream) {
    merge_kernel<<<(unsigned)rows, WARP, 0, stream>>>(partial_max, partial_sum, chunks, row_max, row_sum);
    return cudaGetLastError();
}

/* ---- stage 3: the probabilities ---- */

/* Block (row * chunks + index) writes chunk `index` of `row` of y. A row with nothing but masked values
 * has the maximum -inf, and -inf - -inf makes it NaN, as it should be. */
template <typename T>
static __global__ void normalize_kernel(const T *x, int cols, int chunks, int chunk, const float *row_max,
                                        const float *row_sum, T *y) {
    int row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    const T *x_row = x + row * cols;
    T *y_row = y + row * cols;
    int first = index * chunk + threadIdx.x;

    float max = row_max[row], scale = 1.0f / row_sum[row];
    float value[VALUES];
#pragma unroll
    for (int i = 0; i < VALUES; i++) {
        int col = first + i * blockDim.x;
        value[i] = col < cols ? to_float(x_row[col]) : -INFINITY;
    }
#pragma unroll
    for (int i = 0; i < VALUES; i++) {
        int col = first + i * blockDim.x;
        if (col < cols)
            round_to(&y_row[col], __expf(value[i] - max) * scale);
    }
}

template <typename T>
static void launch_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                             cudaStream_t stream) {
    int chunks = (int)split_softmax_chunks(x.cols, chunk);
    unsigned blocks = (unsigned)(x.rows * chunks), threads = (unsigned)chunk / VALUES;
    normalize_kernel<T><<<blocks, threads, 0, stream>>>((const T *)x.data, (int)x.cols, chunks, chunk,
                                                        row_max, row_sum, (T *)y.data);
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F:
        launch_normalize<float>(x, chunk, row_max, row_sum, y, stream);
        break;
    case CUDA_R_16F:
        launch_normalize<__half>(x, chunk, row_max, row_sum, y, stream);
        break;
    case CUDA_R_16BF:
        launch_normalize<__nv_bfloat16>(x, chunk, row_max, row_sum, y, stream);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

/* ---- the benchmark ---- */
#include <initializer_list>

static __constant__ float weights[4];
__device__ int counter;
static __global__ void counting(int *to, int by) { atomicAdd(to, by + atomicAdd(&counter, 1)); }

[[maybe_unused]] static cudaError_t benchmark(int device) {
    cudaDeviceProp p{};
    cudaFuncAttributes function;
    cudaPointerAttributes where;
    cudaMemPool_t pool{};
    cudaStream_t streams[3];
    cudaEvent_t start, stop;
    cudaFuncCache cache;
    cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
    cudaStreamCaptureStatus capture;
    float *a{}, *h{}, *pinned{}, w[4] = {1, 2, 3, 4}, time{};
    int *n{}, *shared{}, blocks{}, grid{}, block{}, value{};
    unsigned flags{};
    size_t bytes{}, pitch{};
    void *symbol{}, *at{};
    int by = 2;
    void *arguments[] = {&n, &by};
    cudaLaunchConfig_t config{};
    cudaMemLocation here{};
    here.type = cudaMemLocationTypeDevice;
    std::initializer_list<cudaError_t> all = {
        cudaSetDevice(device), cudaGetDevice(&device), cudaGetDeviceCount(&value), cudaGetDeviceProperties(&p, device), cudaChooseDevice(&device, &p),
        cudaInitDevice(device, 0, cudaInitDeviceFlagsAreValid), cudaSetDeviceFlags(cudaDeviceScheduleSpin), cudaGetDeviceFlags(&flags),
        cudaSetValidDevices(&device, 1), cudaDeviceCanAccessPeer(&value, 0, 0), cudaDriverGetVersion(&value), cudaRuntimeGetVersion(&value),
        cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device), cudaDeviceGetStreamPriorityRange(nullptr, &value),
        cudaDeviceSetCacheConfig(cudaFuncCachePreferNone), cudaDeviceGetCacheConfig(&cache), cudaDeviceSetLimit(cudaLimitStackSize, 4096),
        cudaDeviceGetLimit(&bytes, cudaLimitStackSize), cudaMalloc(&a, 4096), cudaMalloc(&n, sizeof *n), cudaMallocManaged(&shared, sizeof(int)),
        cudaMallocHost(&h, 4096), cudaHostAlloc(&pinned, 64, cudaHostAllocPortable), cudaMallocPitch(&at, &pitch, 64, 2), cudaMemGetInfo(&bytes, &bytes),
        cudaMemPrefetchAsync(shared, sizeof(int), here, 0), cudaMemAdvise(shared, sizeof(int), cudaMemAdviseSetReadMostly, here),
        cudaPointerGetAttributes(&where, a), cudaDeviceGetDefaultMemPool(&pool, device), cudaDeviceGetMemPool(&pool, device),
        cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &value), cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &value),
        cudaMemPoolTrimTo(pool, 1 << 20), cudaStreamCreate(&streams[0]), cudaStreamCreateWithFlags(streams + 1, cudaStreamDefault),
        cudaStreamCreateWithPriority(streams + 2, cudaStreamNonBlocking, 0), cudaStreamGetFlags(streams[2], &flags), cudaStreamGetPriority(streams[2], &value),
        cudaStreamGetDevice(streams[1], &device), cudaStreamIsCapturing(streams[0], &capture), cudaEventCreate(&start),
        cudaEventCreateWithFlags(&stop, cudaEventDefault), cudaEventRecord(start), cudaMemset(a, 1, 4096), cudaMemsetAsync(a, 2, 4096),
        cudaMemset2D(at, pitch, 3, 64, 2), cudaMemset2DAsync(at, pitch, 4, 64, 2), cudaMemcpy(h, a, 64, cudaMemcpyDefault),
        cudaMemcpyAsync(a, h, 64, cudaMemcpyHostToDevice), cudaMemcpy2D(at, pitch, h, 64, 64, 2, cudaMemcpyHostToDevice),
        cudaMemcpy2DAsync(h, 64, at, pitch, 64, 2, cudaMemcpyDeviceToHost), cudaMemcpyToSymbol(weights, w, sizeof w),
        cudaMemcpyToSymbolAsync(weights, w, sizeof(float), sizeof(float), cudaMemcpyHostToDevice, streams[0]), cudaMemcpyFromSymbol(&value, counter, sizeof value),
        cudaMemcpyFromSymbolAsync(w, weights, sizeof w, 0, cudaMemcpyDeviceToHost), cudaGetSymbolAddress(&symbol, counter), cudaGetSymbolSize(&bytes, weights),
        cudaFuncGetAttributes(&function, counting), cudaFuncSetAttribute(counting, cudaFuncAttributePreferredSharedMemoryCarveout, 50),
        cudaFuncSetCacheConfig(counting, cudaFuncCachePreferEqual), cudaDeviceSetSharedMemConfig(banks), cudaDeviceGetSharedMemConfig(&banks),
        cudaFuncSetSharedMemConfig(counting, banks), cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, counting, 128, 0),
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, counting, 128, 0, cudaOccupancyDefault),
        cudaOccupancyMaxPotentialBlockSize(&grid, &block, counting)};
    for (const cudaError_t error : all)
        if (error != cudaSuccess)
            return error;
    config.gridDim = grid, config.blockDim = block, config.stream = streams[0];
    counting<<<grid, block, 0, streams[0]>>>(n, by);
    counting<<<1, 32, 16, streams[1]>>>(static_cast<int *>(symbol), 1);
    cudaLaunchKernel(counting, 1, 1, arguments);
    cudaLaunchKernelEx(&config, counting, n, 1);
    cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(counting), arguments);
    cudaLaunchHostFunc(streams[0], [](void *v) { ++*static_cast<int *>(v); }, &value);
    cudaEventRecord(stop, streams[0]);
    cudaStreamWaitEvent(streams[1], stop);
    if (cudaEventQuery(stop) == cudaErrorNotReady && cudaStreamQuery(streams[1]) == cudaErrorNotReady)
        cudaEventSynchronize(stop);
    cudaEventElapsedTime(&time, start, stop);
    for (auto s : streams)
        cudaStreamSynchronize(s), cudaStreamDestroy(s);
    for (auto e : {start, stop})
        cudaEventDestroy(e);
    cudaMallocAsync(&symbol, 64, 0), cudaFreeAsync(symbol, 0);
    cudaFree(a), cudaFree(n), cudaFree(shared), cudaFree(at), cudaFreeHost(h), cudaFreeHost(pinned);
    cudaCtxResetPersistingL2Cache();
    cudaDeviceSynchronize();
    if (cudaPeekAtLastError() == cudaErrorInvalidDevice)
        return (void)cudaGetErrorName(cudaErrorInvalidDevice), (void)cudaGetErrorString(cudaGetLastError()), cudaDeviceReset();
    return cudaGetLastError();
}
