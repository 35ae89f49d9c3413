/* Correct: cooperative groups: tiles of a warp, and of 8 lanes in the merge, reduce by shuffles; the block
 * synchronises through its group. */
#include "split_softmax.h"

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

enum { THREADS = 64, TILES = THREADS / 32 };

static __device__ float to_float(float v) { return v; }
static __device__ float to_float(__half v) { return __half2float(v); }
static __device__ float to_float(__nv_bfloat16 v) { return __bfloat162float(v); }
static __device__ void assign(float &out, float v) { out = v; }
static __device__ void assign(__half &out, float v) { out = __float2half_rn(v); }
static __device__ void assign(__nv_bfloat16 &out, float v) { out = __float2bfloat16_rn(v); }

struct larger {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct added {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Group, typename Operation> __device__ float tile_reduce(const Group &tile, float v, Operation op) {
    for (unsigned distance = tile.size() / 2; distance > 0; distance /= 2)
        v = op(v, tile.shfl_xor(v, distance));
    return v;
}

template <typename Operation>
__device__ float block_reduce(const cg::thread_block &block, float *shared, float v, Operation op) {
    auto tile = cg::tiled_partition<32>(block);
    v = tile_reduce(tile, v, op);
    if (tile.thread_rank() == 0)
        shared[block.thread_rank() / 32] = v;
    block.sync();
    v = shared[0];
    for (int i = 1; i < TILES; i++)
        v = op(v, shared[i]);
    block.sync();
    return v;
}

template <typename T>
__global__ void partials_kernel(const T *x, int cols, int chunk, int chunks, float *partial_max, float *partial_sum) {
    __shared__ float shared[TILES];
    cg::thread_block block = cg::this_thread_block();
    const int row = blockIdx.x / chunks, first = blockIdx.x % chunks * chunk;
    const int length = min(chunk, cols - first);
    const T *values = x + (int64_t)row * cols + first;
    float max = -INFINITY, sum = 0;
    for (int i = block.thread_rank(); i < length; i += THREADS)
        max = fmaxf(max, to_float(values[i]));
    max = block_reduce(block, shared, max, larger());
    for (int i = block.thread_rank(); i < length; i += THREADS) {
        float v = to_float(values[i]);
        sum += v == -INFINITY ? 0.f : expf(v - max);
    }
    sum = block_reduce(block, shared, sum, added());
    if (block.thread_rank() == 0) {
        partial_max[blockIdx.x] = max;
        partial_sum[blockIdx.x] = sum;
    }
}

/* A tile of 8 lanes for each row: four rows in a warp. */
__global__ void merge_kernel(const float *partial_max, const float *partial_sum, int rows, int chunks, float *row_max,
                             float *row_sum) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    float max = -INFINITY, sum = 0;
    if (row < rows) /* the tail tiles take part in the shuffles without a row */
        for (int i = tile.thread_rank(); i < chunks; i += 8)
            max = fmaxf(max, partial_max[(int64_t)row * chunks + i]);
    max = tile_reduce(tile, max, larger());
    if (row < rows)
        for (int i = tile.thread_rank(); i < chunks; i += 8) {
            float m = partial_max[(int64_t)row * chunks + i];
            sum += partial_sum[(int64_t)row * chunks + i] * (m == -INFINITY ? 0.f : expf(m - max));
        }
    sum = tile_reduce(tile, sum, added());
    if (row < rows && tile.thread_rank() == 0) {
        row_max[row] = max;
        row_sum[row] = sum;
    }
}

template <typename T>
__global__ void normalize_kernel(const T *x, int cols, int chunk, int chunks, const float *row_max,
                                 const float *row_sum, T *y) {
    const int row = blockIdx.x / chunks, first = blockIdx.x % chunks * chunk;
    const int64_t start = (int64_t)row * cols + first;
    const int length = min(chunk, cols - first);
    for (int i = threadIdx.x; i < length; i += THREADS)
        assign(y[start + i], expf(to_float(x[start + i]) - row_max[row]) / row_sum[row]);
}

extern "C" {
cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum, cudaStream_t stream) {
    const int chunks = (int)split_softmax_chunks(x.cols, chunk), cols = (int)x.cols;
    const unsigned blocks = (unsigned)(x.rows * chunks);
    if (x.type == CUDA_R_32F)
        partials_kernel<float>
            <<<blocks, THREADS, 0, stream>>>((const float *)x.data, cols, chunk, chunks, partial_max, partial_sum);
    if (x.type == CUDA_R_16F)
        partials_kernel<__half>
            <<<blocks, THREADS, 0, stream>>>((const __half *)x.data, cols, chunk, chunks, partial_max, partial_sum);
    if (x.type == CUDA_R_16BF)
        partials_kernel<__nv_bfloat16><<<blocks, THREADS, 0, stream>>>((const __nv_bfloat16 *)x.data, cols, chunk,
                                                                       chunks, partial_max, partial_sum);
    return cudaGetLastError();
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows, int64_t chunks,
                                float *row_max, float *row_sum, cudaStream_t stream) {
    const unsigned blocks = (unsigned)((rows + THREADS / 8 - 1) / (THREADS / 8));
    merge_kernel<<<blocks, THREADS, 0, stream>>>(partial_max, partial_sum, (int)rows, (int)chunks, row_max, row_sum);
    return cudaGetLastError();
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    const int chunks = (int)split_softmax_chunks(x.cols, chunk), cols = (int)x.cols;
    const unsigned blocks = (unsigned)(x.rows * chunks);
    if (x.type == CUDA_R_32F)
        normalize_kernel<float><<<blocks, THREADS, 0, stream>>>((const float *)x.data, cols, chunk, chunks, row_max,
                                                                row_sum, (float *)y.data);
    if (x.type == CUDA_R_16F)
        normalize_kernel<__half><<<blocks, THREADS, 0, stream>>>((const __half *)x.data, cols, chunk, chunks, row_max,
                                                                 row_sum, (__half *)y.data);
    if (x.type == CUDA_R_16BF)
        normalize_kernel<__nv_bfloat16><<<blocks, THREADS, 0, stream>>>(
            (const __nv_bfloat16 *)x.data, cols, chunk, chunks, row_max, row_sum, (__nv_bfloat16 *)y.data);
    return cudaGetLastError();
}
}
