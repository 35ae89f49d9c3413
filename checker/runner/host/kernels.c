/* Kernels and variables as the host side registers them while it is loaded, and launches: the bytes of the arguments travel,
 * as many as the device side says that the kernel takes. */
#include "client.h"
#include "host_call/launches.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 1024, MOST_ARGUMENT_BYTES = 1 << 16 };

/* ---- registration ---- */

static struct area *shadows;
static size_t shadow_count;

bool kernels_is_shadow(uintptr_t address) {
    for (size_t i = 0; i < shadow_count; i++)
        if (address - shadows[i].start < shadows[i].bytes)
            return true;
    return false;
}

static void register_name(enum cuda_call call, const void *address, uint64_t bytes, const char *name) {
    struct request request = request_new(call, 0);
    request.message.word[0] = (uintptr_t)address;
    request.message.word[1] = bytes;
    request.bytes = name;
    request.byte_count = strlen(name) + 1;
    request_send(&request);
    request_end(&request);
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
    register_name(CUDA_register_function, stub, 0, name);
    return 0;
}

void __cudaRegisterVar(void **handle, char *shadow, char *device_address, const char *name, int external,
                       size_t bytes, int constant, int global) {
    (void)handle, (void)device_address, (void)external, (void)constant, (void)global;
    shadows = realloc(shadows, (shadow_count + 1) * sizeof *shadows);
    shadows[shadow_count++] = (struct area){(uintptr_t)shadow, bytes};
    register_name(CUDA_register_variable, shadow, bytes, name);
}

/* ---- launches ---- */

/* Bytes of each argument of a kernel; how many there are is returned. They are asked for once. */
static uint32_t sizes_of(const void *stub, const uint32_t **sizes) {
    static struct known {
        const void *stub;
        uint32_t count, *sizes;
    } * known;
    static size_t known_count;
    for (size_t i = 0; i < known_count; i++)
        if (known[i].stub == stub) {
            *sizes = known[i].sizes;
            return known[i].count;
        }
    uint32_t asked[MOST_ARGUMENTS] = {0};
    struct request request = request_new(CUDA_argument_sizes, 0);
    request.message.word[0] = (uintptr_t)stub;
    request_send(&request);
    const uint32_t count = (uint32_t)(request.left / sizeof *asked);
    request_take(&request, asked, count * sizeof *asked);
    request_end(&request);
    uint32_t *kept = malloc((count + 1) * sizeof *kept);
    memcpy(kept, asked, count * sizeof *kept);
    known = realloc(known, (known_count + 1) * sizeof *known);
    known[known_count++] = (struct known){stub, count, kept};
    *sizes = kept;
    return count;
}

cudaError_t launch_asked(const struct asked_launch *asked) {
    struct {
        struct launch_message launch;
        char arguments[MOST_ARGUMENT_BYTES];
    } message;
    const cudaLaunchConfig_t *wanted = asked->wanted;
    const uint32_t *sizes;
    const uint32_t count = sizes_of(asked->stub, &sizes);
    size_t bytes = 0;
    message.launch =
        (struct launch_message){.grid = {wanted->gridDim.x, wanted->gridDim.y, wanted->gridDim.z},
                                .block = {wanted->blockDim.x, wanted->blockDim.y, wanted->blockDim.z},
                                .dynamic_shared = wanted->dynamicSmemBytes,
                                .stream = (uintptr_t)wanted->stream,
                                .by_stub = asked->by_stub,
                                .refused = (int32_t)asked->refused};
    for (uint32_t i = 0; i < count && bytes + sizes[i] <= MOST_ARGUMENT_BYTES; bytes += sizes[i++])
        memcpy(message.arguments + bytes, asked->arguments[i], sizes[i]);
    struct request request = request_new(CUDA_cudaLaunchKernel, client_place(asked->pc));
    request.message.word[0] = (uintptr_t)asked->stub;
    request.bytes = &message;
    request.byte_count = sizeof message.launch + bytes;
    request_send(&request);
    return request_end(&request);
}
