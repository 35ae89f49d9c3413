/* Operations that the lanes of a warp do together: shuffles, votes, matches and reductions. A lane that reads
 * another lane's value gets its bits, so every type that CUDA shuffles goes through one function. */
#ifndef SIM_WARP_H
#define SIM_WARP_H

#include "compiler.h"
#include "device.h"

namespace sim {
template <unsigned bytes> struct bits_of_size;
template <> struct bits_of_size<1> { typedef uint8_t type __attribute__((may_alias)); };
template <> struct bits_of_size<2> { typedef uint16_t type; };
template <> struct bits_of_size<4> { typedef uint32_t type; };
template <> struct bits_of_size<8> { typedef uint64_t type; };

template <class T> SIM_DEVICE uint64_t to_bits(T value) {
    return *reinterpret_cast<typename bits_of_size<sizeof(T)>::type *>(&value);
}

template <class T>
SIM_DEVICE T shuffle(sim_shuffle_kind kind, unsigned mask, T value, int argument, int width) {
    typedef typename bits_of_size<sizeof(T)>::type bits;
    T read;
    *reinterpret_cast<bits *>(&read) =
        static_cast<bits>(sim_shuffle(kind, mask, to_bits(value), argument, width));
    return read;
}
} // namespace sim

/* The four shuffles of one type. */
#define SIM_SHUFFLES(type)                                                                                   \
    SIM_DEVICE type __shfl_sync(unsigned mask, type value, int lane, int width = 32) {                       \
        return sim::shuffle(SIM_SHUFFLE_INDEX, mask, value, lane, width);                                    \
    }                                                                                                        \
    SIM_DEVICE type __shfl_up_sync(unsigned mask, type value, unsigned delta, int width = 32) {              \
        return sim::shuffle(SIM_SHUFFLE_UP, mask, value, static_cast<int>(delta), width);                    \
    }                                                                                                        \
    SIM_DEVICE type __shfl_down_sync(unsigned mask, type value, unsigned delta, int width = 32) {            \
        return sim::shuffle(SIM_SHUFFLE_DOWN, mask, value, static_cast<int>(delta), width);                  \
    }                                                                                                        \
    SIM_DEVICE type __shfl_xor_sync(unsigned mask, type value, int lane_mask, int width = 32) {              \
        return sim::shuffle(SIM_SHUFFLE_XOR, mask, value, lane_mask, width);                                 \
    }

SIM_SHUFFLES(int)
SIM_SHUFFLES(unsigned int)
SIM_SHUFFLES(long)
SIM_SHUFFLES(unsigned long)
SIM_SHUFFLES(long long)
SIM_SHUFFLES(unsigned long long)
SIM_SHUFFLES(float)
SIM_SHUFFLES(double)

SIM_DEVICE int __any_sync(unsigned mask, int predicate) {
    return static_cast<int>(sim_vote(SIM_VOTE_ANY, mask, predicate));
}
SIM_DEVICE int __all_sync(unsigned mask, int predicate) {
    return static_cast<int>(sim_vote(SIM_VOTE_ALL, mask, predicate));
}
SIM_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
    return sim_vote(SIM_VOTE_BALLOT, mask, predicate);
}
SIM_DEVICE unsigned __activemask() {
    return sim_activemask();
}

template <class T> SIM_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
    return sim_match(SIM_MATCH_ANY, mask, sim::to_bits(value));
}
template <class T> SIM_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *all_match) {
    const unsigned lanes = sim_match(SIM_MATCH_ALL, mask, sim::to_bits(value));
    *all_match = lanes != 0;
    return lanes;
}

SIM_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned value) {
    return sim_reduce(SIM_REDUCE_ADD, mask, value);
}
SIM_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned value) {
    return sim_reduce(SIM_REDUCE_MIN, mask, value);
}
SIM_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned value) {
    return sim_reduce(SIM_REDUCE_MAX, mask, value);
}
SIM_DEVICE int __reduce_add_sync(unsigned mask, int value) {
    return static_cast<int>(sim_reduce(SIM_REDUCE_ADD, mask, static_cast<unsigned>(value)));
}
SIM_DEVICE int __reduce_min_sync(unsigned mask, int value) {
    return static_cast<int>(sim_reduce(SIM_REDUCE_MIN_SIGNED, mask, static_cast<unsigned>(value)));
}
SIM_DEVICE int __reduce_max_sync(unsigned mask, int value) {
    return static_cast<int>(sim_reduce(SIM_REDUCE_MAX_SIGNED, mask, static_cast<unsigned>(value)));
}
SIM_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned value) {
    return sim_reduce(SIM_REDUCE_AND, mask, value);
}
SIM_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned value) {
    return sim_reduce(SIM_REDUCE_OR, mask, value);
}
SIM_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
    return sim_reduce(SIM_REDUCE_XOR, mask, value);
}

/* The forms without a mask went away with Volta. */
#define SIM_MASKLESS(name)                                                                                   \
    template <class... T>                                                                                    \
    SIM_ON_DEVICE __attribute__((                                                                            \
        unavailable(#name " was removed with Volta (sm_70): use " #name "_sync, with a mask of lanes"))) int \
    name(T...);
SIM_MASKLESS(__shfl)
SIM_MASKLESS(__shfl_up)
SIM_MASKLESS(__shfl_down)
SIM_MASKLESS(__shfl_xor)
SIM_MASKLESS(__any)
SIM_MASKLESS(__all)
SIM_MASKLESS(__ballot)
#undef SIM_MASKLESS

#endif
