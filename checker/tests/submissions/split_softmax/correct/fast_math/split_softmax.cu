/* Correct: fast exponentials (__expf, and exp2f of what was scaled by log2(e)), and one reciprocal a row that each
 * value is multiplied by. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define WARP 32
#define WARPS 2
#define LOG2_E 1.44269504f

__device__ inline float as_float(float v) { return v; }
__device__ inline float as_float(__half v) { return __half2float(v); }
__device__ inline float as_float(__nv_bfloat16 v) { return __bfloat162float(v); }
__device__ inline void assign(float &to, float v) { to = v; }
__device__ inline void assign(__half &to, float v) { to = __float2half_rn(v); }
__device__ inline void assign(__nv_bfloat16 &to, float v) { to = __float2bfloat16_rn(v); }

/* Lane 0 has the result. */
__device__ inline float warp_max(float v) {
    for (int down = WARP / 2; down; down /= 2)
        v = fmaxf(v, __shfl_down_sync(~0u, v, down));
    return v;
}
__device__ inline float warp_sum(float v) {
    for (int down = WARP / 2; down; down /= 2)
        v += __shfl_down_sync(~0u, v, down);
    return v;
}

/* blockDim is (WARP, WARPS): a warp walks along every WARPS-th piece of the chunk. */
template <typename T>
__global__ void partials(const T *x, long long cols, int chunk, int chunks, float *partial_max, float *partial_sum) {
    __shared__ float maxima[WARPS], sums[WARPS];
    const long long row = blockIdx.x / chunks, begin = blockIdx.x % chunks * (long long)chunk;
    const long long end = begin + chunk < cols ? begin + chunk : cols;
    const int lane = threadIdx.x, warp = threadIdx.y, step = WARP * WARPS;
    x += row * cols;

    float max = -INFINITY;
    for (long long col = begin + warp * WARP + lane; col < end; col += step)
        max = fmaxf(max, as_float(x[col]));
    max = warp_max(max);
    if (lane == 0)
        maxima[warp] = max;
    __syncthreads();
    max = fmaxf(maxima[0], maxima[1]);

    float sum = 0.f;
    if (max != -INFINITY) {
        for (long long col = begin + warp * WARP + lane; col < end; col += step)
            sum += __expf(as_float(x[col]) - max);
    } else { /* masked, or nothing but masked values and NaN, which have to be told apart */
        for (long long col = begin + warp * WARP + lane; col < end; col += step)
            if (isnan(as_float(x[col])))
                sum = NAN;
    }
    sum = warp_sum(sum);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (lane == 0 && warp == 0) {
        partial_max[blockIdx.x] = max;
        partial_sum[blockIdx.x] = sums[0] + sums[1];
    }
}

__global__ void merge(const float *partial_max, const float *partial_sum, long long chunks, float *row_max,
                      float *row_sum) {
    partial_max += blockIdx.x * chunks;
    partial_sum += blockIdx.x * chunks;
    float max = -INFINITY, sum = 0.f;
    for (long long i = threadIdx.x; i < chunks; i += WARP)
        max = fmaxf(max, partial_max[i]);
    max = __shfl_sync(~0u, warp_max(max), 0);
    const float base = max == -INFINITY ? 0.f : max;
    for (long long i = threadIdx.x; i < chunks; i += WARP)
        sum = __fmaf_rn(partial_sum[i], __expf(partial_max[i] - base), sum);
    sum = warp_sum(sum);
    if (threadIdx.x == 0) {
        row_max[blockIdx.x] = max;
        row_sum[blockIdx.x] = sum;
    }
}

template <typename T>
__global__ void normalize(const T *x, long long cols, int chunk, int chunks, const float *row_max,
                          const float *row_sum, T *y) {
    __shared__ float reciprocal;
    const long long row = blockIdx.x / chunks, begin = blockIdx.x % chunks * (long long)chunk;
    const long long end = begin + chunk < cols ? begin + chunk : cols;
    const float max = row_max[row];
    if (threadIdx.x == 0)
        reciprocal = __fdividef(1.f, row_sum[row]);
    __syncthreads();
    for (long long col = begin + threadIdx.x; col < end; col += blockDim.x)
        assign(y[row * cols + col], exp2f((as_float(x[row * cols + col]) - max) * LOG2_E) * reciprocal);
}

template <typename T>
static void launch_partials(matrix x, int chunk, float *partial_max, float *partial_sum, cudaStream_t stream) {
    const int chunks = (int)split_softmax_chunks(x.cols, chunk);
    partials<T><<<(unsigned)(x.rows * chunks), dim3(WARP, WARPS), 0, stream>>>((const T *)x.data, x.cols, chunk, chunks,
                                                                               partial_max, partial_sum);
}

template <typename T>
static void launch_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                             cudaStream_t stream) {
    const int chunks = (int)split_softmax_chunks(x.cols, chunk);
    normalize<T><<<(unsigned)(x.rows * chunks), WARP * WARPS, 0, stream>>>((const T *)x.data, x.cols, chunk, chunks,
                                                                           row_max, row_sum, (T *)y.data);
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum, cudaStream_t stream) {
    if (x.type == CUDA_R_32F)
        launch_partials<float>(x, chunk, partial_max, partial_sum, stream);
    else if (x.type == CUDA_R_16F)
        launch_partials<__half>(x, chunk, partial_max, partial_sum, stream);
    else
        launch_partials<__nv_bfloat16>(x, chunk, partial_max, partial_sum, stream);
    return cudaGetLastError();
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows, int64_t chunks,
                                float *row_max, float *row_sum, cudaStream_t stream) {
    merge<<<(unsigned)rows, WARP, 0, stream>>>(partial_max, partial_sum, chunks, row_max, row_sum);
    return cudaGetLastError();
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    if (x.type == CUDA_R_32F)
        launch_normalize<float>(x, chunk, row_max, row_sum, y, stream);
    else if (x.type == CUDA_R_16F)
        launch_normalize<__half>(x, chunk, row_max, row_sum, y, stream);
    else
        launch_normalize<__nv_bfloat16>(x, chunk, row_max, row_sum, y, stream);
    return cudaGetLastError();
}
