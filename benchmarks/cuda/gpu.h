/* The device that is measured: its limits, its L2, and errors that end the program. */
#ifndef BENCH_GPU_H
#define BENCH_GPU_H

#include "floor.h"
#include "settings.h"
#include "stopwatch.h"
#include <cuda_runtime_api.h>
#include <jansson.h>

struct gpu {
    char name[256];
    struct memory_limits limits;
    cudaStream_t stream;    /* non-blocking: what is timed runs on it */
    cudaStream_t blocking;  /* calls are captured on it: default-stream work breaks the capture then */
    struct stopwatch watch; /* of stream */
    void *flush;
    size_t flush_bytes;
};

/* Ends the program with a sentence when error is one. doing: "allocating the inputs". */
void gpu_must(cudaError_t error, const char *doing);

struct gpu gpu_open(void);
json_t *gpu_describe(const struct gpu *gpu);

/* Enqueues writing more bytes than the L2 holds. */
void gpu_flush(const struct gpu *gpu);

/* Takes back what a submission may have set aside of the L2. */
void gpu_reset_l2(void);

/* Brings the clocks of an idle device up to speed. */
void gpu_warm_up(const struct gpu *gpu);

#endif
