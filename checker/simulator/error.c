/* The error state of the CUDA runtime: the last error, and errors that break the context for good ("sticky").
 * CUDA Runtime API, "Error Handling". */
#include "simulator.h"

static cudaError_t last, sticky;
static bool launch_failed; /* and no one has asked for the last error since */

static const struct {
    cudaError_t error;
    const char *name, *text;
} known[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

cudaError_t error_set(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady)
        last = error;
    return error;
}

void error_stick(cudaError_t error) {
    if (sticky == cudaSuccess)
        sticky = error;
    last = sticky;
}

cudaError_t error_sticky(void) {
    return sticky;
}

void error_reset(void) {
    last = sticky = cudaSuccess;
    launch_failed = false;
}

void error_launch_failed(void) {
    launch_failed = true;
}

bool error_unchecked(void) {
    return launch_failed;
}

cudaError_t cudaGetLastError(void) {
    cudaError_t error = sticky != cudaSuccess ? sticky : last;
    last = sticky;
    launch_failed = false;
    return error;
}

cudaError_t cudaPeekAtLastError(void) {
    launch_failed = false;
    return sticky != cudaSuccess ? sticky : last;
}

const char *cudaGetErrorName(cudaError_t error) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].error == error)
            return known[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].error == error)
            return known[i].text;
    return "unrecognized error code";
}
