/* The device (see gpu.h).
 *
 * The end of the time is an event recorded for the whole context, cuCtxRecordEvent: it comes after everything
 * that any stream has been given. A submission that works on a stream of its own is timed to its end all the
 * same. Where the driver is older than that, the host's clock takes its part: it is read when the device is
 * idle, and whatever it says beyond the stream's own end is added. */
#include "gpu.h"
#include "clock.h"
#include "kernels.h"
#include <cuda.h>
#include <stdio.h>
#include <string.h>

typedef CUresult record_context(CUcontext, CUevent);
static record_context *record_event_of_context;

void gpu_must(cudaError_t error, const char *doing) {
    if (error != cudaSuccess)
        stop("The GPU failed while %s: %s (%s). Nothing more can be measured.", doing,
             cudaGetErrorString(error), cudaGetErrorName(error));
}

static int attribute(enum cudaDeviceAttr which) {
    int value = 0;
    gpu_must(cudaDeviceGetAttribute(&value, which, 0), "asking for its properties");
    return value;
}

/* Data sheet arithmetic. DRAM: two transfers in a clock over the whole bus. L2: a multiprocessor takes 64
 * bytes in a clock from it, so all of them at the highest clock are more than it can give. */
static struct memory_limits find_limits(void) {
    enum { L2_BYTES_PER_CLOCK = 64, TRANSFERS = 2, BITS = 8 };
    const double memory_hertz = 1e3 * attribute(cudaDevAttrMemoryClockRate),
                 sm_hertz = 1e3 * attribute(cudaDevAttrClockRate);
    return (struct memory_limits){
        .dram_bytes_per_second = TRANSFERS * memory_hertz * attribute(cudaDevAttrGlobalMemoryBusWidth) / BITS,
        .l2_bytes_per_second =
            (double)attribute(cudaDevAttrMultiProcessorCount) * L2_BYTES_PER_CLOCK * sm_hertz,
        .l2_bytes = (uint64_t)attribute(cudaDevAttrL2CacheSize)};
}

static void find_context_event(void) {
    enum cudaDriverEntryPointQueryResult found;
    void *address = NULL;
    if (cudaGetDriverEntryPointByVersion("cuCtxRecordEvent", &address, 12050, cudaEnableDefault, &found) ==
            cudaSuccess &&
        found == cudaDriverEntryPointSuccess)
        memcpy(&record_event_of_context, &address, sizeof address);
    (void)cudaGetLastError();
}

static bool record_device(const struct gpu *gpu) {
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
    return record_event_of_context(context, gpu->device_end) == CUDA_SUCCESS;
}

/* The smallest of a few: work hides behind no more than that. */
static void find_marker(struct gpu *gpu) {
    enum { TRIES = 20, LONG_ENOUGH_US = 100 };
    double least = gpu->whole_device ? 1e9 : 0;
    for (int i = 0; i < TRIES && gpu->whole_device; i++) {
        struct elapsed elapsed = {0};
        gpu_must(kernel_delay(LONG_ENOUGH_US, gpu->stream), "trying the clock");
        gpu_clock_start(gpu);
        gpu_must(kernel_empty(gpu->stream), "trying the clock");
        gpu_must(gpu_clock_stop(gpu, &elapsed), "trying the clock");
        if (elapsed.device_us - elapsed.stream_us < least)
            least = elapsed.device_us - elapsed.stream_us;
    }
    gpu->marker_us = least;
}

struct gpu gpu_open(void) {
    struct gpu gpu = {0};
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
        stop("No NVIDIA GPU was found (%s). Without RUNTIME=cuda the simulator counts.",
             cudaGetErrorString(cudaGetLastError()));
    gpu_must(cudaSetDevice(0), "being opened");
    struct cudaDeviceProp properties;
    gpu_must(cudaGetDeviceProperties(&properties, 0), "asking for its properties");
    snprintf(gpu.name, sizeof gpu.name, "%s", properties.name);
    gpu.limits = find_limits();
    gpu_must(cudaStreamCreateWithFlags(&gpu.stream, cudaStreamNonBlocking), "making a stream");
    gpu_must(cudaStreamCreate(&gpu.blocking), "making a stream");
    gpu_must(cudaEventCreate(&gpu.start), "making an event");
    gpu_must(cudaEventCreate(&gpu.stream_end), "making an event");
    gpu_must(cudaEventCreate(&gpu.device_end), "making an event");
    gpu.flush_bytes =
        gpu.limits.l2_bytes * 4 > ((size_t)256 << 20) ? gpu.limits.l2_bytes * 4 : (size_t)256 << 20;
    gpu_must(cudaMalloc(&gpu.flush, gpu.flush_bytes), "allocating memory to flush the L2 with");
    find_context_event();
    gpu.whole_device = record_device(&gpu) && cudaEventSynchronize(gpu.device_end) == cudaSuccess;
    (void)cudaGetLastError();
    gpu_reset_l2();
    find_marker(&gpu);
    return gpu;
}

json_t *gpu_describe(const struct gpu *gpu) {
    int runtime = 0, driver = 0;
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    return json_pack("{s:s, s:i, s:f, s:f, s:I, s:i, s:i, s:I, s:s, s:f}", "name", gpu->name,
                     "multiprocessors", attribute(cudaDevAttrMultiProcessorCount),
                     "dram_peak_bytes_per_second", gpu->limits.dram_bytes_per_second,
                     "l2_peak_bytes_per_second", gpu->limits.l2_bytes_per_second, "l2_bytes",
                     (json_int_t)gpu->limits.l2_bytes, "cuda_runtime", runtime, "cuda_driver", driver,
                     "flush_bytes", (json_int_t)gpu->flush_bytes, "clock",
                     gpu->whole_device ? "events; the end is one of the whole context"
                                       : "events; the host's clock for work on other streams",
                     "marker_us", gpu->marker_us);
}

void gpu_flush(const struct gpu *gpu) {
    static int value;
    gpu_must(cudaMemsetAsync(gpu->flush, ++value & 0xff, gpu->flush_bytes, gpu->stream), "flushing the L2");
}

void gpu_reset_l2(void) {
    (void)cudaCtxResetPersistingL2Cache(); /* not every device has it */
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
    (void)cudaGetLastError();
}

void gpu_clock_start(const struct gpu *gpu) {
    gpu_must(cudaEventRecord(gpu->start, gpu->stream), "starting the clock");
}

cudaError_t gpu_clock_stop(const struct gpu *gpu, struct elapsed *elapsed) {
    float stream_ms = 0, device_ms = 0;
    cudaError_t error = cudaEventRecord(gpu->stream_end, gpu->stream);
    const bool whole = gpu->whole_device && error == cudaSuccess && record_device(gpu);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(gpu->stream_end);
    const double stream_idle = clock_seconds();
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    const double device_idle = clock_seconds();
    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&stream_ms, gpu->start, gpu->stream_end);
    if (error == cudaSuccess && whole)
        error = cudaEventElapsedTime(&device_ms, gpu->start, gpu->device_end);
    if (error != cudaSuccess)
        return error;
    elapsed->stream_us = 1e3 * stream_ms;
    /* Waiting for an idle device takes the host some microseconds too: only what is clearly more is work. */
    const double beyond_us = 1e6 * (device_idle - stream_idle);
    elapsed->device_us = whole ? 1e3 * device_ms : elapsed->stream_us + (beyond_us > 50 ? beyond_us : 0);
    elapsed->device_us -= gpu->marker_us;
    if (elapsed->device_us < elapsed->stream_us)
        elapsed->device_us = elapsed->stream_us;
    return cudaSuccess;
}

void gpu_warm_up(const struct gpu *gpu) {
    const double start = clock_seconds();
    while (clock_seconds() - start < 1.0) {
        for (int i = 0; i < 20; i++)
            gpu_flush(gpu);
        gpu_must(cudaStreamSynchronize(gpu->stream), "warming up");
    }
}
