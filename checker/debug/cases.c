/* Cases from the files that the checker kept, in place of the socket. The runner's modules call these functions because
 * the linker leads them here (--wrap); __real_NAME is what they called otherwise. */
#include "debug.h"
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

void __real_wire_read(void *bytes, size_t count);
void __real_wire_send(uint32_t type, const void *payload, size_t bytes);
void __real_wire_send_parts(uint32_t type, const void *first, size_t first_bytes, const void *second,
                            size_t second_bytes);
void __real_time_limit_begin(uint64_t milliseconds, bool by_clock);
void __real_runtime_case_begin(uint64_t seed);
void __real_runtime_call_begin(int step, cudaStream_t stream);
void *__real_device_buffer(const struct buffer_spec *spec, const void *content, bool poison);
bool __real_call_function(const struct step *step, void *const pointers[4], cudaStream_t stream,
                          struct returned *returned);

enum { LOOP_MS = 3000 /* after which a loop counts as one without end, where the check found one */ };

const char *cases_folder;
static FILE *file;
static int next_case, buffers, current_step;

static _Noreturn void no_more(void) {
    fflush(NULL);
    exit(0);
}

void __wrap_wire_read(void *bytes, size_t count) {
    char path[4096];
    if (cases_folder == NULL) {
        __real_wire_read(bytes, count);
        return;
    }
    for (char *to = bytes; count > 0;) {
        const size_t part = file ? fread(to, 1, count, file) : 0;
        to += part;
        count -= part;
        if (part > 0)
            continue;
        if (file)
            fclose(file);
        snprintf(path, sizeof path, "%s/case-%d", cases_folder, next_case++);
        file = fopen(path, "re");
        if (file == NULL)
            no_more();
    }
}

void __wrap_wire_send(uint32_t type, const void *payload, size_t bytes) {
    if (cases_folder == NULL)
        __real_wire_send(type, payload, bytes);
    else if (type == RECORD_FINDING)
        stop_finding(payload);
    else if (type == RECORD_LOAD_ERROR)
        fprintf(stderr, "%.*s\n", (int)bytes, (const char *)payload);
}

void __wrap_wire_send_parts(uint32_t type, const void *first, size_t first_bytes, const void *second,
                            size_t second_bytes) {
    if (cases_folder == NULL)
        __real_wire_send_parts(type, first, first_bytes, second, second_bytes);
}

/* Whoever debugs takes their time. */
void __wrap_time_limit_begin(uint64_t milliseconds, bool by_clock) {
    if (cases_folder == NULL || stop_by_clock())
        __real_time_limit_begin(cases_folder ? LOOP_MS : milliseconds, by_clock && cases_folder == NULL);
}

void __wrap_runtime_case_begin(uint64_t seed) {
    buffers = 0;
    rows_case_begins();
    stop_case_begins();
    __real_runtime_case_begin(seed);
}

void *__wrap_device_buffer(const struct buffer_spec *spec, const void *content, bool poison) {
    void *start = __real_device_buffer(spec, content, poison);
    rows_buffer(spec);
    stop_buffer(buffers++, start, spec->bytes);
    return start;
}

void __wrap_runtime_call_begin(int step, cudaStream_t stream) {
    current_step = step;
    __real_runtime_call_begin(step, stream);
}

bool __wrap_call_function(const struct step *step, void *const pointers[4], cudaStream_t stream,
                          struct returned *returned) {
    rows_call(current_step, step, pointers);
    stop_call(current_step, step->function);
    return __real_call_function(step, pointers, stream, returned);
}
