/* Correct: the warps of a block wait for each other by a lock and by a counter in shared memory, with fences. */
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

/* The maximum over a block, in every thread: the warps take turns at one place, which a lock guards. */
static __device__ float block_max(float value) {
    __shared__ float most;
    __shared__ int lock;

    if (threadIdx.x == 0) {
        most = -INFINITY;
        lock = 0;
    }
    __syncthreads();
    value = warp_max(value);
    if (threadIdx.x % WARP == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence_block();
        most = fmaxf(most, value);
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    return most;
}

/* The sum over a block, in every thread: the last warp to count itself adds up what all have left. */
static __device__ float block_sum(float value) {
    __shared__ float of_warp[MAX_WARPS];
    __shared__ float all;
    __shared__ unsigned arrived;
    unsigned warp = threadIdx.x / WARP, warps = blockDim.x / WARP;

    if (threadIdx.x == 0)
        arrived = 0;
    __syncthreads();
    value = warp_sum(value);
    if (threadIdx.x % WARP == 0) {
        of_warp[warp] = value;
        __threadfence_block();
        if (atomicAdd(&arrived, 1u) == warps - 1) {
            __threadfence_block();
            float total = 0.0f;
            for (unsigned i = 0; i < warps; i++)
                total += of_warp[i];
            all = total;
        }
    }
    __syncthreads();
    return all;
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
