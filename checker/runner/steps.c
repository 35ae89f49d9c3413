/* One case: its buffers and streams are made, its steps carried out, its buffers sent back. */
#include "evidence.h"
#include "runner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void give_up(const char *text) {
    end_with_finding(FINDING_CRASH, 0, text); /* a fault of the kit or of the machine, told like any other */
}

static void make_buffers(struct running_case *running, bool poison) {
    for (uint32_t i = 0; i < running->header.buffers; i++) {
        struct buffer_spec *spec = &running->specs[i];
        wire_read(spec, sizeof *spec);
        void *content = malloc(spec->content_bytes ? spec->content_bytes : 1);
        if (content == NULL)
            give_up("There is not enough memory for this check.");
        wire_read(content, spec->content_bytes);
        running->buffers[i] = device_buffer(spec, content, poison);
        free(content);
        if (running->buffers[i] == NULL)
            give_up("There is not enough memory on the device for this check.");
        runtime_name_buffer(running->buffers[i], (int)i, spec->name, (spec->flags & BUFFER_READ_ONLY) != 0);
    }
}

static void make_streams(struct running_case *running) {
    for (uint32_t i = 0; i < running->header.streams; i++) {
        struct stream_spec spec;
        wire_read(&spec, sizeof spec);
        running->streams[i] = device_stream(spec.kind);
        runtime_name_stream(running->streams[i], (int)i);
    }
}

cudaStream_t step_stream(const struct running_case *running, const struct step *step) {
    return step->stream >= 0 && step->stream < (int32_t)running->header.streams
               ? running->streams[step->stream]
               : NULL;
}

void step_pointers(const struct running_case *running, const struct step *step, void *pointers[4]) {
    for (int i = 0; i < 4; i++) {
        const int32_t buffer = step->operand[i].buffer;
        pointers[i] = buffer >= 0 && buffer < (int32_t)running->header.buffers
                          ? (char *)running->buffers[buffer] + step->operand[i].offset
                          : NULL;
    }
}

static bool call(struct running_case *running, int index, const struct step *step) {
    struct returned returned = {.step = index};
    void *pointers[4];
    step_pointers(running, step, pointers);
    const cudaStream_t stream = step_stream(running, step);
    runtime_call_begin(index, stream);
    const bool found = call_function(step, pointers, stream, &returned);
    runtime_call_end();
    running->succeeded[index] = found && returned.value == 0;
    if (found) {
        wire_send(RECORD_RETURN, &returned, sizeof returned);
        return true;
    }
    struct finding finding = {.kind = FINDING_NO_FUNCTION, .step = index};
    snprintf(finding.text, sizeof finding.text, "Your files do not define the function %s.",
             function_name(step->function));
    wire_send(RECORD_FINDING, &finding, sizeof finding);
    return false;
}

/* Returns false when the case cannot go on. */
static bool carry_out(struct running_case *running, int index, const struct step *step) {
    void *pointers[4];
    step_pointers(running, step, pointers);
    const cudaStream_t stream = step_stream(running, step);
    switch ((enum step_kind)step->kind) {
    case STEP_CALL:
        return call(running, index, step);
    case STEP_FILL_SLOWLY:
        runtime_slow_kernel(stream);
        device_copy(pointers[0], pointers[1], (size_t)step->number[0], stream);
        break;
    case STEP_COPY:
        device_copy(pointers[0], pointers[1], (size_t)step->number[0], stream);
        break;
    case STEP_WAIT_STREAM:
        device_wait_stream(stream);
        break;
    case STEP_WAIT_DEVICE:
        device_wait();
        break;
    case STEP_FAIL:
        runtime_fail((int)step->number[0], step->number[1]);
        break;
    case STEP_SAMPLE:
        runtime_sample(step->number[0]);
        break;
    }
    return true;
}

static void send_buffers(const struct running_case *running) {
    for (uint64_t i = 0; i < running->header.buffers; i++) {
        const struct buffer_spec *spec = &running->specs[i];
        if (!(spec->flags & BUFFER_RETURN))
            continue;
        void *bytes = malloc(spec->bytes ? spec->bytes : 1);
        if (bytes == NULL)
            give_up("There is not enough memory for this check.");
        if (device_read(spec, running->buffers[i], bytes))
            wire_send_parts(RECORD_BUFFER, &i, sizeof i, bytes, spec->bytes);
        free(bytes);
    }
}

void case_perform(const struct ready *ready) {
    struct running_case running = {0};
    struct step *steps;
    wire_read(&running.header, sizeof running.header);
    if (running.header.version != PROTOCOL_VERSION || running.header.buffers > CASE_MAX_BUFFERS ||
        running.header.streams > CASE_MAX_STREAMS || running.header.steps > CASE_MAX_STEPS)
        give_up("The checker and the runner are not of one version; `make clean` and build them again.");
    const bool simulated = ready->runtime == RUNTIME_SIMULATOR; /* poisons what it allocates by itself */
    wire_seal(&running.header.key);
    running.header.key = (struct seal_key){0}; /* not a second time in memory */
    time_limit_begin(running.header.time_limit_ms, true);
    submission_case_begins(running.header.time_limit_ms);
    runtime_case_begin(running.header.seed);
    runtime_watch(running.header.watch);
    make_buffers(&running, !simulated);
    make_streams(&running);
    steps = calloc(running.header.steps + 1, sizeof *steps);
    if (steps == NULL)
        give_up("There is not enough memory for this check.");
    wire_read(steps, running.header.steps * sizeof *steps);
    for (uint32_t i = 0; i < running.header.steps && carry_out(&running, (int)i, &steps[i]); i++)
        continue;
    const char *trouble = device_wait();
    if (trouble != NULL &&
        !simulated) { /* a GPU's context is lost after an error: nothing more can be run on it */
        char text[TEXT_BYTES];
        snprintf(text, sizeof text, "A kernel failed on the device: %s.", trouble);
        end_with_finding(FINDING_CRASH, 0, text);
    }
    send_buffers(&running);
    evidence_of_case(&running, steps);
    runtime_case_end();
    time_limit_end();
    for (uint32_t i = 0; i < running.header.buffers; i++)
        device_release(&running.specs[i], running.buffers[i]);
    free(steps);
    fflush(NULL);
    wire_send(RECORD_DONE, NULL, 0);
}
