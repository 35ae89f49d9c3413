/* Atomic operations: each is a read by sim_atomic_begin and a write by sim_atomic_end, with nothing between them,
 * one thread running at a time. */
#ifndef SIM_ATOMICS_H
#define SIM_ATOMICS_H

#include "compiler.h"
#include "device.h"

namespace sim {
namespace operation {
#define SIM_OPERATION(name, expression)                                                                      \
    struct name {                                                                                            \
        template <class T> static SIM_DEVICE T apply(T old, T value) { return static_cast<T>(expression); }  \
    };
SIM_OPERATION(add, old + value)
SIM_OPERATION(subtract, old - value)
SIM_OPERATION(minimum, value < old ? value : old)
SIM_OPERATION(maximum, old < value ? value : old)
SIM_OPERATION(exchange, (static_cast<void>(old), value))
SIM_OPERATION(increment, old >= value ? 0 : old + 1)
SIM_OPERATION(decrement, old == 0 || old > value ? value : old - 1)
SIM_OPERATION(bit_and, old &value)
SIM_OPERATION(bit_or, old | value)
SIM_OPERATION(bit_xor, old ^ value)
#undef SIM_OPERATION
} // namespace operation

template <class T> SIM_DEVICE uint64_t atomic_bits(T value) {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T> SIM_DEVICE T atomic_value(uint64_t bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

template <class Operation, class T> SIM_DEVICE T atomic(T *address, T value) {
    const T old = atomic_value<T>(sim_atomic_begin(address, sizeof(T)));
    sim_atomic_end(address, atomic_bits(Operation::apply(old, value)), sizeof(T));
    return old;
}

/* Compares bits, as the hardware does. */
template <class T> SIM_DEVICE T atomic_if_equal(T *address, T expected, T value) {
    const uint64_t old = sim_atomic_begin(address, sizeof(T));
    if (old == atomic_bits(expected))
        sim_atomic_end(address, atomic_bits(value), sizeof(T));
    return atomic_value<T>(old);
}
} // namespace sim

/* One operation on one type, for the scopes device, block and system. */
#define SIM_ATOMIC(name, operation_name, type)                                                               \
    SIM_DEVICE type name(type *address, type value) {                                                        \
        return sim::atomic<sim::operation::operation_name>(address, value);                                  \
    }                                                                                                        \
    SIM_DEVICE type name##_block(type *address, type value) {                                                \
        return name(address, value);                                                                         \
    }                                                                                                        \
    SIM_DEVICE type name##_system(type *address, type value) {                                               \
        return name(address, value);                                                                         \
    }

#define SIM_ATOMIC_CAS(type)                                                                                 \
    SIM_DEVICE type atomicCAS(type *address, type expected, type value) {                                    \
        return sim::atomic_if_equal(address, expected, value);                                               \
    }                                                                                                        \
    SIM_DEVICE type atomicCAS_block(type *address, type expected, type value) {                              \
        return atomicCAS(address, expected, value);                                                          \
    }                                                                                                        \
    SIM_DEVICE type atomicCAS_system(type *address, type expected, type value) {                             \
        return atomicCAS(address, expected, value);                                                          \
    }

#define SIM_ATOMICS_OF_INTEGER(type)                                                                         \
    SIM_ATOMIC(atomicMin, minimum, type)                                                                     \
    SIM_ATOMIC(atomicMax, maximum, type)                                                                     \
    SIM_ATOMIC(atomicAnd, bit_and, type)                                                                     \
    SIM_ATOMIC(atomicOr, bit_or, type)                                                                       \
    SIM_ATOMIC(atomicXor, bit_xor, type)

SIM_ATOMICS_OF_INTEGER(int)
SIM_ATOMICS_OF_INTEGER(unsigned int)
SIM_ATOMICS_OF_INTEGER(long long)
SIM_ATOMICS_OF_INTEGER(unsigned long long)

SIM_ATOMIC(atomicAdd, add, int)
SIM_ATOMIC(atomicAdd, add, unsigned int)
SIM_ATOMIC(atomicAdd, add, unsigned long long)
SIM_ATOMIC(atomicAdd, add, float)
SIM_ATOMIC(atomicAdd, add, double)
SIM_ATOMIC(atomicSub, subtract, int)
SIM_ATOMIC(atomicSub, subtract, unsigned int)
SIM_ATOMIC(atomicInc, increment, unsigned int)
SIM_ATOMIC(atomicDec, decrement, unsigned int)
SIM_ATOMIC(atomicExch, exchange, int)
SIM_ATOMIC(atomicExch, exchange, unsigned int)
SIM_ATOMIC(atomicExch, exchange, unsigned long long)
SIM_ATOMIC(atomicExch, exchange, float)
SIM_ATOMIC_CAS(int)
SIM_ATOMIC_CAS(unsigned int)
SIM_ATOMIC_CAS(unsigned long long)
SIM_ATOMIC_CAS(unsigned short)

#undef SIM_ATOMICS_OF_INTEGER
#undef SIM_ATOMIC_CAS

#endif
