/* The runner: what its modules offer to each other.
 *
 *   main.c      loads the submission, then one case after the other
 *   submission_*.c  how it is loaded: library.c loads it so that nothing of it runs before lockdown.c
 *   wire.c      bytes to and from the checker
 *   steps.c     carries out the steps of a case
 *   calls.c     calls the functions of the submission
 *   host_process_simulator.c  has them called in a process of its own (host/client.h)
 *   device.c    buffers (device_host.c: without CUDA; device_cuda.c: on a GPU)
 *   copies.c    streams, and copies between buffers, by ordinary CUDA calls
 *   evidence.c  what is left to show when the steps are done
 *               (evidence_cuda.c: on a GPU, by running calls again)
 *   crash.c     signals and the time limit, turned into findings
 *   wrapped.c   exit(), abort(), fork() and their kin, as the submission sees them
 *   lockdown.c  system calls that are let through, limits */
#ifndef RUNNER_H
#define RUNNER_H

#include "link/protocol.h"
#include "link/runtime.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- wire.c ---- */

/* Moves the socket to a descriptor that no one can guess. */
void wire_open(int socket);

/* The records that follow are sealed with this key and numbered from 0. */
void wire_seal(const struct seal_key *key);

/* Reads exactly so many bytes; ends the runner when the checker is gone. */
void wire_read(void *bytes, size_t count);

/* Sends one record; safe in a signal handler. The payload may come in two parts. */
void wire_send(uint32_t type, const void *payload, size_t bytes);
void wire_send_parts(uint32_t type, const void *first, size_t first_bytes, const void *second,
                     size_t second_bytes);

/* Whether a record is only half sent: then no other may be begun. */
bool wire_is_sending(void);

/* ---- device.c and copies.c; device_host.c without CUDA ---- */

/* Allocates and fills a buffer; content holds spec->content_bytes bytes. NULL: no memory. */
void *device_buffer(const struct buffer_spec *spec, const void *content, bool poison);
bool device_is_on_host(const struct buffer_spec *spec);
/* Copies a buffer's bytes back once the device is idle. */
bool device_read(const struct buffer_spec *spec, const void *start, void *bytes);
/* Gives back what the runtime does not own: buffers of the host. */
void device_release(const struct buffer_spec *spec, void *start);
cudaStream_t device_stream(uint32_t kind);
void device_copy(void *to, const void *from, size_t bytes, cudaStream_t stream);
void device_wait_stream(cudaStream_t stream);
/* Returns NULL, or what went wrong on the device. */
const char *device_wait(void);

/* ---- steps.c ---- */

/* A case that is being carried out. */
struct running_case {
    struct case_header header;
    struct buffer_spec specs[CASE_MAX_BUFFERS];
    void *buffers[CASE_MAX_BUFFERS];
    cudaStream_t streams[CASE_MAX_STREAMS];
    bool succeeded[CASE_MAX_STEPS]; /* the call of this step came back with 0 */
};

/* What a step's operands and its stream stand for. */
void step_pointers(const struct running_case *running, const struct step *step, void *pointers[4]);
cudaStream_t step_stream(const struct running_case *running, const struct step *step);

/* Reads a case, carries it out, answers. */
void case_perform(const struct ready *ready);

/* ---- submission_host.c, submission_cuda.c, submission_simulator.c ---- */

/* Loads the submission, whose library has this path; does not return when that fails. */
void submission_open(const char *path);
void submission_case_begins(uint64_t milliseconds); /* that it may take */
_Noreturn void submission_not_loaded(const char *reason);
extern const struct crash_hooks submission_hooks;

/* ---- calls.c; host_process_simulator.c where the functions are in another process ---- */

/* Where the functions are found; NULL pointers for those that the submission lacks. */
void calls_open(void *submission);

/* Calls a function with pointers made from the step's operands. Returns false when there is no such function. */
bool call_function(const struct step *step, void *const pointers[4], cudaStream_t stream,
                   struct returned *returned);

/* ---- crash.c ---- */

/* What a runner knows beyond the signal; each may be NULL. They are called in a signal handler. */
struct crash_hooks {
    uintptr_t (*place)(uintptr_t pc, const uintptr_t *stack);   /* what to name for a place in a library */
    bool (*named)(uintptr_t address, bool write, uintptr_t pc); /* an access that has a finding of its own */
    bool (*at_work)(double seconds); /* time has passed: has another process used it, or something to say? */
};
void crash_open(const struct crash_hooks *hooks);
void crash_loading(bool loading); /* while the submission is being loaded */
void time_limit_begin(uint64_t milliseconds,
                      bool by_clock); /* by processor time, and by the clock on the wall */
void time_limit_end(void);

/* Sends a finding; while the submission is being loaded, its text as the reason why that failed. */
void report_finding(const struct finding *finding);

/* Reports a finding about the code at pc, or why loading failed, and ends the runner. */
_Noreturn void end_with_finding(enum finding_kind kind, uintptr_t pc, const char *text);

#endif
