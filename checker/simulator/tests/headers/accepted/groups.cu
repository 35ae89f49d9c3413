/* Cooperative groups inside a block. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int *scratch, int value) {
    int lane = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2) {
        scratch[lane] = value;
        group.sync();
        if (lane < i)
            value += scratch[lane + i];
        group.sync();
    }
    return value;
}
template <class Tile> __device__ float tile_sum(const Tile &tile, float value) {
    for (int i = tile.size() / 2; i > 0; i /= 2)
        value += tile.shfl_down(value, i);
    return value;
}
template <unsigned size> __device__ float tile_max(cg::thread_block_tile<size> tile, float value) {
    for (int i = tile.num_threads() / 2; i > 0; i /= 2)
        value = fmaxf(value, tile.shfl_xor(value, i));
    return tile.shfl(value, 0);
}

struct state {
    float max;
    double sum;
};

__global__ void groups(float *out, int *counts, int *scratch) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<32> same = warp;
    auto quad = cg::tiled_partition<4>(warp);
    __shared__ float warps[32];
    float x = out[block.thread_rank()];
    x = tile_sum(warp, x) + tile_max<32>(same, x) + tile_sum(quad, x);
    if (warp.thread_rank() == 0)
        warps[warp.meta_group_rank()] = x;
    block.sync();
    cg::sync(block);
    warp.sync();
    x = cg::reduce(warp, x, cg::plus<float>()) + cg::reduce(warp, x, cg::greater<float>()) +
        cg::reduce(quad, warps[0], [](float a, float b) { return a + b; });
    state moved = warp.shfl(state{x, 1.0}, 3);
    if (threadIdx.x % 3 == 0) {
        auto together = cg::coalesced_threads();
        if (together.thread_rank() == 0)
            atomicAdd(counts, (int)together.size());
        counts[1] = cg::reduce(together, 1, cg::plus<int>());
    }
    counts[2] = sum_of(block, scratch, 1) + sum_of(cg::tiled_partition(block, 16), scratch, 2);
    counts[3] = warp.ballot(x > 0) + warp.any(1) + warp.all(1) + warp.match_any(3) + block.size();
    counts[4] = quad.meta_group_size() + block.group_index().x + block.thread_index().y + block.group_dim().z;
    cg::grid_group grid = cg::this_grid();
    if (!grid.is_valid() && grid.thread_rank() < grid.size())
        counts[5] = grid.num_threads() + grid.num_blocks() + grid.block_rank() + grid.block_index().y +
                    grid.group_dim().x + grid.dim_blocks().z + grid.thread_index().x + grid.dim_threads().y;
    out[block.thread_rank()] = moved.max;
}

extern "C" void use_groups(float *out) {
    groups<<<1, 128>>>(out, (int *)out, (int *)out);
}
