/* The device (see gpu.h). */
#include "gpu.h"
#include "base/clock.h"
#include <stdio.h>

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
    gpu.flush_bytes =
        gpu.limits.l2_bytes * 4 > ((size_t)256 << 20) ? gpu.limits.l2_bytes * 4 : (size_t)256 << 20;
    gpu_must(cudaMalloc(&gpu.flush, gpu.flush_bytes), "allocating memory to flush the L2 with");
    gpu_reset_l2();
    gpu.watch = stopwatch_open(gpu.stream);
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
                     gpu->watch.whole_device ? "events; the end is one of the whole context"
                                             : "events; the host's clock for work on other streams",
                     "marker_us", gpu->watch.marker_us);
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

void gpu_warm_up(const struct gpu *gpu) {
    const double start = clock_seconds();
    while (clock_seconds() - start < 1.0) {
        for (int i = 0; i < 20; i++)
            gpu_flush(gpu);
        gpu_must(cudaStreamSynchronize(gpu->stream), "warming up");
    }
}
