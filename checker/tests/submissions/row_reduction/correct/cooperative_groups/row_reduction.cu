/* Correct: cooperative groups; a block a row, its tiles of 32 reduced by shuffles, the tiles' results by the first
 * thread of the block. */
#include "row_reduction.h"

#include <cooperative_groups.h>
#include <math.h>

namespace cg = cooperative_groups;

enum { THREADS = 192, TILES = THREADS / 32 };

static __global__ void scale(const float *x, float factor, float *y, int64_t rows, int64_t cols,
                             int64_t pitch) {
    const int64_t row = cg::this_grid().block_rank();
    const cg::thread_block block = cg::this_thread_block();
    if (row < rows)
        for (int64_t col = block.thread_rank(); col < cols; col += block.size())
            y[row * pitch + col] = factor * x[row * pitch + col];
}

static __global__ void max_of(const float *x, float *max, int64_t cols, int64_t pitch) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    __shared__ float of_tile[TILES];
    float value = -INFINITY;
    for (int64_t col = block.thread_rank(); col < cols; col += block.size())
        value = fmaxf(value, x[blockIdx.x * pitch + col]);
    for (int distance = 16; distance > 0; distance /= 2)
        value = fmaxf(value, tile.shfl_down(value, distance));
    if (tile.thread_rank() == 0)
        of_tile[tile.meta_group_rank()] = value;
    block.sync();
    if (block.thread_rank() == 0) {
        for (int i = 1; i < TILES; i++)
            value = fmaxf(value, of_tile[i]);
        max[blockIdx.x] = value;
    }
}

static __global__ void sum_of(const float *x, float *sum, int64_t cols, int64_t pitch) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    __shared__ float of_tile[TILES];
    float value = 0;
    for (int64_t col = block.thread_rank(); col < cols; col += block.size())
        value += x[blockIdx.x * pitch + col];
    for (int distance = 16; distance > 0; distance /= 2)
        value += tile.shfl_down(value, distance);
    if (tile.thread_rank() == 0)
        of_tile[tile.meta_group_rank()] = value;
    block.sync();
    if (block.thread_rank() == 0) {
        for (int i = 1; i < TILES; i++)
            value += of_tile[i];
        sum[blockIdx.x] = value;
    }
}

cudaError_t row_scale(matrix x, float factor, matrix y, cudaStream_t stream) {
    scale<<<(unsigned)x.rows, THREADS, 0, stream>>>((const float *)x.data, factor, (float *)y.data, x.rows,
                                                    x.cols, x.pitch);
    return cudaGetLastError();
}

cudaError_t row_max(matrix x, float *max, cudaStream_t stream) {
    max_of<<<(unsigned)x.rows, THREADS, 0, stream>>>((const float *)x.data, max, x.cols, x.pitch);
    return cudaGetLastError();
}

cudaError_t row_sum(matrix x, float *sum, cudaStream_t stream) {
    sum_of<<<(unsigned)x.rows, THREADS, 0, stream>>>((const float *)x.data, sum, x.cols, x.pitch);
    return cudaGetLastError();
}
