/* The device that is measured: its limits, its clock, and errors that end the program. */
#ifndef BENCH_GPU_H
#define BENCH_GPU_H

#include "floor.h"
#include "settings.h"
#include <cuda_runtime_api.h>
#include <jansson.h>

struct gpu {
    char name[256];
    struct memory_limits limits;
    cudaStream_t stream;   /* non-blocking: what is timed runs on it */
    cudaStream_t blocking; /* calls are captured on it: default-stream work breaks the capture then */
    cudaEvent_t start, stream_end, device_end;
    bool whole_device; /* device_end can be recorded for every stream at once (driver 12.5 and later) */
    double
        marker_us; /* what the end of the whole device takes longer than the stream's, with no work between */
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

/* The clock. gpu_clock_start enqueues the start. gpu_clock_stop enqueues the ends, waits until the whole
 * device is idle, and gives the time to the end of all work on every stream and that to the end of the timed
 * stream's work. */
struct elapsed {
    double device_us, stream_us;
};
void gpu_clock_start(const struct gpu *gpu);
cudaError_t gpu_clock_stop(const struct gpu *gpu, struct elapsed *elapsed);

/* Brings the clocks of an idle device up to speed. */
void gpu_warm_up(const struct gpu *gpu);

#endif
