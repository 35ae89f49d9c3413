/* The small interface between the runner and the CUDA runtime it is linked with: the simulator's, the
 * real one, or none (online_softmax). All else that the runner does, it does by ordinary CUDA calls. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "link/protocol.h"
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

/* Sends one record to the checker. Safe to call from a signal handler. */
typedef void record_sink(uint32_t type, const void *payload, size_t bytes);

/* Prepares the runtime; fills *ready. Returns 0, or -1 where there is no device. */
int runtime_open(record_sink *sink, struct ready *ready);

/* Tells the runtime which shared object holds the submission: its dlopen handle, the address it was
 * loaded at, the end of its code and its path. */
void runtime_submission(void *handle, uintptr_t base, uintptr_t end, const char *path);

/* A case begins: no memory, no streams, no errors. Every choice left open is drawn from seed. */
void runtime_case_begin(uint64_t seed);

/* Gives the names by which records speak of a buffer or a stream of the case. */
void runtime_name_buffer(const void *start, int index, const char *name, int read_only);
void runtime_name_stream(cudaStream_t stream, int index);

/* Between these two, what happens belongs to this step and is traced. */
void runtime_call_begin(int step, cudaStream_t stream);
void runtime_call_end(void);

/* The countdown-th following allocation or launch of the submission fails (enum fail_kind). */
void runtime_fail(int kind, int64_t countdown);

/* From here on a launch of very many blocks runs a sample of them: what so many rows need at both ends,
 * around row 65,536 and in drawn places. The simulator alone does so; a GPU runs them all. */
void runtime_sample(int64_t rows);

/* In this case, what each instruction of a kernel asks of memory is noted (enum watch). The simulator alone can. */
void runtime_watch(unsigned what);

/* Enqueues on the stream something that takes long enough for a missing dependency to show. */
cudaError_t runtime_slow_kernel(cudaStream_t stream);

/* All steps are done and the device is idle: reports kernels, traffic, allocations, waits and leaks,
 * and frees what is left. */
void runtime_case_end(void);

/* Fills in kernel, block, thread, step and pc of the submission's code that is running now; safe in a signal
 * handler. pc is the address where the signal struck, or 0. */
void runtime_where(struct finding *finding, uintptr_t pc);

#endif
