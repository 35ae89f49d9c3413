/* The clock (see stopwatch.h).
 *
 * The device is held by a kernel that fills every multiprocessor with its threads. So nothing that is issued
 * meanwhile can run before the clock starts, on whichever stream it is.
 *
 * The end of the time is an event recorded for the whole context, cuCtxRecordEvent: it comes after everything
 * that any stream has been given. A submission that works on a stream of its own is timed to its end all the
 * same. Where the driver is older than that, the host's clock takes its part: it is read when the device is
 * idle, and whatever it says beyond the stream's own end is added. */
#include "stopwatch.h"
#include "base/clock.h"
#include "gpu.h"
#include "kernels.h"
#include <cuda.h>
#include <string.h>

typedef CUresult record_context(CUcontext, CUevent);
static record_context *record_event_of_context;

static void find_context_event(void) {
    enum cudaDriverEntryPointQueryResult found;
    void *address = NULL;
    if (cudaGetDriverEntryPointByVersion("cuCtxRecordEvent", &address, 12050, cudaEnableDefault, &found) ==
            cudaSuccess &&
        found == cudaDriverEntryPointSuccess)
        memcpy(&record_event_of_context, &address, sizeof address);
    (void)cudaGetLastError();
}

static bool record_device(const struct stopwatch *watch) {
    /* A null context is not allowed; the runtime's is the primary one, current after any runtime call. */
    static CUcontext context;
    static CUresult (*current)(CUcontext *);
    if (record_event_of_context == NULL)
        return false;
    if (context == NULL) {
        enum cudaDriverEntryPointQueryResult found;
        void *address = NULL;
        cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &address, 4000, cudaEnableDefault, &found);
        memcpy(&current, &address, sizeof address);
        if (current == NULL || current(&context) != CUDA_SUCCESS || context == NULL)
            return false;
    }
    return record_event_of_context(context, watch->device_end) == CUDA_SUCCESS;
}

/* The smallest of a few: work hides behind no more than that. */
static void find_marker(struct stopwatch *watch) {
    enum { TRIES = 20, LONG_ENOUGH_US = 200 };
    double least = watch->whole_device ? 1e9 : 0;
    for (int i = 0; i < TRIES && watch->whole_device; i++) {
        struct elapsed elapsed = {0};
        bool ahead;
        stopwatch_hold(watch, LONG_ENOUGH_US);
        stopwatch_start(watch);
        gpu_must(kernel_empty(watch->stream), "trying the clock");
        gpu_must(stopwatch_end(watch, &ahead), "trying the clock");
        gpu_must(stopwatch_read(watch, &elapsed), "trying the clock");
        if (elapsed.device_us - elapsed.stream_us < least)
            least = elapsed.device_us - elapsed.stream_us;
    }
    watch->marker_us = least;
}

struct stopwatch stopwatch_open(cudaStream_t stream) {
    struct stopwatch watch = {.stream = stream};
    gpu_must(cudaEventCreate(&watch.start), "making an event");
    gpu_must(cudaEventCreate(&watch.stream_end), "making an event");
    gpu_must(cudaEventCreate(&watch.device_end), "making an event");
    void *held = NULL;
    gpu_must(cudaMallocHost(&held, sizeof *watch.held), "allocating page-locked memory");
    watch.held = held;
    *watch.held = 0;
    find_context_event();
    watch.whole_device = record_device(&watch) && cudaEventSynchronize(watch.device_end) == cudaSuccess;
    (void)cudaGetLastError();
    find_marker(&watch);
    return watch;
}

void stopwatch_hold(const struct stopwatch *watch, int microseconds) {
    enum { PATIENCE_SECONDS = 5 };
    const unsigned number = *watch->held + 1;
    gpu_must(kernel_hold(microseconds, watch->held, number, watch->stream), "being held");
    (void)cudaStreamQuery(watch->stream); /* some drivers keep a launch back until they are asked about it */
    (void)cudaGetLastError();
    const double deadline = clock_seconds() + PATIENCE_SECONDS;
    while (*watch->held != number)
        if (clock_seconds() > deadline)
            stop(
                "The GPU could not be held for a sample within %d seconds: other work keeps it busy. Nothing "
                "more can be measured.",
                PATIENCE_SECONDS);
}

void stopwatch_start(const struct stopwatch *watch) {
    gpu_must(cudaEventRecord(watch->start, watch->stream), "starting the clock");
}

cudaError_t stopwatch_end(const struct stopwatch *watch, bool *ahead) {
    cudaError_t error = cudaEventRecord(watch->stream_end, watch->stream);
    if (error == cudaSuccess && watch->whole_device && !record_device(watch))
        error = cudaErrorUnknown;
    *ahead = cudaEventQuery(watch->start) == cudaErrorNotReady;
    (void)cudaGetLastError(); /* "not ready" is kept as if it were an error */
    return error;
}

cudaError_t stopwatch_read(const struct stopwatch *watch, struct elapsed *elapsed) {
    float stream_ms = 0, device_ms = 0;
    cudaError_t error = cudaEventSynchronize(watch->stream_end);
    const double stream_idle = clock_seconds();
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    const double device_idle = clock_seconds();
    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&stream_ms, watch->start, watch->stream_end);
    if (error == cudaSuccess && watch->whole_device)
        error = cudaEventElapsedTime(&device_ms, watch->start, watch->device_end);
    if (error != cudaSuccess)
        return error;
    elapsed->stream_us = 1e3 * stream_ms;
    /* Waiting for an idle device takes the host some microseconds too: only what is clearly more is work. */
    const double beyond_us = 1e6 * (device_idle - stream_idle);
    elapsed->device_us =
        watch->whole_device ? 1e3 * device_ms : elapsed->stream_us + (beyond_us > 50 ? beyond_us : 0);
    elapsed->device_us -= watch->marker_us;
    if (elapsed->device_us < elapsed->stream_us)
        elapsed->device_us = elapsed->stream_us;
    return cudaSuccess;
}
