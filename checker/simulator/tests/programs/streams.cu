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
