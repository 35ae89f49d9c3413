/* What the device process and the host process of a submission say to each other, over one stream socket.
 *
 * The host process runs the host side of the submission: its functions, called one at a time, and nothing else. Every call of
 * the CUDA runtime that they make is a message to the device process and an answer from it. The device process holds memory,
 * streams, kernels and all that is noted about them, and takes what it is told for what a submission may say. Both are built
 * from this header, so structures travel as they lie in memory. */
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include "link/protocol.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Descriptors of the host process: the socket, the library to load, memory of both processes. */
enum { HOST_SOCKET = 3, HOST_LIBRARY, HOST_SHARED, HOST_NO_MORE };

/* How the host process ends where an address it has to keep free is taken already. Another one will have others. */
enum { HOST_AGAIN = 75 };

enum message_kind {
    /* to the host process */
    MESSAGE_AREAS,         /* struct areas: sent once, before anything else */
    MESSAGE_CASE,          /* uint64_t: milliseconds that a case may take */
    MESSAGE_CALL,          /* struct call_message: call this function */
    MESSAGE_HOST_FUNCTION, /* struct host_function_message: its stream has come to it */
    MESSAGE_ANSWER,        /* int32_t: a cudaError_t; then what else the call gives back */
    /* to the device process */
    MESSAGE_READY,         /* the library is loaded */
    MESSAGE_LOAD_ERROR,    /* text: it is not, and why */
    MESSAGE_RETURNED,      /* struct returned_message: the function has come back */
    MESSAGE_FUNCTION_DONE, /* so has the function of MESSAGE_HOST_FUNCTION */
    MESSAGE_CUDA,          /* struct cuda_message, then bytes; wants an answer */
    MESSAGE_FINDING        /* struct finding: the host process ends with this */
};

struct message {
    uint32_t kind, unused;
    uint64_t bytes; /* of the payload that follows */
};

/* Addresses that mean the same in both processes. */
struct area {
    uint64_t start, bytes;
};

struct areas {
    struct area memory; /* of the device; nothing of it is there in the host process */
    struct area device; /* the library of the device side, with its variables; nor is this */
    struct area shared; /* pinned memory, and the host's buffers of a case */
};

struct call_message {
    struct step step;
    uint64_t pointers[4], stream;
};

struct returned_message {
    uint32_t found, unused;
    struct returned returned;
};

struct host_function_message {
    uint64_t function, argument;
};

enum { MOST_WORDS = 8, MOST_MESSAGE_BYTES = 1 << 30 };

/* A call of the runtime: enum cuda_call (cuda_calls.h), and its arguments, each in a word of its own. */
struct cuda_message {
    uint32_t call;
    uint32_t given; /* a bit for each argument that is a pointer to a result, and not null */
    uint64_t place; /* in submission.so, of the instruction after the call; 0: unknown */
    uint64_t word[MOST_WORDS];
};

/* A launch: word 0 is the stub; this, and then the bytes of the arguments one after the other. */
struct launch_message {
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared, stream;
    uint32_t by_stub; /* 1: <<<...>>>, which tells nobody whether it failed */
    int32_t refused;  /* a cudaError_t that the host side has found by itself */
};

/* All or nothing; false: the other process is gone. */
bool conversation_read(int socket, void *bytes, size_t count);
bool conversation_write(int socket, struct iovec *parts, int count);

#endif
