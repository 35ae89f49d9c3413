/* runtime.h without CUDA, for online_softmax. The submission is compiled with AddressSanitizer and
 * UndefinedBehaviorSanitizer; sanitizer_host.c turns what they find into findings. */
#include "runtime_host.h"
#include <malloc.h>
#include <stdio.h>
#include <string.h>

static struct {
    const char *start;
    int64_t bytes; /* asked at once: of freed memory it may not be */
    char name[NAME_BYTES];
    int index;
    bool read_only;
} buffers[CASE_MAX_BUFFERS];
static int buffer_count, current_step = -1;
static uintptr_t code_start, code_end;

int runtime_open(record_sink *sink, struct ready *ready) {
    (void)sink; /* findings go through crash.c */
    sanitizers_be_quiet();
    ready->runtime = RUNTIME_HOST;
    snprintf(ready->device, sizeof ready->device, "CPU");
    return 0;
}

void runtime_submission(void *handle, uintptr_t base, uintptr_t end, const char *path) {
    (void)handle, (void)path;
    code_start = base;
    code_end = end;
}

bool host_is_submission(uintptr_t pc) {
    return pc > code_start && pc <= code_end;
}

uintptr_t host_caller(uintptr_t pc, const uintptr_t *frame) {
    if (host_is_submission(pc))
        return pc;
    for (int depth = 0; depth < 16 && frame != NULL && ((uintptr_t)frame & 7) == 0; depth++) {
        if (host_is_submission(frame[1]))
            return frame[1];
        const uintptr_t *outer = (const uintptr_t *)frame[0];
        if (outer <= frame || (const char *)outer - (const char *)frame > 1 << 20)
            break;
        frame = outer;
    }
    return 0;
}

void runtime_case_begin(uint64_t seed) {
    (void)seed;
    buffer_count = 0;
}

void runtime_name_buffer(const void *start, int index, const char *name, int read_only) {
    buffers[buffer_count].start = start;
    buffers[buffer_count].bytes = (int64_t)malloc_usable_size((void *)start);
    buffers[buffer_count].index = index;
    buffers[buffer_count].read_only = read_only != 0;
    snprintf(buffers[buffer_count].name, NAME_BYTES, "%s", name);
    buffer_count++;
}

void host_name_place(struct finding *finding, uintptr_t address) {
    int64_t nearest = 1 << 16; /* farther away, the address has nothing to do with a buffer */
    for (int i = 0; i < buffer_count; i++) {
        const int64_t bytes = buffers[i].bytes;
        const int64_t offset = (int64_t)(address - (uintptr_t)buffers[i].start);
        const int64_t distance = offset < 0 ? -offset : offset >= bytes ? offset - bytes : 0;
        if (distance >= nearest)
            continue;
        nearest = distance;
        finding->offset = offset;
        finding->buffer_bytes = (uint64_t)bytes;
        snprintf(finding->buffer, sizeof finding->buffer, "%s", buffers[i].name);
    }
}

void runtime_name_stream(cudaStream_t stream, int index) {
    (void)stream, (void)index;
}

void runtime_call_begin(int step, cudaStream_t stream) {
    (void)stream;
    current_step = step;
}

void runtime_call_end(void) {
    current_step = -1;
}

void runtime_fail(int kind, int64_t countdown) {
    (void)kind, (void)countdown;
}

void runtime_sample(int64_t rows) {
    (void)rows;
}

void runtime_watch(unsigned what) {
    (void)what;
}

cudaError_t runtime_slow_kernel(cudaStream_t stream) {
    (void)stream;
    return cudaSuccess;
}

void runtime_case_end(void) {}

void runtime_where(struct finding *finding, uintptr_t pc) {
    finding->step = current_step;
    if (!host_is_submission(pc))
        return;
    finding->at.known = 1;
    finding->at.pc = pc - code_start;
}
