/* A library of a submission, loaded in two steps: nothing of it runs before the second. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct library {
    void *handle;        /* of dlopen */
    uintptr_t base, end; /* of its code */
    /* Addresses, without the base, of what runs when a library is loaded. */
    uint64_t init, init_array, init_array_bytes;
};

/* Loads the file that the descriptor is open for. Returns NULL, or why that failed. */
const char *library_load(int descriptor, struct library *library);

/* Runs what a library runs when it is loaded: constructors of static objects, registration of kernels. */
void library_construct(const struct library *library);

/* pc, or where that lies in no code of the library, the return address into it that is nearest on this stack; 0: none. */
uintptr_t library_caller(const struct library *library, uintptr_t pc, const uintptr_t *stack);

#endif
