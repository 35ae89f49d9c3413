/* What the host side of a submission reads and writes. build/instrument puts a call of one of these functions before each
 * access: so one that reaches for memory of the device is named before the processor refuses it, and one to the shadow of a
 * variable of the device, which nothing refuses, is named at all. Accesses in libraries are met by crash.c. */
#include "client.h"
#define __USE_GNU_DLINFO
#include <link.h>
#include <stdio.h>
#include <string.h>

/* Variables of this program, and of it alone. */
enum { MOST_RANGES = 8 };
static struct area ranges[MOST_RANGES];
static int range_count;

static int note_program(struct dl_phdr_info *info, size_t bytes, void *argument) {
    (void)bytes, (void)argument;
    for (int i = 0; i < info->dlpi_phnum && range_count < MOST_RANGES; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_W)
            ranges[range_count++] = (struct area){info->dlpi_addr + segment->p_vaddr, segment->p_memsz};
    }
    return 1; /* the first one is the program */
}

void accesses_open(void) {
    dl_iterate_phdr(note_program, NULL);
}

/* The C library's streams may have their variables in the program, where it uses them itself. */
static bool is_standard_stream(uintptr_t address) {
    return address == (uintptr_t)&stdout || address == (uintptr_t)&stderr || address == (uintptr_t)&stdin;
}

static bool is_programs(uintptr_t address) {
    for (int i = 0; i < range_count; i++)
        if (address - ranges[i].start < ranges[i].bytes)
            return !is_standard_stream(address);
    return false;
}

/* The device process has the names of what lies there, and says what is wrong. */
void client_access(uintptr_t address, size_t bytes, bool write, uint64_t place) {
    struct request request = request_new(CUDA_access, place);
    request.message.word[0] = address;
    request.message.word[1] = bytes;
    request.message.word[2] = write;
    request_send(&request);
    request_end(&request);
}

static void seen(const void *pointer, size_t bytes, bool write, const void *pc) {
    const uintptr_t address = (uintptr_t)pointer;
    if (client_is_devices(address) || kernels_is_shadow(address))
        client_access(address, bytes, write, client_place(pc));
    else if (is_programs(address))
        end_with_finding(FINDING_FORBIDDEN, (uintptr_t)pc,
                         write ? "host code writes to variables of the checker's own"
                               : "host code reads variables of the checker's own");
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define HERE __builtin_return_address(0)

#define SEEN(name, write)                                                                                    \
    void name(const void *address, size_t bytes, size_t alignment) {                                         \
        (void)alignment;                                                                                     \
        seen(address, bytes, write, HERE);                                                                   \
    }

SEEN(sim_read, false)
SEEN(sim_write, true)
SEEN(sim_volatile_read, false)
SEEN(sim_volatile_write, true)
SEEN(sim_atomic_access, true)
SEEN(sim_atomic_load, false)
SEEN(sim_copy_read, false)
SEEN(sim_copy_write, true)

void sim_outside_variable(size_t offset, size_t bytes, size_t size) {
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "reaches %zu bytes at byte %lld of a variable of %zu bytes", bytes,
             (long long)offset, size);
    end_with_finding(FINDING_OUT_OF_BOUNDS, (uintptr_t)HERE, text);
}

/* ---- by the linker's --wrap ---- */

static void copied(const void *to, const void *from, size_t bytes, const void *pc) {
    if (!bytes)
        return;
    seen(from, bytes, false, pc);
    seen(to, bytes, true, pc);
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
        seen(to, bytes, true, HERE);
    return memset(to, value, bytes);
}
