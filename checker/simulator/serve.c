/* What the host process asks of the CUDA runtime (cuda_calls.h), by the same functions that api_*.c and registration.c offer.
 *
 * A pointer that comes is one of the device's, or of memory that both processes have, or else the host's own: then nobody
 * follows it here, and bytes that came with the message, or will go with the answer, stand for what it points to. */
#include "serve.h"
#include "host_call/launches.h"
#include "host_memory.h"
#include "image.h"
#include "simulator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give(struct answer *answer, const void *bytes, size_t count) {
    answer->bytes = realloc(answer->bytes, answer->count + count + 1);
    memcpy(answer->bytes + answer->count, bytes, count);
    answer->count += count;
}

/* ---- copies ---- */

/* What the host's end of a copy stands for. Copies that are queued write there when their stream comes to them. */
static void **kept;
static size_t kept_count;

void serve_case_begin(void) {
    for (size_t i = 0; i < kept_count; i++)
        free(kept[i]);
    kept_count = 0;
}

static void *keep(size_t bytes) {
    void *memory = calloc(bytes + 1, 1);
    kept = realloc(kept, (kept_count + 1) * sizeof *kept);
    kept[kept_count++] = memory;
    return memory;
}

static bool is_hosts_own(uintptr_t address) {
    return address && !memory_is_device(address) && !variable_find(address) && !host_memory_holds(address);
}

/* One end of a copy: where its rows are, and how far apart. */
struct end {
    uintptr_t start;
    size_t pitch;
    size_t bytes; /* of the host's own memory: of all its rows */
};

enum { SMALL_ENOUGH = MOST_MESSAGE_BYTES / 2 };

static size_t all_bytes(size_t width, size_t rows) {
    return !rows || width <= SMALL_ENOUGH / rows ? width * rows : 0;
}

/* A copy from or to memory of both processes whose rows stay in it. */
static bool stays(uintptr_t start, size_t pitch, size_t width, size_t rows) {
    const size_t room = host_memory_start + HOST_MEMORY_BYTES - start;
    return !host_memory_holds(start) || !rows ||
           (width <= room && (rows == 1 || pitch <= (room - width) / (rows - 1)));
}

static struct end source(uint64_t start, size_t pitch, size_t width, size_t rows, const void *bytes,
                         size_t count) {
    struct end end = {stays(start, pitch, width, rows) ? start : 0, pitch, 0};
    if (!is_hosts_own(start) || pitch < width)
        return end;
    end.bytes = all_bytes(width, rows);
    end.start = end.bytes && end.bytes == count ? (uintptr_t)bytes : 0;
    end.pitch = width;
    return end;
}

static struct end destination(uint64_t start, size_t pitch, size_t width, size_t rows) {
    struct end end = {stays(start, pitch, width, rows) ? start : 0, pitch, 0};
    if (!is_hosts_own(start) || pitch < width)
        return end;
    end.bytes = all_bytes(width, rows);
    end.start = end.bytes ? (uintptr_t)keep(end.bytes) : 0;
    end.pitch = width;
    return end;
}

#define POINTER(end) (void *)(end).start
#define STREAM(word) (cudaStream_t)(uintptr_t)(word)
#define SYMBOL(word) (const void *)(uintptr_t)(word)

/* Of a copy without bytes nothing is followed. */
static struct answer serve_copy(const struct cuda_message *message, const void *bytes, size_t count) {
    const uint64_t *word = message->word;
    struct answer answer = {0};
    struct end to = {0}, from = {0};
    switch ((enum cuda_call)message->call) {
    case CUDA_cudaMemcpy:
    case CUDA_cudaMemcpyAsync:
        to = destination(word[0], word[2], word[2], 1);
        from = source(word[1], word[2], word[2], 1, bytes, count);
        answer.error = message->call == CUDA_cudaMemcpy
                           ? cudaMemcpy(POINTER(to), POINTER(from), word[2], (enum cudaMemcpyKind)word[3])
                           : cudaMemcpyAsync(POINTER(to), POINTER(from), word[2],
                                             (enum cudaMemcpyKind)word[3], STREAM(word[4]));
        break;
    case CUDA_cudaMemcpy2D:
    case CUDA_cudaMemcpy2DAsync:
        to = destination(word[0], word[1], word[4], word[5]);
        from = source(word[2], word[3], word[4], word[5], bytes, count);
        answer.error = message->call == CUDA_cudaMemcpy2D
                           ? cudaMemcpy2D(POINTER(to), to.pitch, POINTER(from), from.pitch, word[4], word[5],
                                          (enum cudaMemcpyKind)word[6])
                           : cudaMemcpy2DAsync(POINTER(to), to.pitch, POINTER(from), from.pitch, word[4],
                                               word[5], (enum cudaMemcpyKind)word[6], STREAM(word[7]));
        break;
    case CUDA_cudaMemcpyToSymbol:
    case CUDA_cudaMemcpyToSymbolAsync:
        from = source(word[1], word[2], word[2], 1, bytes, count);
        answer.error = message->call == CUDA_cudaMemcpyToSymbol
                           ? cudaMemcpyToSymbol(SYMBOL(word[0]), POINTER(from), word[2], word[3],
                                                (enum cudaMemcpyKind)word[4])
                           : cudaMemcpyToSymbolAsync(SYMBOL(word[0]), POINTER(from), word[2], word[3],
                                                     (enum cudaMemcpyKind)word[4], STREAM(word[5]));
        break;
    default:
        to = destination(word[0], word[2], word[2], 1);
        answer.error = message->call == CUDA_cudaMemcpyFromSymbol
                           ? cudaMemcpyFromSymbol(POINTER(to), SYMBOL(word[1]), word[2], word[3],
                                                  (enum cudaMemcpyKind)word[4])
                           : cudaMemcpyFromSymbolAsync(POINTER(to), SYMBOL(word[1]), word[2], word[3],
                                                       (enum cudaMemcpyKind)word[4], STREAM(word[5]));
    }
    if (answer.error == cudaSuccess && to.bytes)
        give(&answer, POINTER(to), to.bytes);
    return answer;
}

/* ---- kernels ---- */

static char *name_in(const char *bytes, size_t count) {
    return strndup(count ? bytes : "", count);
}

static const struct sim_kernel *kernel_of(uint64_t stub) {
    const struct kernel_record *record = kernel_find((const void *)(uintptr_t)stub);
    return record ? record->kernel : NULL;
}

static struct answer serve_sizes(const struct cuda_message *message) {
    struct answer answer = {0};
    const struct sim_kernel *kernel = kernel_of(message->word[0]);
    if (kernel)
        give(&answer, kernel->argument_bytes, kernel->arguments * sizeof *kernel->argument_bytes);
    return answer;
}

static struct answer serve_launch(const struct cuda_message *message, const char *bytes, size_t count,
                                  const void *place) {
    struct launch_message asked;
    struct answer answer = {.error = cudaErrorInvalidValue};
    const struct sim_kernel *kernel = kernel_of(message->word[0]);
    if (count < sizeof asked)
        return answer;
    memcpy(&asked, bytes, sizeof asked);
    const cudaLaunchConfig_t wanted = {.gridDim = {asked.grid[0], asked.grid[1], asked.grid[2]},
                                       .blockDim = {asked.block[0], asked.block[1], asked.block[2]},
                                       .dynamicSmemBytes = asked.dynamic_shared,
                                       .stream = STREAM(asked.stream)};
    const uint32_t arguments = kernel ? kernel->arguments : 0;
    void **pointers = calloc(arguments + 1, sizeof *pointers);
    size_t at = sizeof asked;
    for (uint32_t i = 0; i < arguments && at <= count; at += kernel->argument_bytes[i++])
        pointers[i] = (void *)(uintptr_t)(bytes + at);
    if (at <= count)
        answer.error = launch_asked(&(struct asked_launch){.stub = (const void *)(uintptr_t)message->word[0],
                                                           .wanted = &wanted,
                                                           .arguments = pointers,
                                                           .pc = place,
                                                           .by_stub = asked.by_stub != 0,
                                                           .refused = (cudaError_t)asked.refused});
    free(pointers);
    return answer;
}

/* ---- others ---- */

struct host_function {
    uint64_t function, argument;
};

static void run_host_function(void *queued) {
    const struct host_function *wanted = queued;
    host_process_run(wanted->function, wanted->argument);
}

static cudaError_t serve_host_function(const struct cuda_message *message) {
    struct host_function *queued = keep(sizeof *queued);
    *queued = (struct host_function){message->word[1], message->word[2]};
    return cudaLaunchHostFunc(STREAM(message->word[0]), queued->function ? run_host_function : NULL, queued);
}

/* An access that the host side is about to make, or could not make. What reaches for memory of the device ends the case: the
 * processor would refuse it. */
static void serve_access(const struct cuda_message *message, const void *place) {
    if (!access_by_host(&(struct access){.address = message->word[0],
                                         .bytes = message->word[1],
                                         .kind = message->word[2] ? ACCESS_WRITE : ACCESS_READ,
                                         .pc = place})) {
        fflush(NULL);
        _Exit(1);
    }
}

static struct answer serve_other(const struct cuda_message *message, const void *bytes, size_t count,
                                 const void *place) {
    const uint64_t *word = message->word;
    uint64_t value = 0;
    struct answer answer = {0};
    const cudaMemPool_t pool = (cudaMemPool_t)(uintptr_t)word[0];
    void *given = message->given & 4 ? &value : NULL;
    switch ((enum cuda_call)message->call) {
    case CUDA_cudaLaunchKernel:
        return serve_launch(message, bytes, count, place);
    case CUDA_argument_sizes:
        return serve_sizes(message);
    case CUDA_cudaLaunchHostFunc:
        answer.error = serve_host_function(message);
        break;
    case CUDA_cudaMemPoolSetAttribute:
        answer.error = cudaMemPoolSetAttribute(pool, (enum cudaMemPoolAttr)word[1], given);
        break;
    case CUDA_cudaMemPoolGetAttribute:
        answer.error = cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)word[1], given);
        give(&answer, &value, sizeof value);
        break;
    case CUDA_register_function:
        kernel_register((const void *)(uintptr_t)word[0], name_in(bytes, count));
        break;
    case CUDA_register_variable:
        variable_register(word[0], word[1], name_in(bytes, count));
        break;
    case CUDA_access:
        serve_access(message, place);
        break;
    default:
        answer.error = cudaErrorNotSupported;
    }
    return answer;
}

/* ---- the list ---- */

#define HOLD_IN(type, i)                                                                                     \
    type a##i;                                                                                               \
    memcpy(&a##i, &message->word[i], sizeof(a##i));
#define HOLD_OUT(type, i)                                                                                    \
    type a##i;                                                                                               \
    memset(&a##i, 0, sizeof(a##i));
#define HOLD_ALWAYS HOLD_OUT

#define PASS_IN(i) a##i
#define PASS_OUT(i) (message->given >> i & 1 ? &a##i : NULL)
#define PASS_ALWAYS PASS_OUT

#define GIVE_IN(i)
#define GIVE_OUT(i)                                                                                          \
    if (message->given >> i & 1)                                                                             \
        give(&answer, &a##i, sizeof(a##i));
#define GIVE_ALWAYS GIVE_OUT

#define CALL_0(name)                                                                                         \
    case CUDA_##name:                                                                                        \
        answer.error = name();                                                                               \
        break;
#define CALL_1(name, k0, t0)                                                                                 \
    case CUDA_##name: {                                                                                      \
        HOLD_##k0(t0, 0) answer.error = name(PASS_##k0(0));                                                  \
        GIVE_##k0(0) break;                                                                                  \
    }
#define CALL_2(name, k0, t0, k1, t1)                                                                         \
    case CUDA_##name: {                                                                                      \
        HOLD_##k0(t0, 0) HOLD_##k1(t1, 1) answer.error = name(PASS_##k0(0), PASS_##k1(1));                   \
        GIVE_##k0(0) GIVE_##k1(1) break;                                                                     \
    }
#define CALL_3(name, k0, t0, k1, t1, k2, t2)                                                                 \
    case CUDA_##name: {                                                                                      \
        HOLD_##k0(t0, 0) HOLD_##k1(t1, 1) HOLD_##k2(t2, 2) answer.error =                                    \
            name(PASS_##k0(0), PASS_##k1(1), PASS_##k2(2));                                                  \
        GIVE_##k0(0) GIVE_##k1(1) GIVE_##k2(2) break;                                                        \
    }
#define CALL_4(name, k0, t0, k1, t1, k2, t2, k3, t3)                                                         \
    case CUDA_##name: {                                                                                      \
        HOLD_##k0(t0, 0) HOLD_##k1(t1, 1) HOLD_##k2(t2, 2) HOLD_##k3(t3, 3) answer.error =                   \
            name(PASS_##k0(0), PASS_##k1(1), PASS_##k2(2), PASS_##k3(3));                                    \
        GIVE_##k0(0) GIVE_##k1(1) GIVE_##k2(2) GIVE_##k3(3) break;                                           \
    }
#define CALL_5(name, k0, t0, k1, t1, k2, t2, k3, t3, k4, t4)                                                 \
    case CUDA_##name: {                                                                                      \
        HOLD_##k0(t0, 0) HOLD_##k1(t1, 1) HOLD_##k2(t2, 2) HOLD_##k3(t3, 3) HOLD_##k4(t4, 4) answer.error =  \
            name(a0, a1, a2, a3, a4);                                                                        \
        break;                                                                                               \
    }
#define CALL_6(name, k0, t0, k1, t1, k2, t2, k3, t3, k4, t4, k5, t5)                                         \
    case CUDA_##name: {                                                                                      \
        HOLD_##k0(t0, 0) HOLD_##k1(t1, 1) HOLD_##k2(t2, 2) HOLD_##k3(t3, 3) HOLD_##k4(t4, 4)                 \
            HOLD_##k5(t5, 5) answer.error = name(a0, a1, a2, a3, a4, a5);                                    \
        break;                                                                                               \
    }
#define COPY(name) case CUDA_##name:

struct answer serve_call(const struct cuda_message *message, const void *bytes, size_t count) {
    const void *place = message->place ? (const void *)(HOST_PLACE | (message->place & 0xffffffffu)) : NULL;
    struct answer answer = {0};
    calling_place_is(place ? place : (const void *)HOST_PLACE);
    switch ((enum cuda_call)message->call) {
        CUDA_CALLS
        CUDA_COPIES
        answer = serve_copy(message, bytes, count);
        break;
    default:
        answer = serve_other(message, bytes, count, place);
    }
    calling_place_is(NULL);
    return answer;
}
