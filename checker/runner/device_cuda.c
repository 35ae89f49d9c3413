/* Buffers of a case on a real device (device.c is the simulator's). A GPU does not watch
 * accesses, so each buffer lies between two guards of a known pattern, and what must not be written is
 * compared afterwards. The pattern is a NaN in each type: what is read from a guard spoils the result.
 *
 * Under compute-sanitizer the guards are left out: the tool watches the ends of the allocations themselves.
 */
#include "runner.h"
#include "runtime_cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A buffer from this size on has no copy on the host: it begins as poison and the content at its start, and is not
 * restored, so that a case with one is not replayed (evidence_cuda.c). */
static const size_t HUGE_BYTES = (size_t)1 << 30;

enum { GUARD = 16384 }; /* bytes; a multiple of 256, so that a buffer keeps cudaMalloc's alignment */

static const uint32_t pattern = 0xffa5ffa5u;

/* Space on both sides of managed memory: more than the 4 GiB of the largest matrix, so that a matrix that
 * begins in device memory and one that begins there do not overlap, whatever their sizes. It is never
 * touched, and so takes up addresses and no memory. */
static const size_t managed_space = (size_t)9 << 29;

static struct device_image images[CASE_MAX_BUFFERS];
static char *arenas[CASE_MAX_BUFFERS];
static int image_count;

struct device_image *device_image(int buffer) {
    return &images[buffer];
}

int device_image_count(void) {
    return image_count;
}

bool device_has_huge(void) {
    for (int i = 0; i < image_count; i++)
        if (images[i].bytes == NULL)
            return true;
    return false;
}

static size_t guard_bytes(void) {
    return cuda_is_watched() ? 0 : GUARD;
}

static void *host_buffer(const struct buffer_spec *spec, const void *content, bool pinned) {
    const size_t bytes = spec->bytes ? spec->bytes : 1;
    void *memory = NULL;
    if (!pinned)
        memory = malloc(bytes);
    else if (cudaMallocHost(&memory, bytes) != cudaSuccess)
        return NULL;
    char *start = memory;
    if (start == NULL)
        return NULL;
    memcpy(start, content, spec->content_bytes);
    memset(start + spec->content_bytes, 0xff, spec->bytes - spec->content_bytes);
    return start;
}

/* Allocates the buffer's arena, with so much space at each end of it. */
static bool allocate(const struct buffer_spec *spec, size_t space, char **arena) {
    const size_t whole = spec->bytes + 2 * (guard_bytes() + space), bytes = whole ? whole : 1;
    if (spec->place != PLACE_MANAGED)
        return cudaMalloc((void **)arena, bytes) == cudaSuccess;
    return cudaMallocManaged((void **)arena, bytes, cudaMemAttachGlobal) == cudaSuccess;
}

static bool fill_huge(char *arena, const struct device_image *image, const void *content, size_t bytes) {
    static uint32_t guard[GUARD / sizeof pattern];
    for (size_t i = 0; i < sizeof guard / sizeof *guard; i++)
        guard[i] = pattern;
    char *start = arena + guard_bytes();
    return cudaMemcpy(arena, guard, guard_bytes(), cudaMemcpyHostToDevice) == cudaSuccess &&
           cudaMemcpy(start + image->size, guard, guard_bytes(), cudaMemcpyHostToDevice) == cudaSuccess &&
           cudaMemset(start, 0xff, image->size) == cudaSuccess &&
           cudaMemcpy(start, content, bytes, cudaMemcpyHostToDevice) == cudaSuccess &&
           cudaDeviceSynchronize() == cudaSuccess;
}

static bool fill(char *arena, const struct device_image *image) {
    const size_t guard = guard_bytes(), whole = image->size + 2 * guard;
    unsigned char *bytes = malloc(whole ? whole : 1);
    if (bytes == NULL)
        return false;
    for (size_t i = 0; i < guard; i += sizeof pattern) {
        memcpy(bytes + i, &pattern, sizeof pattern);
        memcpy(bytes + guard + image->size + i, &pattern, sizeof pattern);
    }
    memcpy(bytes + guard, image->bytes, image->size);
    /* From pageable memory, the last bytes may still be on their way, and other streams do not wait for them. */
    const bool good = cudaMemcpy(arena, bytes, whole, cudaMemcpyHostToDevice) == cudaSuccess &&
                      cudaDeviceSynchronize() == cudaSuccess;
    free(bytes);
    return good;
}

void *device_buffer(const struct buffer_spec *spec, const void *content, bool poison) {
    (void)poison; /* always */
    struct device_image *image = &images[image_count];
    char **arena = &arenas[image_count++];
    *image = (struct device_image){.size = spec->bytes, .flags = spec->flags};
    *arena = NULL;
    snprintf(image->name, sizeof image->name, "%s", spec->name);
    const bool huge = spec->bytes >= HUGE_BYTES && !device_is_on_host(spec);
    image->bytes = huge ? NULL : host_buffer(spec, content, false);
    if (device_is_on_host(spec) || (image->bytes == NULL && !huge))
        return host_buffer(spec, content, spec->place == PLACE_PINNED);
    size_t space = spec->place == PLACE_MANAGED ? managed_space : 0;
    bool good = allocate(spec, space, arena);
    if (!good && space > 0) { /* a system that gives no more addresses than it has memory */
        space = 0;
        good = allocate(spec, space, arena);
    }
    if (!good || !(huge ? fill_huge(*arena + space, image, content, spec->content_bytes)
                        : fill(*arena + space, image)))
        return NULL;
    image->start = *arena + space + guard_bytes();
    return image->start;
}

void device_forget(void) {
    for (int i = 0; i < image_count; i++) {
        cudaFree(arenas[i]);
        free(images[i].bytes);
        images[i].start = NULL;
    }
    image_count = 0;
}

/* ---- what was written that must not be ---- */

static void report_write(const struct device_image *image, enum finding_kind kind, int64_t offset,
                         const char *text) {
    struct finding finding = {.kind = kind,
                              .step = -1,
                              .write = 1,
                              .offset = offset,
                              .bytes = sizeof pattern,
                              .buffer_bytes = image->size};
    snprintf(finding.buffer, sizeof finding.buffer, "%s", image->name);
    snprintf(finding.text, sizeof finding.text, "%s", text);
    cuda_send(&finding);
}

static void judge_guard(const struct device_image *image, bool before) {
    static uint32_t words[GUARD / sizeof pattern];
    const int64_t offset = before ? -GUARD : (int64_t)image->size;
    if (cudaMemcpy(words, image->start + offset, GUARD, cudaMemcpyDeviceToHost) != cudaSuccess)
        return;
    const int count = GUARD / (int)sizeof pattern;
    for (int i = 0; i < count; i++) {
        const int at = before ? count - 1 - i : i; /* the one nearest to the buffer */
        if (words[at] == pattern)
            continue;
        char text[TEXT_BYTES];
        snprintf(text, sizeof text, "A kernel wrote outside of every buffer: %s %s.",
                 before ? "into the memory before" : "into the memory behind", image->name);
        report_write(image, FINDING_OUT_OF_BOUNDS, offset + at * (int64_t)sizeof pattern, text);
        return;
    }
}

static void judge_input(const struct device_image *image) {
    unsigned char *bytes = malloc(image->size);
    if (bytes != NULL && cudaMemcpy(bytes, image->start, image->size, cudaMemcpyDeviceToHost) == cudaSuccess)
        for (size_t i = 0; i < image->size; i++)
            if (bytes[i] != image->bytes[i]) {
                char text[TEXT_BYTES];
                snprintf(text, sizeof text, "%s was written, and has to be left unchanged.", image->name);
                report_write(image, FINDING_INPUT_WRITTEN, (int64_t)(i & ~(size_t)3), text);
                break;
            }
    free(bytes);
}

void device_judge(void) {
    for (int i = 0; i < image_count; i++) {
        const struct device_image *image = &images[i];
        if (image->start == NULL)
            continue;
        if (guard_bytes() > 0) {
            judge_guard(image, true);
            judge_guard(image, false);
        }
        if (image->flags & BUFFER_READ_ONLY && image->bytes != NULL)
            judge_input(image);
    }
}

void device_wait_stream(cudaStream_t stream) {
    cuda_end_if_broken(cudaStreamSynchronize(stream));
}

const char *device_wait(void) {
    cuda_end_if_broken(cudaDeviceSynchronize());
    return NULL;
}

void device_release(const struct buffer_spec *spec, void *start) {
    if (spec->place == PLACE_HOST)
        free(start);
    else if (spec->place == PLACE_PINNED)
        cudaFreeHost(start);
}
