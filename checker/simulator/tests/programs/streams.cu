/* Streams and events: what is ordered, and what is not; error codes. */
#include "program.h"

__global__ void set(int *out, int value) {
    *out = value;
}

__global__ void copy_one(const int *from, int *to) {
    *to = *from;
}

static cudaStream_t stream(bool blocking) {
    cudaStream_t made;
    cudaStreamCreateWithFlags(&made, blocking ? cudaStreamDefault : cudaStreamNonBlocking);
    return made;
}

/* Sets a cell on one stream and copies it on another. */
static int set_and_copy(cudaStream_t first, cudaStream_t second, bool event) {
    int *cell = device_array<int>(1), *out = device_array<int>(1);
    set<<<1, 1, 0, first>>>(cell, 1);
    if (event) {
        cudaEvent_t done;
        cudaEventCreate(&done);
        cudaEventRecord(done, first);
        cudaStreamWaitEvent(second, done);
        cudaEventDestroy(done);
    }
    copy_one<<<1, 1, 0, second>>>(cell, out);
    cudaDeviceSynchronize();
    cudaFree(cell);
    return take(out, 0) != 1;
}

PROGRAM(one_stream) {
    cudaStream_t one = stream(false);
    return set_and_copy(one, one, false);
}

PROGRAM(two_streams) {
    set_and_copy(stream(false), stream(false), false);
    return 0;
}

PROGRAM(two_streams_with_event) {
    return set_and_copy(stream(false), stream(false), true);
}

PROGRAM(default_then_blocking) {
    return set_and_copy(0, stream(true), false);
}

PROGRAM(blocking_then_default) {
    return set_and_copy(stream(true), 0, false);
}

PROGRAM(two_blocking_streams) {
    set_and_copy(stream(true), stream(true), false);
    return 0;
}

PROGRAM(default_then_nonblocking) {
    set_and_copy(0, stream(false), false);
    return 0;
}

/* cudaStreamPerThread is a blocking stream beside the legacy default stream, and not that one itself. */
PROGRAM(per_thread_then_default) {
    return set_and_copy(cudaStreamPerThread, 0, false);
}

PROGRAM(default_then_per_thread) {
    return set_and_copy(cudaStreamLegacy, cudaStreamPerThread, false);
}

PROGRAM(per_thread_then_blocking) {
    set_and_copy(cudaStreamPerThread, stream(true), false);
    return 0;
}

PROGRAM(per_thread_lasts) {
    unsigned flags = 99;
    int wrong = cudaStreamDestroy(cudaStreamPerThread) != cudaErrorInvalidResourceHandle;
    wrong += cudaGetLastError() != cudaErrorInvalidResourceHandle;
    wrong += cudaStreamGetFlags(cudaStreamPerThread, &flags) != cudaSuccess || flags != cudaStreamDefault;
    return wrong;
}

/* ---- one variable for the work of two streams ---- */

static __constant__ int of_all_calls;

__global__ void read_variable(int *out) {
    *out = of_all_calls;
}

/* Sets the variable and has a kernel read it: first on one stream, then on another. */
static int set_variable_twice(cudaStream_t first, cudaStream_t second) {
    const int seven = 7, eight = 8;
    int *one = device_array<int>(1), *two = device_array<int>(1);
    cudaMemcpyToSymbolAsync(of_all_calls, &seven, sizeof seven, 0, cudaMemcpyHostToDevice, first);
    read_variable<<<1, 1, 0, first>>>(one);
    cudaMemcpyToSymbolAsync(of_all_calls, &eight, sizeof eight, 0, cudaMemcpyHostToDevice, second);
    read_variable<<<1, 1, 0, second>>>(two);
    cudaDeviceSynchronize();
    const int read = take(one, 0);
    return take(two, 0) != 8 || read != 7;
}

PROGRAM(variable_of_one_stream) {
    cudaStream_t one = stream(false);
    return set_variable_twice(one, one);
}

PROGRAM(variable_of_two_streams) {
    set_variable_twice(stream(false), stream(false));
    return 0;
}

/* Two halves of one word, each filled on a stream of its own. */
static int fill_halves(size_t bytes) {
    char *word;
    cudaMalloc(&word, 4);
    cudaMemsetAsync(word, 1, bytes, stream(false));
    cudaMemsetAsync(word + 2, 2, 2, stream(false));
    cudaDeviceSynchronize();
    short upper;
    cudaMemcpy(&upper, word + 2, sizeof upper, cudaMemcpyDeviceToHost);
    cudaFree(word);
    return upper != 0x0202;
}

PROGRAM(halves_filled_on_two_streams) {
    return fill_halves(2);
}

PROGRAM(word_and_half_filled_on_two_streams) {
    fill_halves(4);
    return 0;
}

/* Asking over and over waits in the end, for a stream and for an event. */
PROGRAM(loops_around_queries_end) {
    int *cell = device_array<int>(1);
    cudaStream_t one = stream(false);
    cudaEvent_t done;
    cudaEventCreate(&done);
    set<<<1, 1, 0, one>>>(cell, 1);
    int wrong = cudaStreamQuery(one) != cudaErrorNotReady;
    while (cudaStreamQuery(one) == cudaErrorNotReady)
        ;
    set<<<1, 1, 0, one>>>(cell, 2);
    cudaEventRecord(done, one);
    wrong += cudaEventQuery(done) != cudaErrorNotReady;
    while (cudaEventQuery(done) == cudaErrorNotReady)
        ;
    cudaEventDestroy(done);
    return wrong + (cudaStreamQuery(one) != cudaSuccess) + (take(cell, 0) != 2);
}

/* ---- what calls leave behind: run many times in one process ---- */

static int record_and_wait(cudaEvent_t event) {
    return cudaEventRecord(event, 0) + cudaEventSynchronize(event);
}

PROGRAM(event_left_by_each_call) {
    cudaEvent_t done;
    return cudaEventCreateWithFlags(&done, cudaEventDisableTiming) + record_and_wait(done);
}

PROGRAM(event_destroyed_by_each_call) {
    cudaEvent_t done;
    return cudaEventCreateWithFlags(&done, cudaEventDisableTiming) + record_and_wait(done) +
           cudaEventDestroy(done);
}

PROGRAM(event_kept_for_all_calls) {
    static cudaEvent_t done;
    return (done ? 0 : cudaEventCreate(&done)) + record_and_wait(done);
}

/* As many as are kept at most, each made when its turn comes. */
PROGRAM(events_kept_in_a_ring) {
    static cudaEvent_t ring[64];
    static int turn;
    cudaEvent_t *done = &ring[turn++ % 64];
    return (*done ? 0 : cudaEventCreate(done)) + record_and_wait(*done);
}

PROGRAM(stream_left_by_each_call) {
    cudaStream_t made;
    return cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
}

PROGRAM(stream_destroyed_by_each_call) {
    cudaStream_t made;
    return cudaStreamCreate(&made) + cudaStreamDestroy(made);
}

PROGRAM(wait_between) {
    cudaStream_t first = stream(false), second = stream(false);
    int *cell = device_array<int>(1), *out = device_array<int>(1);
    set<<<1, 1, 0, first>>>(cell, 1);
    cudaStreamSynchronize(first);
    copy_one<<<1, 1, 0, second>>>(cell, out);
    cudaStreamSynchronize(second);
    cudaFree(cell);
    return take(out, 0) != 1;
}

PROGRAM(event_wait_between) {
    cudaStream_t first = stream(false), second = stream(false);
    cudaEvent_t done;
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    int *cell = device_array<int>(1), *out = device_array<int>(1);
    set<<<1, 1, 0, first>>>(cell, 1);
    cudaEventRecord(done, first);
    cudaEventSynchronize(done);
    copy_one<<<1, 1, 0, second>>>(cell, out);
    cudaDeviceSynchronize();
    cudaFree(cell);
    return take(out, 0) != 1;
}

/* An event stands for its last record before the wait was issued. */
PROGRAM(event_recorded_again) {
    cudaStream_t first = stream(false), second = stream(false);
    cudaEvent_t done;
    cudaEventCreate(&done);
    int *cell = device_array<int>(1), *out = device_array<int>(1);
    cudaEventRecord(done, first);
    set<<<1, 1, 0, first>>>(cell, 1);
    cudaEventRecord(done, first);
    cudaStreamWaitEvent(second, done);
    copy_one<<<1, 1, 0, second>>>(cell, out);
    cudaDeviceSynchronize();
    cudaFree(cell);
    return take(out, 0) != 1;
}

PROGRAM(event_recorded_too_early) {
    cudaStream_t first = stream(false), second = stream(false);
    cudaEvent_t done;
    cudaEventCreate(&done);
    int *cell = device_array<int>(1), *out = device_array<int>(1);
    cudaEventRecord(done, first);
    set<<<1, 1, 0, first>>>(cell, 1);
    cudaStreamWaitEvent(second, done);
    copy_one<<<1, 1, 0, second>>>(cell, out);
    cudaDeviceSynchronize();
    return 0;
}

/* Nothing has run before somebody waits. */
PROGRAM(launches_are_deferred) {
    int *cell;
    cudaMallocManaged(&cell, sizeof *cell);
    *cell = 0;
    set<<<1, 1>>>(cell, 1);
    int before = *cell;
    cudaError_t query = cudaStreamQuery(0);
    cudaDeviceSynchronize();
    int after = *cell;
    cudaFree(cell);
    return before != 0 || after != 1 || (query != cudaSuccess && query != cudaErrorNotReady);
}

/* ---- errors ---- */

static int launch_error(dim3 grid, dim3 block, size_t shared) {
    int *cell = device_array<int>(1);
    set<<<grid, block, shared>>>(cell, 1);
    int error = cudaGetLastError(), again = cudaGetLastError();
    cudaFree(cell);
    return again == cudaSuccess ? error : -1;
}

PROGRAM(grid_of_none) {
    return launch_error(0, 1, 0) != cudaErrorInvalidConfiguration;
}

PROGRAM(grid_y_too_large) {
    return launch_error(dim3(1, 65536), 1, 0) != cudaErrorInvalidConfiguration;
}

PROGRAM(grid_z_too_large) {
    return launch_error(dim3(1, 1, 65536), 1, 0) != cudaErrorInvalidConfiguration;
}

PROGRAM(block_too_large) {
    return launch_error(1, 1025, 0) != cudaErrorInvalidConfiguration;
}

PROGRAM(block_z_too_large) {
    return launch_error(1, dim3(1, 1, 65), 0) != cudaErrorInvalidConfiguration;
}

PROGRAM(shared_too_large) {
    return launch_error(1, 1, 48 * 1024 + 1) != cudaErrorInvalidValue;
}

PROGRAM(shared_allowed) {
    int *cell = device_array<int>(1);
    cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
    set<<<1, 1, 100 * 1024>>>(cell, 1);
    return cudaGetLastError() != cudaSuccess || take(cell, 0) != 1;
}

PROGRAM(launch_error_unchecked) {
    int *cell = device_array<int>(1);
    set<<<1, 2000>>>(cell, 1);
    cudaFree(cell);
    return 0;
}

PROGRAM(errors_of_calls) {
    int value, wrong = 0;
    cudaStream_t one = stream(true);
    cudaStreamDestroy(one);
    wrong += cudaStreamSynchronize(one) != cudaErrorInvalidResourceHandle;
    wrong += cudaGetLastError() != cudaErrorInvalidResourceHandle;
    wrong += cudaGetLastError() != cudaSuccess;
    wrong += cudaSetDevice(1) != cudaErrorInvalidDevice;
    wrong += cudaPeekAtLastError() != cudaErrorInvalidDevice;
    wrong += cudaGetLastError() != cudaErrorInvalidDevice;
    wrong += cudaMalloc((void **)0, 4) != cudaErrorInvalidValue;
    wrong += cudaMemcpy(&value, &wrong, sizeof value, cudaMemcpyDeviceToDevice) != cudaErrorInvalidValue;
    int *most;
    wrong += cudaMalloc(&most, (size_t)1 << 60) != cudaErrorMemoryAllocation || most;
    cudaGetLastError();
    return wrong;
}

/* After an access that the hardware refuses, every call fails with the same error. */
PROGRAM(sticky_error) {
    int *cell = device_array<int>(1);
    set<<<1, 1>>>(cell + 1, 1);
    int wrong = cudaDeviceSynchronize() != cudaErrorIllegalAddress;
    wrong += cudaGetLastError() != cudaErrorIllegalAddress;
    wrong += cudaGetLastError() != cudaErrorIllegalAddress;
    int *more;
    return wrong + (cudaMalloc(&more, 4) != cudaErrorIllegalAddress);
}

PROGRAM(pointer_attributes) {
    int local, *device = device_array<int>(1), *managed;
    cudaMallocManaged(&managed, 4);
    cudaPointerAttributes attributes;
    int wrong = cudaPointerGetAttributes(&attributes, device) || attributes.type != cudaMemoryTypeDevice;
    wrong += cudaPointerGetAttributes(&attributes, managed) || attributes.type != cudaMemoryTypeManaged;
    wrong += cudaPointerGetAttributes(&attributes, &local) || attributes.type != cudaMemoryTypeUnregistered;
    wrong += cudaPointerGetAttributes(&attributes, nullptr) || attributes.type != cudaMemoryTypeUnregistered;
    cudaFree(device);
    cudaFree(managed);
    return wrong + cudaGetLastError();
}

__global__ void traps(int *out) {
    if (threadIdx.x == 0)
        *out = 1;
    if (threadIdx.x == 2)
        __trap();
}

PROGRAM(trap) {
    int *cell = device_array<int>(1);
    traps<<<1, 3>>>(cell);
    cudaDeviceSynchronize();
    return 0;
}
