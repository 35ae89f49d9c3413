/* Cooperative groups: the thread block, tiles of a warp, the threads that are together now, and the grid
 * without its barrier. That barrier and groups of a cluster need a cooperative or a cluster launch, which the
 * simulator has not. Reductions are in cooperative_groups/reduce.h. */
#ifndef COOPERATIVE_GROUPS_H
#define COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"
#include "sim/lane_group.h"

namespace cooperative_groups {

class thread_block {
  public:
    static SIM_DEVICE void sync() { __syncthreads(); }
    static SIM_DEVICE unsigned thread_rank() {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    static SIM_DEVICE unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static SIM_DEVICE unsigned size() { return num_threads(); }
    static SIM_DEVICE dim3 group_index() { return dim3(blockIdx); }
    static SIM_DEVICE dim3 thread_index() { return dim3(threadIdx); }
    static SIM_DEVICE dim3 dim_threads() { return blockDim; }
    static SIM_DEVICE dim3 group_dim() { return blockDim; }
};

SIM_DEVICE thread_block this_thread_block() {
    return thread_block();
}

/* Lanes of one warp, numbered from 0 in the order of their bits in the mask. */
class coalesced_group : public sim::lane_group {
  public:
    SIM_DEVICE explicit coalesced_group(unsigned mask) : sim::lane_group(mask, 0, 1) {}
    SIM_DEVICE coalesced_group(unsigned mask, unsigned index, unsigned count)
        : sim::lane_group(mask, index, count) {}
};

SIM_DEVICE coalesced_group coalesced_threads() {
    return coalesced_group(sim_activemask());
}

/* `count` lanes of a warp that stand beside each other; count is a power of two. */
template <unsigned count, class Parent = void> class thread_block_tile : public sim::lane_group {
  public:
    static_assert(count >= 1 && (count & (count - 1)) == 0, "a tile's size is a power of two");
    static_assert(count <= 32,
                  "the CPU simulator does not offer tiles of more than a warp: check on a GPU with "
                  "RUNTIME=cuda");
    SIM_DEVICE thread_block_tile(unsigned mask, unsigned index, unsigned tiles)
        : sim::lane_group(mask, index, tiles) {}
    template <class Other>
    SIM_DEVICE thread_block_tile(const thread_block_tile<count, Other> &tile) : sim::lane_group(tile) {}
    static SIM_DEVICE constexpr unsigned size() { return count; }
    static SIM_DEVICE constexpr unsigned num_threads() { return count; }
    SIM_DEVICE unsigned thread_rank() const { return sim::lane() % count; }
};

namespace details {
/* The mask of the `count` lanes that stand together where this thread is. */
SIM_DEVICE unsigned tile_mask(unsigned count) {
    const unsigned first = sim::lane() & ~(count - 1);
    return (count == 32 ? 0xffffffffu : (1u << count) - 1) << first;
}
} // namespace details

template <unsigned count>
SIM_DEVICE thread_block_tile<count, thread_block> tiled_partition(const thread_block &) {
    return {details::tile_mask(count), thread_block::thread_rank() / count,
            (thread_block::num_threads() + count - 1) / count};
}

template <unsigned count, unsigned parent_count, class Grandparent>
SIM_DEVICE thread_block_tile<count, thread_block_tile<parent_count, Grandparent>>
tiled_partition(const thread_block_tile<parent_count, Grandparent> &parent) {
    static_assert(count <= parent_count, "a tile is no larger than what it is cut from");
    return {details::tile_mask(count), parent.thread_rank() / count, parent_count / count};
}

/* A block, or lanes of a warp, as chosen while running. */
class thread_group {
  public:
    SIM_DEVICE thread_group(const thread_block &) : whole_block(true), lanes(0, 0, 1) {}
    SIM_DEVICE thread_group(const sim::lane_group &group) : whole_block(false), lanes(group) {}
    SIM_DEVICE void sync() const {
        if (whole_block)
            thread_block::sync();
        else
            lanes.sync();
    }
    SIM_DEVICE unsigned thread_rank() const {
        return whole_block ? thread_block::thread_rank() : lanes.thread_rank();
    }
    SIM_DEVICE unsigned num_threads() const {
        return whole_block ? thread_block::num_threads() : lanes.num_threads();
    }
    SIM_DEVICE unsigned size() const { return num_threads(); }

  private:
    bool whole_block;
    sim::lane_group lanes;
};

/* count: a power of two up to 32. */
SIM_DEVICE thread_group tiled_partition(const thread_group &, unsigned count) {
    return sim::lane_group(details::tile_mask(count), thread_block::thread_rank() / count,
                           (thread_block::num_threads() + count - 1) / count);
}

template <class Group> SIM_DEVICE void sync(const Group &group) {
    group.sync();
}

/* All threads of a launch. They can be counted in any launch, but meet only in a cooperative one. */
class grid_group {
  public:
    static SIM_ON_DEVICE void sync() SIM_ABSENT("a barrier of the whole grid (cooperative launches)");
    static SIM_DEVICE bool is_valid() { return false; } /* whether sync() may be called */
    static SIM_DEVICE unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static SIM_DEVICE unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
    static SIM_DEVICE unsigned long long size() { return num_threads(); }
    static SIM_DEVICE unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static SIM_DEVICE unsigned long long thread_rank() {
        return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
    }
    static SIM_DEVICE dim3 block_index() { return dim3(blockIdx); }
    static SIM_DEVICE dim3 dim_blocks() { return gridDim; }
    static SIM_DEVICE dim3 group_dim() { return gridDim; }
    static SIM_DEVICE dim3 thread_index() {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
    static SIM_DEVICE dim3 dim_threads() {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
};

SIM_DEVICE grid_group this_grid() {
    return grid_group();
}

class cluster_group {
  public:
    void sync() const;
};
SIM_ON_DEVICE cluster_group this_cluster() SIM_ABSENT("thread block clusters");

} // namespace cooperative_groups

#endif
