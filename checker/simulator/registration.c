/* The binary interface between the host side of a CUDA program and its runtime: what clang's and nvcc's code calls
 * while the program is loaded, and around each launch.
 *
 * The host side names a kernel by the address of its stub and a variable by the address of its shadow. Both are
 * registered with their mangled names, by which the table of the device side (image.h) lists the real ones. What is
 * known of a kernel lasts as long as the process: cudaFuncSetAttribute in one call holds in the next. */
#include "host_call/launches.h"
#include "image.h"
#include "simulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kernel_record *records;
static size_t record_count, record_room;

/* What host code sees of a variable of the device: its name, and memory of the host that nobody else looks at. */
struct shadow {
    uintptr_t start;
    size_t bytes;
    const char *name;
};

static struct shadow *shadows;
static size_t shadow_count;

/* The record of a kernel; made where there is none, for what is said of it before it is registered. */
static struct kernel_record *record_of(const void *stub) {
    for (size_t i = 0; i < record_count; i++)
        if (records[i].stub == stub)
            return &records[i];
    if (record_count == record_room) {
        record_room = record_room ? 2 * record_room : 64;
        records = realloc(records, record_room * sizeof *records);
    }
    records[record_count] = (struct kernel_record){.stub = stub};
    return &records[record_count++];
}

struct kernel_record *kernel_find(const void *stub) {
    if (!stub)
        return NULL;
    struct kernel_record *record = record_of(stub);
    const struct sim_image *image = sim_submission.image;
    for (uint64_t i = 0; !record->kernel && record->name && image && i < image->kernel_count; i++)
        if (!strcmp(image->kernels[i].name, record->name)) {
            record->kernel = &image->kernels[i];
            symbol_function_name(record->name, record->plain_name, sizeof record->plain_name);
        }
    return record->kernel || !record->name ? record : NULL;
}

struct region *variable_of_shadow(const void *address) {
    for (size_t i = 0; i < shadow_count; i++)
        if ((uintptr_t)address - shadows[i].start < shadows[i].bytes)
            return variable_named(shadows[i].name);
    return NULL;
}

void kernel_register(const void *stub, const char *name) {
    record_of(stub)->name = name;
}

void variable_register(uintptr_t shadow, size_t bytes, const char *name) {
    shadows = realloc(shadows, (shadow_count + 1) * sizeof *shadows);
    shadows[shadow_count++] = (struct shadow){shadow, bytes, name};
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void **__cudaRegisterFatBinary(void *binary) {
    static void *handle;
    handle = binary;
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle) {
    (void)handle;
}

int __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *name,
                           int limit, void *thread, void *block, void *block_size, void *grid_size,
                           int *warp_size) {
    (void)handle, (void)device_function, (void)limit, (void)thread, (void)block, (void)block_size,
        (void)grid_size, (void)warp_size;
    kernel_register(stub, name);
    return 0;
}

void __cudaRegisterVar(void **handle, char *shadow, char *device_address, const char *name, int external,
                       size_t bytes, int constant, int global) {
    (void)handle, (void)device_address, (void)external, (void)constant, (void)global;
    variable_register((uintptr_t)shadow, bytes, name);
}

cudaError_t launch_asked(const struct asked_launch *asked) {
    if (asked->refused != cudaSuccess)
        return error_set(asked->refused);
    const cudaError_t error =
        launch_request(kernel_find(asked->stub), asked->wanted, asked->arguments, asked->pc);
    if (error != cudaSuccess && asked->by_stub) /* nobody is told: the stub returns nothing */
        error_launch_failed();
    return error_set(error);
}
