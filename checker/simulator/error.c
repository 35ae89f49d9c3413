/* The error state of the CUDA runtime: the last error, and errors that break the context for good ("sticky").
 * CUDA Runtime API, "Error Handling". */
#include "simulator.h"

static cudaError_t last, sticky;
static bool launch_failed; /* and no one has asked for the last error since */

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
