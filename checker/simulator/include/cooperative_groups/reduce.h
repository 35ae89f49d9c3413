/* cooperative_groups::reduce, and the operations it is given. */
#ifndef COOPERATIVE_GROUPS_REDUCE_H
#define COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define SIM_OPERATION(name, expression)                                                                      \
    template <class T> struct name {                                                                         \
        SIM_DEVICE T operator()(T a, T b) const { return expression; }                                       \
    };

SIM_OPERATION(plus, a + b)
SIM_OPERATION(less, b < a ? b : a)
SIM_OPERATION(greater, a < b ? b : a)
SIM_OPERATION(bit_and, a &b)
SIM_OPERATION(bit_or, a | b)
SIM_OPERATION(bit_xor, a ^ b)
#undef SIM_OPERATION

/* Every lane of the group gets the result. A tile halves itself, as a GPU does: floating-point sums come out
 * alike. */
template <unsigned count, class Parent, class T, class Operation>
SIM_DEVICE T reduce(const thread_block_tile<count, Parent> &group, T value, Operation operation) {
    for (unsigned distance = count / 2; distance > 0; distance /= 2)
        value = operation(value, group.shfl_xor(value, distance));
    return value;
}

/* Any set of lanes: in the order of their ranks. */
template <class T, class Operation>
SIM_DEVICE T reduce(const coalesced_group &group, T value, Operation operation) {
    T result = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.num_threads(); rank++)
        result = operation(result, group.shfl(value, static_cast<int>(rank)));
    return result;
}

} // namespace cooperative_groups

#endif
