/* A way to compute softmax that is timed: a value of the submission's parameter, or a baseline. */
#ifndef BENCH_VARIANT_H
#define BENCH_VARIANT_H

#include "../../exercises/matrix.h"
#include "gpu.h"
#include "workload.h"

enum { MOST_VARIANTS = 12, MOST_SLOTS = 20 };

/* A matrix that a call reads and one that it writes. Slots take turns. */
struct slot {
    matrix x, y;
    int64_t shift; /* which of the workload's matrices x holds */
};

/* One shape and type with all that is needed to time calls on it. */
struct bench_case {
    const struct settings *settings;
    const struct gpu *gpu;
    struct workload workload;
    void *base; /* the workload's base rows, on the device */
    struct slot slots[MOST_SLOTS];
    int slot_count;
    int calls;       /* in one warm sample; each takes the next slot */
    void *host_copy; /* of a matrix: page-locked */
    uint64_t random;
};

enum mode { MODE_GRAPH_WARM, MODE_GRAPH_COLD, MODE_STREAM_WARM, MODES };

enum variant_status { VARIANT_TIMED, VARIANT_TODO, VARIANT_WRONG, VARIANT_REFUSED, VARIANT_UNAVAILABLE };

struct variant {
    char name[32];
    bool submission;
    bool other;   /* of the submission that stands beside it */
    bool checked; /* its output is a softmax: not so for a copy */
    bool remote;  /* timed by another process (torch.h) */
    int parameter;
    cudaError_t (*call)(const struct variant *variant, const struct slot *slot, cudaStream_t stream);
    void *state;
    enum variant_status status;
    char *reason;              /* from malloc; null when it was timed */
    cudaGraphExec_t graphs[2]; /* by MODE_GRAPH_...: all calls over the slots in turn; one call on slot 0 */
    char *left_out[MODES];     /* why there are no times of this mode (from malloc), or null */
    double *samples[MODES];    /* microseconds for one call */
    int counts[MODES];
    double *host_us; /* what issuing a plain call took the host: one for each sample of MODE_STREAM_WARM */
    int filler_us;   /* how long the device is held before a sample */
    double worst_error;
    double hidden_us; /* the most work found after the stream's end, in one sample */
    int kernels;      /* of one call */
    int operations;   /* of one call: kernels, copies, fills, allocations and frees */
    uint64_t most_blocks, scratch_bytes;
};

/* The submission's variants, one for each value of the parameter. library: from dlopen. */
int variants_of_submission(struct variant *variants, const struct settings *settings, void *library,
                           bool other);

/* looped, copy, empty kernel, and cuDNN's softmax where its library is found. */
int variants_of_baselines(struct variant *variants);

/* Sets the status and keeps the reason (from malloc). */
void variant_give_up(struct variant *variant, enum variant_status status, char *reason);

/* Room for so many samples of each mode. */
void variant_reserve(struct variant *variant, int samples);

/* Keeps a sample, in microseconds for one call. */
void variant_keep(struct variant *variant, enum mode mode, double device_us, double host_us);

/* Drops a mode's samples, and keeps the reason (from malloc). */
void variant_leave_out(struct variant *variant, enum mode mode, char *reason);

void variant_free(struct variant *variant);

const char *mode_name(enum mode mode);  /* "graph", "stream" */
const char *cache_name(enum mode mode); /* "warm", "cold" */

#endif
