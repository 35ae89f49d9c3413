/* Calls of the CUDA runtime that come from the host process. */
#ifndef SERVE_H
#define SERVE_H

#include "host_call/conversation.h"
#include "host_call/cuda_calls.h"

/* What a call gives back beside its error; from malloc. */
struct answer {
    cudaError_t error;
    char *bytes;
    size_t count;
};

/* Answers a call; bytes are those that came with it. Whatever a submission may have put into a message, the worst that comes
 * of it is an error or a finding. */
struct answer serve_call(const struct cuda_message *message, const void *bytes, size_t count);

/* A case begins: what copies to the host have left is no longer needed. */
void serve_case_begin(void);

/* Calls a function of the host, whose stream has come to it, in the host process (host_process_simulator.c). */
void host_process_run(uint64_t function, uint64_t argument);

#endif
