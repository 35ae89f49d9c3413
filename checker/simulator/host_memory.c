/* One range of shared memory; pieces of it are kept in a list, in the order of their addresses, and a new one takes the first
 * gap that is large enough. They are few. */
#include "host_memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_PIECES = 512, ALIGNMENT = 256 };

uintptr_t host_memory_start;
int host_memory_descriptor = -1;

static struct piece { size_t offset, bytes; } pieces[MOST_PIECES];
static int piece_count;

/* Far from where this system puts programs and their libraries, so that no other process has anything there. */
static void *const wanted_place = (void *)0x300000000000;

void host_memory_open(void) {
    host_memory_descriptor = memfd_create("host memory", MFD_CLOEXEC);
    void *start = MAP_FAILED;
    if (host_memory_descriptor >= 0 && ftruncate(host_memory_descriptor, (off_t)HOST_MEMORY_BYTES) == 0)
        start = mmap(wanted_place, HOST_MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                     host_memory_descriptor, 0);
    if (start == MAP_FAILED) {
        perror("the simulator has no memory to share with the host side");
        exit(1);
    }
    host_memory_start = (uintptr_t)start;
}

void *host_memory_take(size_t bytes) {
    size_t offset = 0;
    int place = 0;
    if (piece_count == MOST_PIECES || bytes > HOST_MEMORY_BYTES)
        return NULL;
    bytes = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    while (place < piece_count && pieces[place].offset - offset < bytes) {
        offset = pieces[place].offset + pieces[place].bytes;
        place++;
    }
    if (bytes > HOST_MEMORY_BYTES - offset)
        return NULL;
    memmove(&pieces[place + 1], &pieces[place], (size_t)(piece_count++ - place) * sizeof *pieces);
    pieces[place] = (struct piece){offset, bytes};
    return (void *)(host_memory_start + offset);
}

void host_memory_give(void *start) {
    for (int i = 0; i < piece_count; i++)
        if (host_memory_start + pieces[i].offset == (uintptr_t)start) {
            memmove(&pieces[i], &pieces[i + 1], (size_t)(--piece_count - i) * sizeof *pieces);
            return;
        }
}

bool host_memory_holds(uintptr_t address) {
    return address - host_memory_start < HOST_MEMORY_BYTES;
}
