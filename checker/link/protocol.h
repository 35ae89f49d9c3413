/* What the checker and a runner say to each other over one stream socket.
 *
 * The checker sends a case: a header, the buffers with their contents, the streams, the steps. The
 * runner carries the steps out and answers with records, each as soon as it is known, so that a crash
 * loses only what came after it. RECORD_DONE ends the answer. Both programs are built from this header
 * on one machine, so structs travel as they lie in memory.
 *
 * Nothing in a case says what the right answer is. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include "exercises/exercises.h"
#include "link/seal.h"
#include <stdint.h>

enum {
    PROTOCOL_VERSION = 4,
    CASE_MAX_BUFFERS = 16,
    CASE_MAX_STREAMS = 4,
    CASE_MAX_STEPS = 64,
    NAME_BYTES = 32,
    KERNEL_NAME_BYTES = 128,
    TEXT_BYTES = 384
};

/* ---- checker to runner ---- */

enum place { PLACE_DEVICE, PLACE_MANAGED, PLACE_HOST, PLACE_PINNED /* host memory of cudaMallocHost */ };

enum buffer_flag {
    BUFFER_READ_ONLY = 1, /* no kernel may write it */
    BUFFER_RETURN = 2     /* its bytes come back when the case ends */
};

/* Followed by content_bytes bytes of content, which fill its beginning; the rest of the buffer is
 * poison that no one has written (0xFF in every byte: a NaN in each type). */
struct buffer_spec {
    char name[NAME_BYTES];
    uint32_t place, flags;
    uint64_t bytes, content_bytes;
};

enum stream_kind { STREAM_LEGACY, STREAM_BLOCKING, STREAM_NONBLOCKING };

struct stream_spec {
    uint32_t kind;
};

/* A pointer into a buffer, and what a matrix needs beside it. */
struct operand {
    int32_t buffer; /* index of a buffer, or -1 for a null pointer */
    uint32_t type;  /* cudaDataType_t */
    int64_t offset; /* bytes from the start of the buffer */
    int64_t rows, cols, pitch;
};

enum step_kind {
    STEP_CALL,        /* call a function of the submission; the call is traced */
    STEP_FILL_SLOWLY, /* on a stream: a slow kernel, then copy number[0] bytes operand[1] -> operand[0] */
    STEP_COPY,        /* on a stream: copy number[0] bytes operand[1] -> operand[0] */
    STEP_WAIT_STREAM, /* wait for a stream */
    STEP_WAIT_DEVICE, /* wait for every stream */
    STEP_FAIL,        /* let the number[1]-th (from 1) following call of kind number[0] fail */
    STEP_SAMPLE /* from here on, of launches of very many blocks, run those of a sample of number[0] rows */
};

/* What a case asks to be noted beside the traces. */
enum watch {
    WATCH_SITES = 1,  /* sums, for each instruction and piece of memory: RECORD_SITE */
    WATCH_TOUCHES = 2 /* every access of a kernel to a buffer of the case: RECORD_TOUCHES. For small shapes */
};

enum fail_kind { FAIL_ALLOCATION, FAIL_LAUNCH };

struct step {
    uint32_t kind, function;
    int32_t stream; /* index of a stream */
    uint32_t unused;
    int64_t number[4];
    double real[4];
    struct operand operand[4];
};

struct case_header {
    uint32_t version;
    uint32_t buffers, streams, steps;
    uint32_t watch, unused; /* watch: enum watch, added up; the simulator alone can */
    uint64_t seed;
    struct seal_key key;    /* of the seals on the records of the answer */
    uint64_t time_limit_ms; /* the runner reports where it was and ends itself after this long */
};

/* ---- runner to checker ---- */

enum record_type {
    RECORD_READY,      /* struct ready: the submission is loaded; sent once, before any case */
    RECORD_LOAD_ERROR, /* text: the submission could not be loaded */
    RECORD_RETURN,     /* struct returned: a STEP_CALL came back */
    RECORD_KERNEL,     /* struct kernel_trace, in the order of the launches */
    RECORD_TRAFFIC,    /* struct traffic */
    RECORD_ALLOCATION, /* struct allocation_trace */
    RECORD_WAIT,       /* struct wait_trace */
    RECORD_FINDING,    /* struct finding */
    RECORD_BUFFER,     /* uint64_t index, then the bytes of the buffer */
    RECORD_DONE,       /* empty: every step was carried out */
    RECORD_SITE,       /* struct site_trace: asked for by case_header.watch */
    RECORD_TOUCHES     /* struct touches: asked for by case_header.watch */
};

struct record_header {
    uint32_t type;
    uint32_t bytes; /* of the payload that follows */
    uint64_t seal;  /* see seal.h */
};

struct ready {
    uint32_t runtime, unused; /* enum runtime */
    char device[TEXT_BYTES];
    uint64_t device_bytes; /* memory of the GPU; 0: there is none */
};

struct returned {
    int32_t step;
    uint32_t unused;
    int64_t value;   /* the function's integer or cudaError_t */
    double max, sum; /* the function's softmax_state */
};

enum stream_index { STREAM_INDEX_DEFAULT = -1, STREAM_INDEX_OTHER = -2 };

struct kernel_trace {
    char name[KERNEL_NAME_BYTES];
    int32_t step;   /* the STEP_CALL it was launched in, or -1 */
    int32_t stream; /* index of a stream of the case, or an enum stream_index */
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared; /* bytes */
    uint64_t blocks_run, barriers, shuffles, atomics;
    uint64_t sectors_read, sectors_written; /* 32-byte sectors of global memory, counted for each warp */
    uint64_t requests, request_lanes;       /* loads and stores of a warp; lanes that took part in them */
    uint64_t bank_conflicts;                /* turns beyond the first that shared memory took */
};

/* Bytes a kernel moved to and from one buffer: counted access by access. */
struct traffic {
    uint32_t kernel;       /* index into the kernels of this answer */
    int32_t buffer;        /* index of a buffer of the case, or -1 for other memory */
    char name[NAME_BYTES]; /* of the buffer, or of the allocation ("allocation 1") */
    uint64_t bytes_read, bytes_written;
    uint64_t bytes_atomic;
    uint32_t blocks_read, blocks_written; /* how many blocks read it, and how many wrote it */
    uint64_t most_written;                /* bytes that one block wrote, at most */
};

enum touch_kind { TOUCH_READ, TOUCH_WRITE, TOUCH_ATOMIC };

/* What one instruction of a kernel asked of one piece of memory. */
struct site_trace {
    uint32_t kernel;       /* index into the kernels of this answer */
    int32_t buffer;        /* index of a buffer of the case, or -1 for other memory */
    char name[NAME_BYTES]; /* as in struct traffic; empty: shared memory */
    uint32_t kind, shared;
    uint64_t pc; /* as in a place_in_code */
    uint64_t accesses, bytes;
    uint64_t requests, lanes, sectors, bank_conflicts; /* as in struct kernel_trace */
};

/* One access of one thread to a buffer of the case. */
struct touch {
    uint32_t kernel;
    int32_t buffer;
    uint64_t offset; /* bytes from the start of the buffer */
    uint64_t pc;
    uint32_t block, thread; /* counted x first, from 0 */
    uint16_t bytes, kind;
    uint32_t unused;
};

enum { TOUCHES_IN_A_RECORD = 64, MAX_TOUCHES = 1 << 20 };

struct touches {
    uint32_t count, more; /* more: 1 where so many came after MAX_TOUCHES that they were not kept */
    struct touch touch[TOUCHES_IN_A_RECORD];
};

struct allocation_trace {
    int32_t step;
    int32_t stream;   /* where it was allocated, or STREAM_INDEX_DEFAULT for cudaMalloc */
    uint64_t bytes;   /* as asked for */
    uint32_t ordered; /* 1: cudaMallocAsync */
    uint32_t failed;  /* 1: it was made to fail */
    uint32_t freed;   /* 1: freed by the end of the call; 2: freed by a call that waits */
    int32_t freed_stream;
};

struct wait_trace {
    int32_t step;
    uint32_t pc;             /* of host code, as in a place_in_code; 0: unknown */
    char call[NAME_BYTES];   /* "cudaStreamSynchronize" */
    char reason[TEXT_BYTES]; /* "it waits for the stream" */
};

enum finding_kind {
    FINDING_OUT_OF_BOUNDS,
    FINDING_SHARED_OUT_OF_BOUNDS,
    FINDING_MISALIGNED,
    FINDING_UNINITIALISED,
    FINDING_USE_AFTER_FREE,
    FINDING_INVALID_FREE,
    FINDING_LEAK,
    FINDING_INPUT_WRITTEN,
    FINDING_HOST_TOUCHES_DEVICE,
    FINDING_KERNEL_TOUCHES_HOST,
    FINDING_RACE_BLOCK,   /* threads of one block, no barrier between them */
    FINDING_RACE_GRID,    /* blocks of one launch */
    FINDING_RACE_STREAMS, /* kernels or copies that no stream order separates */
    FINDING_SAME_VALUE,   /* a warning: several threads write one value to one place */
    FINDING_BARRIER_DIVERGED,
    FINDING_LANE_ABSENT,
    FINDING_LANE_NOT_IN_MASK,
    FINDING_WAITS_FOR_BLOCK,
    FINDING_ENDLESS,
    FINDING_BAD_LAUNCH,
    FINDING_UNCHECKED_ERROR,
    FINDING_DEVICE_ASSERT,
    FINDING_BAD_CALL, /* a CUDA call used as its manual forbids */
    FINDING_CRASH,
    FINDING_ENDED,       /* the submission ended the process */
    FINDING_UNDEFINED,   /* undefined behaviour in host code */
    FINDING_NO_FUNCTION, /* a function of the exercise is not defined */
    FINDING_UNSTABLE,    /* the same call from the same memory gave different results */
    FINDING_OFF_STREAM,  /* work that is not in the caller's stream */
    FINDING_HOST_WORK,   /* a call has the CPU do what is the kernels' work */
    FINDING_FORBIDDEN,   /* a deed that no softmax needs: a system call, a look into the checker's memory */
    FINDING_SHARED_UNINITIALISED /* shared memory that no thread of the block has written */
};

/* A thread and the instruction it was at. */
struct place_in_code {
    uint32_t known; /* 0: the fields below mean nothing */
    uint32_t block[3], thread[3];
    /* Offset into submission.so, or PC_OF_DEVICE and one into device.so, of the instruction after the call; 0: unknown. */
    uint64_t pc;
};

#define PC_OF_DEVICE ((uint64_t)1 << 63)

struct finding {
    uint32_t kind;
    uint32_t warning;               /* 1: shown, but no fault */
    int32_t step;                   /* the STEP_CALL it belongs to, or -1 */
    uint32_t write;                 /* 1: the access was a store */
    char kernel[KERNEL_NAME_BYTES]; /* empty: host code */
    struct place_in_code at;
    struct place_in_code other; /* the second access of a race, or the other barrier */
    char buffer[64];            /* name of the buffer, shared array or allocation; may be empty */
    int64_t offset;             /* bytes from the start of the buffer */
    uint64_t bytes;             /* size of the access */
    uint64_t buffer_bytes;
    char text[TEXT_BYTES]; /* one sentence: what was found */
};

#endif
