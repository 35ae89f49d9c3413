// Shows: cooperative groups as libraries use them: tiled_partition<32> of a block, shfl_down and shfl, coalesced_threads
// that aggregate atomics (right for any grouping), thread_group as a parameter, meta_group_rank, cg::sync, a namespace alias.
#include "fused_softmax.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

// The order of floats as the order of unsigned numbers, for atomicMax.
__device__ unsigned ordered(float f) {
    unsigned u = __float_as_uint(f);
    return u & 0x80000000u ? ~u : u | 0x80000000u;
}
__device__ float from_ordered(unsigned u) { return __uint_as_float(u & 0x80000000u ? u & 0x7fffffffu : ~u); }

__device__ void wait_for(cg::thread_group g) { g.sync(); }

template <class T> __global__ void rows_by_tiles(const T *x, T *y, int64_t rows, int cols, int64_t pitch) {
    __shared__ unsigned row_max[8];
    __shared__ float row_sum[8];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    const unsigned mine = tile.meta_group_rank();
    const int64_t row = (int64_t)block.group_index().x * tile.meta_group_size() + mine;
    if (tile.thread_rank() == 0) {
        row_max[mine] = ordered(-INFINITY);
        row_sum[mine] = 0;
    }
    wait_for(block);

    float v[32];
    float best = -INFINITY;
    if (row < rows)
        for (int i = 0; i < 32; i++) {
            const int col = tile.thread_rank() + i * tile.size();
            v[i] = col < cols ? float(x[row * pitch + col]) : -INFINITY;
            best = cg::greater<float>()(best, v[i]);
        }
    if (row < rows && best > -INFINITY) {
        cg::coalesced_group active = cg::coalesced_threads();
        const unsigned most = cg::reduce(active, ordered(best), cg::greater<unsigned>());
        if (active.thread_rank() == 0)
            atomicMax(&row_max[mine], most);
    }
    cg::sync(block);

    const float m = from_ordered(row_max[mine]);
    float s = 0;
    if (row < rows)
        for (int i = 0; i < 32; i++)
            s += v[i] = __expf(v[i] - m);
    for (int d = tile.num_threads() / 2; d > 0; d /= 2)
        s += tile.shfl_down(s, d);
    s = tile.shfl(s, 0);
    if (tile.thread_rank() == 0)
        atomicAdd(&row_sum[mine], s);
    tile.sync();
    if (row < rows)
        for (int i = 0; i < 32; i++)
            if (const int col = tile.thread_rank() + i * 32; col < cols)
                y[row * pitch + col] = T(v[i] / row_sum[mine]);
}

template <class T> static cudaError_t launch(matrix x, matrix y, int n, cudaStream_t s) {
    rows_by_tiles<<<dim3((x.rows + n - 1) / n), dim3(32 * n), 0, s>>>((const T *)x.data, (T *)y.data, x.rows, (int)x.cols, x.pitch);
    return cudaGetLastError();
}

static bool in_device_memory(void *p) {
    cudaPointerAttributes at;
    if (cudaPointerGetAttributes(&at, p) != cudaSuccess)
        return cudaGetLastError() == cudaSuccess && false;
    return at.type == cudaMemoryTypeDevice || at.type == cudaMemoryTypeManaged;
}

cudaError_t fused_softmax(matrix x, matrix y, int n, cudaStream_t s) {
    if (n < 1 || n > 8 || __builtin_popcount(n) != 1 || x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS || x.rows < 0 ||
        x.rows > INT32_MAX / x.cols || x.pitch < x.cols || x.pitch % 4 || x.rows != y.rows || x.cols != y.cols || x.pitch != y.pitch ||
        x.type != y.type)
        return cudaErrorInvalidValue;
    if (x.type != CUDA_R_32F && x.type != CUDA_R_16F && x.type != CUDA_R_16BF)
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    const uintptr_t a = (uintptr_t)x.data, b = (uintptr_t)y.data, size = x.type == CUDA_R_32F ? 4 : 2;
    if (!in_device_memory(x.data) || !in_device_memory(y.data) ||
        (a < b ? b - a : a - b) < ((x.rows - 1) * x.pitch + x.cols) * size)
        return cudaErrorInvalidValue;
    return x.type == CUDA_R_32F   ? launch<float>(x, y, n, s)
           : x.type == CUDA_R_16F ? launch<__half>(x, y, n, s)
                                  : launch<__nv_bfloat16>(x, y, n, s);
}
