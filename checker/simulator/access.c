/* Every load and store of the submission arrives here: build/instrument puts a call of one of these functions before
 * each, and the return address says which source line it was. Calls of memcpy and its kin arrive as what the linker's
 * --wrap makes of them, __wrap_memcpy. */
#include "fence_order.h"
#include "image.h"
#include "simulator.h"
#include <string.h>

static void report_device_memory(const struct access *access, const struct region *region, const char *what) {
    struct finding finding = finding_new(FINDING_HOST_TOUCHES_DEVICE, access->pc);
    finding.write = access->kind != ACCESS_READ;
    finding.bytes = access->bytes;
    if (region)
        memcpy(finding.buffer, region->name, sizeof finding.buffer);
    finding_text(&finding, "host code %s device memory%s%s: on a GPU this %s",
                 finding.write ? "writes" : "reads", region ? " of " : "", region ? region->name : "", what);
    finding_send(&finding);
}

bool access_by_host(const struct access *access) {
    const struct region *region = memory_find(access->address);
    const struct region *shadowed = variable_of_shadow((const void *)access->address);
    if (!region)
        region = variable_find(access->address);
    if (region && region->kind == REGION_MANAGED)
        host_work_managed(region, access);
    else if (region || memory_is_device(access->address))
        report_device_memory(access, region, "is a segmentation fault");
    else if (shadowed)
        report_device_memory(access, shadowed,
                             "reaches a copy on the host that no kernel sees; cudaMemcpyToSymbol and "
                             "cudaMemcpyFromSymbol reach the variable");
    return !region && !memory_is_device(access->address);
}

static void report_host_memory(const struct access *access) {
    struct finding finding = finding_new(FINDING_KERNEL_TOUCHES_HOST, access->pc);
    finding.write = access->kind != ACCESS_READ;
    finding.bytes = access->bytes;
    const size_t near_null = 1 << 16; /* an element of an array that begins at 0 */
    finding_text(&finding,
                 access->address < near_null
                     ? "the kernel %s %zu bytes by a null pointer (address 0x%zx)"
                     : "the kernel %s %zu bytes of host memory (address 0x%zx): a kernel sees only device "
                       "memory and its own arguments",
                 finding.write ? "writes" : "reads", access->bytes, (size_t)access->address);
    finding_send(&finding);
    error_stick(cudaErrorIllegalAddress);
    block_abort();
}

/* A pointer to one local variable that leads to none. */
static void report_stack(const struct access *access) {
    struct finding finding = finding_new(FINDING_OUT_OF_BOUNDS, access->pc);
    finding.write = access->kind != ACCESS_READ;
    finding.bytes = access->bytes;
    finding_text(&finding, "%s %zu bytes past a local variable, where this thread has none",
                 finding.write ? "writes" : "reads", access->bytes);
    finding_send(&finding);
    error_stick(cudaErrorIllegalAddress);
    block_abort();
}

void access_memory(const struct access *access) {
    if (!sim_current) {
        access_by_host(access);
        return;
    }
    race_settle();
    race_note_load(access);
    if (memory_is_device(access->address))
        global_access(access);
    else if (shared_holds(access->address))
        shared_access(access);
    else if (fiber_is_stack(access->address))
        report_stack(access);
    else if (!variable_access(access))
        report_host_memory(access);
}

/* A GPU refuses an access at an address that is no multiple of what the type promises. */
static void misaligned(const struct access *access, size_t alignment) {
    struct finding finding = finding_new(FINDING_MISALIGNED, access->pc);
    const struct region *region = memory_find(access->address);
    finding.write = access->kind != ACCESS_READ;
    finding.bytes = access->bytes;
    if (region) {
        finding.offset = (int64_t)(access->address - region->start);
        finding.buffer_bytes = region->bytes;
        memcpy(finding.buffer, region->name, sizeof finding.buffer);
    }
    finding_text(&finding,
                 "%s %zu bytes at once needs an address that is a multiple of %zu; this one is %zu past",
                 finding.write ? "writing" : "reading", access->bytes, alignment,
                 (size_t)(access->address % alignment));
    finding_send(&finding);
    error_stick(cudaErrorMisalignedAddress);
    block_abort();
}

/* Before others may run: the load in front of a loop of atomicCAS has become part of an atomic operation. */
static void access_begin_atomic(uintptr_t address) {
    struct cell *cells;
    size_t offset;
    race_settle();
    race_begin_atomic(address);
    if (memory_is_device(address)) {
        struct region *region = memory_find(address);
        cells = region ? region->cells : NULL;
        offset = region ? address - region->start : 0;
    } else {
        cells = shared_cells(address, &offset);
    }
    if (cells)
        race_forget_load(cells, offset);
}

static uint64_t seen_count;

static inline void seen_as(const void *address, size_t bytes, size_t alignment, enum access_kind kind,
                           bool strong, const void *pc) {
    struct access access = {(uintptr_t)address, bytes, kind, strong, pc};
    if (sim_current && fiber_holds(access.address, bytes))
        return;
    seen_count++;
    if (sim_current && access.address % alignment != 0)
        misaligned(&access, alignment);
    access_memory(&access);
}

static inline void seen(const void *address, size_t bytes, size_t alignment, enum access_kind kind,
                        const void *pc) {
    seen_as(address, bytes, alignment, kind, false, pc);
}

#define HERE __builtin_return_address(0)

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* ---- by build/instrument (sim/accesses.h lists them) ---- */

void sim_read(const void *address, size_t bytes, size_t alignment) {
    seen(address, bytes, alignment, ACCESS_READ, HERE);
}

void sim_write(const void *address, size_t bytes, size_t alignment) {
    seen(address, bytes, alignment, ACCESS_WRITE, HERE);
}

/* A volatile access is a strong one to the hardware. A store without a fence before it, though, is how warps were
 * programmed when their lanes still kept step: two such race like any others. */
void sim_volatile_read(const void *address, size_t bytes, size_t alignment) {
    if (sim_current) {
        block_spin(HERE);
        fence_order_acquire((uintptr_t)address);
        if (memory_is_device((uintptr_t)address))
            grid_order_acquire((uintptr_t)address);
    }
    seen_as(address, bytes, alignment, ACCESS_READ, true, HERE);
}

void sim_volatile_write(const void *address, size_t bytes, size_t alignment) {
    const bool strong = sim_current && fence_done();
    if (strong) {
        fence_order_release((uintptr_t)address);
        if (memory_is_device((uintptr_t)address))
            grid_order_release((uintptr_t)address);
    }
    seen_as(address, bytes, alignment, ACCESS_WRITE, strong, HERE);
}

static void seen_atomic(const void *address, size_t bytes, enum access_kind kind, const void *pc) {
    if (sim_current) {
        sim_block.launch->trace.atomics++;
        access_begin_atomic((uintptr_t)address);
        block_spin(pc);
        fence_order_acquire((uintptr_t)address);
        fence_order_release((uintptr_t)address);
        if (memory_is_device((uintptr_t)address)) {
            grid_order_acquire((uintptr_t)address);
            grid_order_release((uintptr_t)address);
        }
    }
    seen_as(address, bytes, bytes, kind, true, pc);
}

void sim_atomic_access(const void *address, size_t bytes, size_t alignment) {
    (void)alignment;
    seen_atomic(address, bytes, ACCESS_ATOMIC, HERE);
}

/* In a kernel the loads of others, too, are ordered by it. */
void sim_atomic_load(const void *address, size_t bytes, size_t alignment) {
    (void)alignment;
    if (sim_current)
        seen_atomic(address, bytes, ACCESS_ATOMIC, HERE);
    else
        seen(address, bytes, bytes, ACCESS_READ, HERE);
}

/* A structure moves in pieces, each as large as its alignment allows a GPU. */
static void seen_in_pieces(const char *address, size_t bytes, size_t piece, enum access_kind kind,
                           const void *pc) {
    for (size_t done = 0; done < bytes; done += piece)
        seen(address + done, bytes - done < piece ? bytes - done : piece, piece, kind, pc);
}

void sim_copy_read(const void *address, size_t bytes, size_t alignment) {
    seen_in_pieces(address, bytes, alignment, ACCESS_READ, HERE);
}

void sim_copy_write(const void *address, size_t bytes, size_t alignment) {
    seen_in_pieces(address, bytes, alignment, ACCESS_WRITE, HERE);
}

/* A number that was made into a pointer to a function would lead anywhere, and a function of another type take memory of
 * its caller for its arguments. */
void sim_indirect_call(const void *function, uint64_t signature) {
    const char *what = "that is none of a device function of this file";
    const struct sim_image *image = sim_submission.image;
    for (uint64_t i = 0; i < image->function_count; i++)
        if (image->functions[i].start == function) {
            if (image->functions[i].signature == signature)
                return;
            what = "as if it were of another type";
        }
    struct finding finding = finding_new(FINDING_KERNEL_TOUCHES_HOST, HERE);
    finding_text(&finding, "calls a function by an address (0x%zx) %s", (size_t)function, what);
    finding_send(&finding);
    error_stick(cudaErrorIllegalAddress);
    block_abort();
}

/* Device code with more than a few local variables asks at the beginning of a function. */
void sim_room(void) {
    if (!sim_current || fiber_has_room())
        return;
    struct finding finding = finding_new(FINDING_OUT_OF_BOUNDS, HERE);
    finding_text(&finding,
                 "the local variables of the thread need more than the 512 KB that a GPU has for them");
    finding_send(&finding);
    error_stick(cudaErrorIllegalAddress);
    block_abort();
}

void sim_outside_variable(size_t offset, size_t bytes, size_t size) {
    struct finding finding = finding_new(FINDING_OUT_OF_BOUNDS, HERE);
    finding_text(&finding, "reaches %zu bytes at byte %lld of a variable of %zu bytes", bytes,
                 (long long)offset, size);
    finding_send(&finding);
    if (!sim_current)
        return;
    error_stick(cudaErrorIllegalAddress);
    block_abort();
}

/* ---- by the simulator's headers ---- */

/* The word of the atomic operation that is half done. Device code may call the two functions by itself: an end counts as
 * one with its beginning only where the same thread has done and waited for nothing between them. */
static struct {
    const void *address, *thread;
    size_t bytes;
    uint64_t when;
} begun;

/* Changes with every access but those to local variables, and with every barrier that the thread has passed. */
static uint64_t now(void) {
    return seen_count + (sim_current ? (uint64_t)block_warp(sim_current)->clock << 32 : 0);
}

uint64_t sim_atomic_begin(const void *address, size_t bytes) {
    uint64_t bits = 0;
    if (bytes == 0 || bytes > sizeof bits)
        bytes = sizeof bits;
    seen_atomic(address, bytes, ACCESS_ATOMIC, HERE);
    memcpy(&bits, address, bytes);
    begun.address = address;
    begun.bytes = bytes;
    begun.thread = sim_current;
    begun.when = now();
    return bits;
}

void sim_atomic_end(void *address, uint64_t bits, size_t bytes) {
    if (bytes == 0 || bytes > sizeof bits)
        bytes = sizeof bits;
    if (address != begun.address || bytes > begun.bytes || begun.thread != sim_current || begun.when != now())
        seen(address, bytes, bytes, ACCESS_WRITE, HERE);
    begun.address = NULL;
    memcpy(address, &bits, bytes);
}

/* ---- by the linker's --wrap ---- */

static void copied(void *to, const void *from, size_t bytes, const void *pc) {
    if (!bytes)
        return;
    seen(from, bytes, 1, ACCESS_READ, pc);
    seen(to, bytes, 1, ACCESS_WRITE, pc);
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
        seen(to, bytes, 1, ACCESS_WRITE, HERE);
    return memset(to, value, bytes);
}
