// Faulty (partials.masked), a twin of the construct groups_of_states. Shows: a struct shuffled by tile.shfl_xor, tiles of 16 inside tiles of 32, tiled_partition at run time, this_grid ranks, thread_block::dim_threads,
// tile.any and tile.ballot, match_any, the online state (max, sum) in one pass, volatile-free shared arrays of structs, __syncthreads_or and _count.
#include "split_softmax.h"
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
using namespace cooperative_groups;

struct alignas(8) State {
    float max, sum;
};
__device__ State joined(State a, State b) {
    const float m = fmaxf(a.max, b.max);
    return {m, a.sum * __expf(a.max - m) + b.sum * __expf(b.max - m)};
}
__device__ State of(float v) { return v == -INFINITY ? State{v, 0} : State{v, isnan(v) || v == INFINITY ? NAN : 1.0f}; }

template <unsigned N, class P> __device__ State over(const thread_block_tile<N, P> &tile, State s) {
    for (unsigned d = tile.num_threads() / 2; d; d >>= 1) s = joined(s, tile.shfl_xor(s, d));
    return s;
}

template <class T> __global__ void chunks_kernel(const T *x, int64_t cols, int64_t chunks, int chunk, float *m, float *s) {
    __shared__ State of_tile[32];
    const thread_block block = this_thread_block();
    const auto warp = tiled_partition<32>(block);
    const auto half_warp = tiled_partition<16>(warp);
    const thread_group quarter = tiled_partition(this_thread_block(), 8);
    const int64_t row = block.group_index().x / chunks, first = block.group_index().x % chunks * chunk, end = min(first + chunk, cols);
    State mine = {-INFINITY, 0};
    for (int64_t c = first + block.thread_rank(); c < end; c += block.size()) mine = joined(mine, of((float)x[row * cols + c]));
    mine = over(half_warp, mine);
    if (half_warp.thread_rank() == 0) of_tile[warp.meta_group_rank() * half_warp.meta_group_size() + half_warp.meta_group_rank()] = mine;
    quarter.sync();
    block.sync();
    const unsigned tiles = block.dim_threads().x / 16;
    if (warp.meta_group_rank() == 0) {
        mine = block.thread_rank() < tiles ? of_tile[block.thread_rank()] : State{-INFINITY, 0};
        mine = over(warp, mine);
        const bool lone = warp.any(warp.thread_rank() == 0) && warp.ballot(1) == 0xffffffffu && warp.match_any(7) == 0xffffffffu;
        if (warp.thread_rank() == 0 && lone) m[blockIdx.x] = mine.max, s[blockIdx.x] = mine.sum;
    }
}

__global__ void merge_kernel(const float *pm, const float *ps, int64_t chunks, float *m, float *s) {
    __shared__ State part[64];
    const int64_t at = this_grid().block_rank() * chunks;
    State mine = {-INFINITY, 0};
    for (int64_t i = threadIdx.x; i < chunks; i += blockDim.x) mine = joined(mine, {pm[at + i], ps[at + i]});
    part[threadIdx.x] = mine;
    const int busy = __syncthreads_count((int64_t)threadIdx.x < chunks);
    if (!__syncthreads_or(busy)) return;
    for (int n = 32; n; n /= 2) {
        if (threadIdx.x < n) part[threadIdx.x] = joined(part[threadIdx.x], part[threadIdx.x + n]);
        sync(this_thread_block());
    }
    if (this_thread_block().thread_rank() == 0) m[blockIdx.x] = part[0].max, s[blockIdx.x] = part[0].sum;
}

template <class T> __global__ void out_kernel(const T *x, int64_t cols, int64_t count, const float *m, const float *s, T *y) {
    const grid_group grid = this_grid();
    for (unsigned long long i = grid.thread_rank(); i < count; i += grid.size()) y[i] = (T)(__expf((float)x[i] - m[i / cols]) / s[i / cols]);
}

template <class T> static cudaError_t partials(matrix x, int chunk, float *m, float *s, cudaStream_t stream) {
    const int64_t chunks = split_softmax_chunks(x.cols, chunk);
    chunks_kernel<<<x.rows * chunks, 128, 0, stream>>>((const T *)x.data, x.cols, chunks, chunk, m, s);
    return cudaGetLastError();
}
template <class T> static cudaError_t normalize(matrix x, const float *m, const float *s, matrix y, cudaStream_t stream) {
    const int64_t n = x.rows * x.cols;
    out_kernel<<<n < 8192 * 256 ? (n + 255) / 256 : 8192, 256, 0, stream>>>((const T *)x.data, x.cols, n, m, s, (T *)y.data);
    return cudaGetLastError();
}
cudaError_t split_softmax_partials(matrix x, int chunk, float *m, float *s, cudaStream_t stream) {
    if (x.type == CUDA_R_32F) return partials<float>(x, chunk, m, s, stream);
    if (x.type == CUDA_R_16F) return partials<__half>(x, chunk, m, s, stream);
    return partials<__nv_bfloat16>(x, chunk, m, s, stream);
}
cudaError_t split_softmax_merge(const float *pm, const float *ps, int64_t rows, int64_t chunks, float *m, float *s, cudaStream_t stream) {
    merge_kernel<<<rows, 64, 0, stream>>>(pm, ps, chunks, m, s);
    return cudaGetLastError();
}
cudaError_t split_softmax_normalize(matrix x, int, const float *m, const float *s, matrix y, cudaStream_t stream) {
    if (x.type == CUDA_R_32F) return normalize<float>(x, m, s, y, stream);
    if (x.type == CUDA_R_16F) return normalize<__half>(x, m, s, y, stream);
    return normalize<__nv_bfloat16>(x, m, s, y, stream);
}
