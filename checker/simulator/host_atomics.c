/* Atomic operations of the language (std::atomic, __atomic_fetch_add, the guard of a static variable of a
 * function): clang's -fsanitize=thread turns each into a call of a function of these names. CUDA's own
 * atomics do not come here. One thread runs at a time, so plain loads and stores are atomic, in host code and
 * in kernels. */
#include "simulator.h"

static void seen_atomic(const volatile void *address, size_t bytes, const void *pc) {
    if (sim_current) {
        block_spin(pc);
        if (memory_is_device((uintptr_t)address))
            atomic_order_note((uintptr_t)address);
    }
    access_memory(&(struct access){(uintptr_t)address, bytes, ACCESS_ATOMIC, pc});
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define HERE __builtin_return_address(0)

#define DEFINE_UPDATE(bits, name, expression)                                                                \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *place, uint##bits##_t value,        \
                                                int order) {                                                 \
        (void)order;                                                                                         \
        seen_atomic(place, sizeof *place, HERE);                                                             \
        const uint##bits##_t old = *place;                                                                   \
        *place = (uint##bits##_t)(expression);                                                               \
        return old;                                                                                          \
    }

#define DEFINE_COMPARE(bits, name)                                                                           \
    int __tsan_atomic##bits##_##name(volatile uint##bits##_t *place, uint##bits##_t *expected,               \
                                     uint##bits##_t value, int order, int otherwise) {                       \
        (void)order, (void)otherwise;                                                                        \
        seen_atomic(place, sizeof *place, HERE);                                                             \
        const uint##bits##_t old = *place;                                                                   \
        const int same = old == *expected;                                                                   \
        *place = same ? value : old;                                                                         \
        *expected = old;                                                                                     \
        return same;                                                                                         \
    }

#define DEFINE_ATOMICS(bits)                                                                                 \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *place, int order) {             \
        (void)order;                                                                                         \
        if (sim_current)                                                                                     \
            seen_atomic(place, sizeof *place, HERE);                                                         \
        else                                                                                                 \
            access_memory(&(struct access){(uintptr_t)place, sizeof *place, ACCESS_READ, HERE});             \
        return *place;                                                                                       \
    }                                                                                                        \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *place, uint##bits##_t value, int order) {      \
        (void)order;                                                                                         \
        seen_atomic(place, sizeof *place, HERE);                                                             \
        *place = value;                                                                                      \
    }                                                                                                        \
    DEFINE_UPDATE(bits, exchange, value)                                                                     \
    DEFINE_UPDATE(bits, fetch_add, old + value)                                                              \
    DEFINE_UPDATE(bits, fetch_sub, old - value)                                                              \
    DEFINE_UPDATE(bits, fetch_and, old &value)                                                               \
    DEFINE_UPDATE(bits, fetch_or, old | value)                                                               \
    DEFINE_UPDATE(bits, fetch_xor, old ^ value)                                                              \
    DEFINE_UPDATE(bits, fetch_nand, ~(old & value))                                                          \
    DEFINE_COMPARE(bits, compare_exchange_strong)                                                            \
    DEFINE_COMPARE(bits, compare_exchange_weak)                                                              \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *place,                \
                                                              uint##bits##_t expected, uint##bits##_t value, \
                                                              int order, int otherwise) {                    \
        (void)order, (void)otherwise;                                                                        \
        seen_atomic(place, sizeof *place, HERE);                                                             \
        const uint##bits##_t old = *place;                                                                   \
        *place = old == expected ? value : old;                                                              \
        return old;                                                                                          \
    }

DEFINE_ATOMICS(8)
DEFINE_ATOMICS(16)
DEFINE_ATOMICS(32)
DEFINE_ATOMICS(64)

void __tsan_atomic_thread_fence(int order) {
    (void)order;
}

void __tsan_atomic_signal_fence(int order) {
    (void)order;
}
