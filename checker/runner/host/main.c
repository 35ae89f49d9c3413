/* host-client: loads the library of a submission's host side, and calls its functions as the device process says, until that
 * closes the socket. Started by it, with the descriptors of conversation.h and an empty environment.
 *
 * What belongs to the device is kept free of everything, so that whoever follows such an address is stopped. */
#include "../library.h"
#include "../lockdown.h"
#include "client.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct library library;

uint64_t client_place(const void *pc) {
    const uintptr_t address = (uintptr_t)pc;
    return address > library.base && address <= library.end ? address - library.base : 0;
}

static uintptr_t caller_in_submission(uintptr_t pc, const uintptr_t *stack) {
    return library_caller(&library, pc, stack);
}

static bool device_is_touched(uintptr_t address, bool write, uintptr_t pc) {
    if (!client_is_devices(address) || wire_is_sending())
        return false;
    client_access(address, 1, write, client_place((const void *)pc));
    return true;
}

void runtime_where(struct finding *finding, uintptr_t pc) {
    finding->at.pc = client_place((const void *)pc);
}

static void map_area(const struct area *area, int protection, int flags, int descriptor) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = area->start & ~(page - 1);
    const size_t bytes = (area->start + area->bytes - start + page - 1) & ~(page - 1);
    if (mmap((void *)start, bytes, protection, flags | MAP_FIXED_NOREPLACE, descriptor, 0) != (void *)start)
        _exit(HOST_AGAIN);
}

static void map_areas(void) {
    const int nothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    map_area(&client_areas.memory, PROT_NONE, nothing, -1);
    map_area(&client_areas.device, PROT_NONE, nothing, -1);
    map_area(&client_areas.shared, PROT_READ | PROT_WRITE, MAP_SHARED, HOST_SHARED);
}

int main(void) {
    static const struct crash_hooks hooks = {.place = caller_in_submission, .named = device_is_touched};
    static char line[BUFSIZ];
    struct message message;
    setvbuf(stdout, line, _IOLBF, sizeof line);
    client_message(&message);
    map_areas();
    crash_open(&hooks);
    accesses_open();
    const char *reason = library_load(HOST_LIBRARY, &library);
    lockdown_memory();
    lockdown_user();
    closefrom(HOST_SOCKET + 1);
    lockdown(0);
    wire_send(RECORD_READY, NULL, 0); /* the areas are free */
    if (reason != NULL) {
        wire_send(RECORD_LOAD_ERROR, reason, strlen(reason));
        _exit(1);
    }
    crash_loading(true);
    library_construct(&library);
    crash_loading(false);
    calls_open(library.handle);
    wire_send(RECORD_READY, NULL, 0);
    for (;;)
        client_message(&message);
}
