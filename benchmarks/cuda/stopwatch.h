/* The clock: the device's own time for work that is queued up before it begins.
 *
 *   stopwatch_hold    keeps the whole device busy, so that the host can issue what is timed meanwhile
 *   stopwatch_start   the clock starts when the device is free again
 *   ... what is timed is issued ...
 *   stopwatch_end     the ends; says whether the host was done before the device was free
 *   stopwatch_read    waits, and gives the time */
#ifndef BENCH_STOPWATCH_H
#define BENCH_STOPWATCH_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

struct stopwatch {
    cudaStream_t stream; /* what is timed is issued to it */
    cudaEvent_t start, stream_end, device_end;
    volatile unsigned *held; /* page-locked: the number of the last hold that has begun */
    bool whole_device;       /* device_end can be recorded for every stream at once (driver 12.5 and later) */
    double marker_us;        /* what device_end takes longer than stream_end with no work between */
};

/* For a non-blocking stream. Finds marker_us. */
struct stopwatch stopwatch_open(cudaStream_t stream);

/* Returns when the device is held: for microseconds from now on nothing begins on any stream. */
void stopwatch_hold(const struct stopwatch *watch, int microseconds);

void stopwatch_start(const struct stopwatch *watch);

/* *ahead: everything was issued, the ends with it, before the start was reached. If not, the time holds some
 * of the host's, and is none of the device's. */
cudaError_t stopwatch_end(const struct stopwatch *watch, bool *ahead);

/* Waits until the whole device is idle. */
struct elapsed {
    double device_us; /* to the end of all work on every stream */
    double stream_us; /* to the end of the timed stream's work */
};
cudaError_t stopwatch_read(const struct stopwatch *watch, struct elapsed *elapsed);

#endif
