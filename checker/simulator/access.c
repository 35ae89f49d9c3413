/* Every load and store of the submission arrives here: clang's -fsanitize=thread calls a function of these
 * names before each, and the return address says which source line it was. Memory intrinsics and struct
 * copies arrive as calls of memcpy and its kin, which the linker's --wrap turns into __wrap_memcpy. */
#include "simulator.h"
#include <string.h>

static void host_access(const struct access *access) {
    struct region *region = memory_find(access->address);
    if (region && region->kind == REGION_MANAGED) {
        host_work_managed(region, access);
        return;
    }
    if (!region)
        region = variable_find(access->address);
    if (!memory_is_device(access->address) && !region) {
        host_work_elsewhere(access);
        return;
    }
    struct finding finding = finding_new(FINDING_HOST_TOUCHES_DEVICE, access->pc);
    finding.write = access->kind != ACCESS_READ;
    finding.bytes = access->bytes;
    if (region)
        memcpy(finding.buffer, region->name, sizeof finding.buffer);
    finding_text(&finding, "host code %s device memory%s%s: on a GPU this is a segmentation fault",
                 finding.write ? "writes" : "reads", region ? " of " : "", region ? region->name : "");
    finding_send(&finding);
}

static void report_host_memory(const struct access *access) {
    struct finding finding = finding_new(FINDING_KERNEL_TOUCHES_HOST, access->pc);
    finding.write = access->kind != ACCESS_READ;
    finding.bytes = access->bytes;
    finding_text(&finding,
                 "the kernel %s %zu bytes of host memory (address 0x%zx): a kernel sees only device "
                 "memory and its own arguments",
                 finding.write ? "writes" : "reads", access->bytes, (size_t)access->address);
    finding_send(&finding);
    error_stick(cudaErrorIllegalAddress);
    block_abort();
}

void access_memory(const struct access *access) {
    if (!sim_current) {
        host_access(access);
        return;
    }
    race_settle();
    if (memory_is_device(access->address))
        global_access(access);
    else if (shared_holds(access->address))
        shared_access(access);
    else if (!fiber_holds(access->address) && !closure_holds(access->address) && !variable_access(access))
        report_host_memory(access);
}

static inline void seen(const void *address, size_t bytes, enum access_kind kind, const void *pc) {
    struct access access = {(uintptr_t)address, bytes, kind, pc};
    access_memory(&access);
}

#define HERE __builtin_return_address(0)

/* The names and sizes are fixed by the compiler (LLVM, ThreadSanitizer's interface). */
#define DEFINE_ACCESSES(size)                                                                                \
    void __tsan_read##size(void *address) {                                                                  \
        seen(address, size, ACCESS_READ, HERE);                                                              \
    }                                                                                                        \
    void __tsan_write##size(void *address) {                                                                 \
        seen(address, size, ACCESS_WRITE, HERE);                                                             \
    }                                                                                                        \
    void __tsan_unaligned_read##size(void *address) {                                                        \
        seen(address, size, ACCESS_READ, HERE);                                                              \
    }                                                                                                        \
    void __tsan_unaligned_write##size(void *address) {                                                       \
        seen(address, size, ACCESS_WRITE, HERE);                                                             \
    }                                                                                                        \
    void __tsan_read_write##size(void *address) {                                                            \
        seen(address, size, ACCESS_READ, HERE);                                                              \
        seen(address, size, ACCESS_WRITE, HERE);                                                             \
    }                                                                                                        \
    void __tsan_unaligned_read_write##size(void *address) {                                                  \
        seen(address, size, ACCESS_READ, HERE);                                                              \
        seen(address, size, ACCESS_WRITE, HERE);                                                             \
    }                                                                                                        \
    void __tsan_volatile_read##size(void *address) {                                                         \
        if (sim_current)                                                                                     \
            block_spin(HERE);                                                                                \
        seen(address, size, ACCESS_READ, HERE);                                                              \
    }                                                                                                        \
    void __tsan_volatile_write##size(void *address) {                                                        \
        seen(address, size, ACCESS_WRITE, HERE);                                                             \
    }                                                                                                        \
    void __tsan_unaligned_volatile_read##size(void *address) {                                               \
        __tsan_volatile_read##size(address);                                                                 \
    }                                                                                                        \
    void __tsan_unaligned_volatile_write##size(void *address) {                                              \
        seen(address, size, ACCESS_WRITE, HERE);                                                             \
    }

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

DEFINE_ACCESSES(1)
DEFINE_ACCESSES(2)
DEFINE_ACCESSES(4)
DEFINE_ACCESSES(8)
DEFINE_ACCESSES(16)

void __tsan_read_range(void *address, size_t bytes) {
    seen(address, bytes, ACCESS_READ, HERE);
}

void __tsan_write_range(void *address, size_t bytes) {
    seen(address, bytes, ACCESS_WRITE, HERE);
}

void __tsan_init(void) {}

void __tsan_vptr_read(void **address) {
    seen(address, sizeof *address, ACCESS_READ, HERE);
}

void __tsan_vptr_update(void **address, void *value) {
    (void)value;
    seen(address, sizeof *address, ACCESS_WRITE, HERE);
}

void sim_atomic(const void *address, size_t bytes) {
    if (!sim_current)
        return;
    block_spin(HERE);
    if (memory_is_device((uintptr_t)address))
        atomic_order_note((uintptr_t)address);
    seen(address, bytes, ACCESS_ATOMIC, HERE);
}

static void copied(void *to, const void *from, size_t bytes, const void *pc) {
    if (!bytes)
        return;
    seen(from, bytes, ACCESS_READ, pc);
    seen(to, bytes, ACCESS_WRITE, pc);
}

void *__wrap_memcpy(void *to, const void *from, size_t bytes) {
    copied(to, from, bytes, HERE);
    return memcpy(to, from, bytes);
}

void *__wrap_memmove(void *to, const void *from, size_t bytes) {
    copied(to, from, bytes, HERE);
    return memmove(to, from, bytes);
}

void *__wrap_memset(void *to, int value, size_t bytes) {
    if (bytes)
        seen(to, bytes, ACCESS_WRITE, HERE);
    return memset(to, value, bytes);
}

/* clang 15 and later call these instead. */
void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
    copied(to, from, bytes, HERE);
    return memcpy(to, from, bytes);
}

void *__tsan_memmove(void *to, const void *from, size_t bytes) {
    copied(to, from, bytes, HERE);
    return memmove(to, from, bytes);
}

void *__tsan_memset(void *to, int value, size_t bytes) {
    if (bytes)
        seen(to, bytes, ACCESS_WRITE, HERE);
    return memset(to, value, bytes);
}
