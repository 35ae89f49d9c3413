/* runtime.h on the CUDA runtime and a real device. */
#include "runtime_cuda.h"
#include "runner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STREAMS = CASE_MAX_STREAMS };

static record_sink *sink;
static int step = -1;
static cudaStream_t call_stream;
static int64_t countdown[2]; /* by enum fail_kind; 0: nothing is to fail */
static bool watched, faults;
static uintptr_t code_start, code_end;

static struct {
    cudaStream_t handle;
    int index;
} streams[MAX_STREAMS];
static int stream_count;

static int no_device(struct ready *ready, cudaError_t error) {
    snprintf(ready->device, sizeof ready->device, "There is no CUDA device that works here: %s.",
             error == cudaSuccess ? "none was found" : cudaGetErrorString(error));
    return -1;
}

/* Memory that is freed stays in the pool: each call allocates, and should not go to the driver for it. */
static void keep_pool(void) {
    cudaMemPool_t pool;
    uint64_t all = UINT64_MAX;
    if (cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess)
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
}

int runtime_open(record_sink *record, struct ready *ready) {
    sink = record;
    const char *tool = getenv("SOFTMAX_WATCHED_BY");
    watched = tool != NULL && tool[0] != '\0';
    int count = 0, driver = 0, runtime = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
        return no_device(ready, error);
    struct cudaDeviceProp properties;
    if ((error = cudaSetDevice(0)) != cudaSuccess || (error = cudaFree(NULL)) != cudaSuccess ||
        (error = cudaGetDeviceProperties(&properties, 0)) != cudaSuccess)
        return no_device(ready, error);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    keep_pool();
    driver_watch();
    ready->runtime = RUNTIME_CUDA;
    ready->device_bytes = properties.totalGlobalMem;
    snprintf(ready->device, sizeof ready->device,
             "%s (compute capability %d.%d, CUDA %d.%d, driver for CUDA %d.%d)", properties.name,
             properties.major, properties.minor, runtime / 1000, runtime % 1000 / 10, driver / 1000,
             driver % 1000 / 10);
    return 0;
}

void runtime_submission(void *handle, uintptr_t base, uintptr_t end, const char *path) {
    (void)handle, (void)path;
    code_start = base;
    code_end = end;
}

void runtime_case_begin(uint64_t seed) {
    (void)seed; /* the device makes its own choices */
    step = -1;
    countdown[FAIL_ALLOCATION] = countdown[FAIL_LAUNCH] = 0;
    stream_count = 0;
    faults = false;
    cudaGetLastError();
    trace_reset();
    launch_reset();
    memory_begin_case();
}

void runtime_name_buffer(const void *start, int index, const char *name, int read_only) {
    (void)start, (void)index, (void)name,
        (void)read_only; /* device_cuda.c has it from the buffer's specification */
}

void runtime_name_stream(cudaStream_t stream, int index) {
    if (stream_count == MAX_STREAMS)
        return;
    streams[stream_count].handle = stream;
    streams[stream_count++].index = index;
}

int32_t cuda_stream_index(cudaStream_t stream) {
    const cudaStream_t handle = stream == cudaStreamLegacy ? NULL : stream;
    for (int i = 0; i < stream_count; i++)
        if (streams[i].handle == handle)
            return streams[i].index;
    return handle == NULL ? STREAM_INDEX_DEFAULT : STREAM_INDEX_OTHER;
}

void runtime_call_begin(int number, cudaStream_t stream) {
    step = number;
    call_stream = stream;
}

void runtime_call_end(void) {
    driver_call_end();
    if (launch_is_unchecked()) {
        struct finding finding = {.kind = FINDING_UNCHECKED_ERROR, .step = step};
        snprintf(finding.text, sizeof finding.text,
                 "a launch failed and the call returned without asking cudaGetLastError()");
        cuda_send(&finding);
        launch_reset();
    }
    memory_end_call();
    step = -1;
    cudaGetLastError();
}

bool cuda_in_call(void) {
    return step >= 0;
}

int cuda_step(void) {
    return step;
}

uint32_t cuda_pc(const void *pc) {
    const uintptr_t address = (uintptr_t)pc;
    return address > code_start && address <= code_end ? (uint32_t)(address - code_start) : 0;
}

cudaStream_t cuda_call_stream(void) {
    return call_stream;
}

bool cuda_is_watched(void) {
    return watched;
}

void runtime_fail(int kind, int64_t number) {
    countdown[kind] = number;
}

void runtime_sample(int64_t rows) {
    (void)rows;
}

void runtime_watch(unsigned what) {
    (void)what;
}

bool cuda_should_fail(int kind) {
    return cuda_in_call() && countdown[kind] > 0 && --countdown[kind] == 0;
}

void cuda_send(const struct finding *finding) {
    faults |= !finding->warning;
    sink(RECORD_FINDING, finding, sizeof *finding);
}

void cuda_record(uint32_t type, const void *payload, size_t bytes) {
    sink(type, payload, bytes);
}

void runtime_case_end(void) {
    memory_end_case(!faults);
    trace_send();
    for (int i = 0; i < stream_count; i++)
        if (streams[i].handle != NULL)
            cudaStreamDestroy(streams[i].handle);
    stream_count = 0;
    device_forget();
}

void runtime_where(struct finding *finding, uintptr_t pc) {
    finding->step = step;
    if (pc <= code_start || pc > code_end)
        return;
    finding->at.known = 1;
    finding->at.pc = pc - code_start;
}

/* ---- when the device has lost its context ---- */

static enum finding_kind kind_of(cudaError_t error) {
    switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorInvalidAddressSpace:
        return FINDING_OUT_OF_BOUNDS;
    case cudaErrorMisalignedAddress:
        return FINDING_MISALIGNED;
    case cudaErrorAssert:
        return FINDING_DEVICE_ASSERT;
    case cudaErrorLaunchTimeout:
        return FINDING_ENDLESS;
    default:
        return FINDING_CRASH;
    }
}

void cuda_end_if_broken(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    char text[TEXT_BYTES];
    const char *kernels = trace_last_kernels();
    snprintf(text, sizeof text,
             "A kernel failed on the device: %s (%s).%s%.160s%s Nothing more can be run in this case. "
             "SANITIZE=memcheck names the thread and the line.",
             cudaGetErrorString(error), cudaGetErrorName(error), kernels[0] ? " It is one of " : "", kernels,
             kernels[0] ? "." : "");
    end_with_finding(kind_of(error), 0, text);
}
