/* The host process: what its modules offer to each other.
 *
 *   main.c          loads the library of the host side, then calls its functions as it is told
 *   conversation.c  bytes to and from the device process
 *   client.c        calls of the CUDA runtime that need nothing but their arguments
 *   copies.c        calls that take or give memory of the host
 *   kernels.c       kernels and variables as they are registered, and launches
 *   launches.c      kernel<<<...>>>(...), up to the call that launches
 *   accesses.c      what the host side reads and writes
 *   ../calls.c, ../crash.c, ../wrapped.c, ../load.c, ../lockdown.c   as in other runners */
#ifndef CLIENT_H
#define CLIENT_H

#include "../runner.h"
#include "host_call/conversation.h"
#include "host_call/cuda_calls.h"

/* A call on its way to the device process and back. */
struct request {
    struct cuda_message message;
    const void *bytes; /* that go with it */
    size_t byte_count;
    cudaError_t error;
    size_t left; /* of the answer, to be taken */
};

#define PLACE client_place(__builtin_return_address(0))

/* An address in the submission's code as an offset into it; 0: it lies elsewhere. */
uint64_t client_place(const void *pc);
uint64_t client_place_of_frame(uintptr_t pc,
                               const uintptr_t *frame); /* the same, of the first caller that lies there */

struct request request_new(enum cuda_call call, uint64_t place);
/* Sends, and waits for the answer, of which the bytes are still to be taken. A function of the host whose stream comes to it
 * in the meantime is called. */
void request_send(struct request *request);
void request_take(struct request *request, void *bytes, size_t count); /* bytes: NULL: not wanted */
cudaError_t request_end(struct request *request);

/* Takes one message from the device process and does what it asks for. Returns false where that is an answer. */
bool client_message(struct message *message);

extern struct areas client_areas;
extern int client_socket;

/* Is there memory that means the same to the device process? Then no bytes of it travel. */
bool client_is_shared(uintptr_t address);
bool client_is_devices(uintptr_t address); /* memory or variables of the device */

/* An access of the host side, which the device process looks at. */
void client_access(uintptr_t address, size_t bytes, bool write, uint64_t place);
void accesses_open(void);

/* Where a variable of the device has its shadow. */
bool kernels_is_shadow(uintptr_t address);

#endif
