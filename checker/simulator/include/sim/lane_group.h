/* What the groups inside a warp have in common: a mask of lanes, and operations on them in which a lane is
 * named by its rank in the group. */
#ifndef SIM_LANE_GROUP_H
#define SIM_LANE_GROUP_H

#include "../cuda_runtime.h"

namespace sim {

/* This thread's place in its warp. */
SIM_DEVICE unsigned lane() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
}

/* Moves any trivially copied type, word by word where it is larger than a register. */
template <class T> SIM_DEVICE T shuffle_any(unsigned mask, T value, unsigned lane) {
    if constexpr (sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8)
        return shuffle(SIM_SHUFFLE_INDEX, mask, value, static_cast<int>(lane), 32);
    else {
        unsigned words[(sizeof(T) + 3) / 4] = {};
        __builtin_memcpy(words, &value, sizeof value);
        for (unsigned &word : words)
            word = shuffle(SIM_SHUFFLE_INDEX, mask, word, static_cast<int>(lane), 32);
        __builtin_memcpy(&value, words, sizeof value);
        return value;
    }
}

class lane_group {
  public:
    SIM_DEVICE lane_group(unsigned mask, unsigned rank, unsigned groups)
        : lanes_mask(mask), meta_rank(rank), meta_size(groups) {}

    SIM_DEVICE void sync() const { sim_warp_barrier(lanes_mask); }
    SIM_DEVICE unsigned num_threads() const { return static_cast<unsigned>(__builtin_popcount(lanes_mask)); }
    SIM_DEVICE unsigned size() const { return num_threads(); }
    SIM_DEVICE unsigned thread_rank() const { return rank_of(lane()); }
    /* This group among those that its parent was cut into. */
    SIM_DEVICE unsigned meta_group_rank() const { return meta_rank; }
    SIM_DEVICE unsigned meta_group_size() const { return meta_size; }

    template <class T> SIM_DEVICE T shfl(T value, int rank) const {
        return shuffle_any(lanes_mask, value, lane_of(static_cast<unsigned>(rank) % num_threads()));
    }
    /* A lane that would read from outside the group keeps its own value. */
    template <class T> SIM_DEVICE T shfl_up(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        return shuffle_any(lanes_mask, value, lane_of(rank < delta ? rank : rank - delta));
    }
    template <class T> SIM_DEVICE T shfl_down(T value, unsigned delta) const {
        const unsigned rank = thread_rank();
        return shuffle_any(lanes_mask, value, lane_of(rank + delta < num_threads() ? rank + delta : rank));
    }
    template <class T> SIM_DEVICE T shfl_xor(T value, unsigned rank_mask) const {
        const unsigned rank = thread_rank();
        return shuffle_any(lanes_mask, value,
                           lane_of((rank ^ rank_mask) < num_threads() ? rank ^ rank_mask : rank));
    }

    SIM_DEVICE int any(int predicate) const {
        return static_cast<int>(sim_vote(SIM_VOTE_ANY, lanes_mask, predicate));
    }
    SIM_DEVICE int all(int predicate) const {
        return static_cast<int>(sim_vote(SIM_VOTE_ALL, lanes_mask, predicate));
    }
    SIM_DEVICE unsigned ballot(int predicate) const {
        return ranks_of(sim_vote(SIM_VOTE_BALLOT, lanes_mask, predicate));
    }
    template <class T> SIM_DEVICE unsigned match_any(T value) const {
        return ranks_of(sim_match(SIM_MATCH_ANY, lanes_mask, to_bits(value)));
    }
    template <class T> SIM_DEVICE unsigned match_all(T value, int &all_match) const {
        const unsigned lanes = sim_match(SIM_MATCH_ALL, lanes_mask, to_bits(value));
        all_match = lanes != 0;
        return ranks_of(lanes);
    }

  private:
    SIM_DEVICE unsigned rank_of(unsigned lane) const {
        return static_cast<unsigned>(__builtin_popcount(lanes_mask & ((1u << lane) - 1)));
    }
    SIM_DEVICE unsigned lane_of(unsigned rank) const {
        unsigned rest = lanes_mask;
        for (; rank > 0; rank--)
            rest &= rest - 1;
        return static_cast<unsigned>(__builtin_ctz(rest));
    }
    /* A mask of lanes as a mask of ranks. */
    SIM_DEVICE unsigned ranks_of(unsigned lanes) const {
        unsigned ranks = 0;
        for (unsigned rest = lanes & lanes_mask; rest; rest &= rest - 1)
            ranks |= 1u << rank_of(static_cast<unsigned>(__builtin_ctz(rest)));
        return ranks;
    }

    unsigned lanes_mask, meta_rank, meta_size;
};

} // namespace sim

#endif
