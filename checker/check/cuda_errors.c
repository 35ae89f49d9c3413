/* Names of the CUDA runtime's errors that a student may meet, and what they usually mean. The numbers are
 * those of cudaError_t in the CUDA Runtime API manual. */
#include "check/cuda_errors.h"
#include "check/check.h"

struct error_entry {
    int number;
    const char *name, *means;
};

static const struct error_entry errors[] = {
    {0, "cudaSuccess", ""},
    {1, "cudaErrorInvalidValue",
     "An argument was refused: by your own validation, or by the CUDA call whose error you return."},
    {2, "cudaErrorMemoryAllocation",
     "An allocation failed: are the bytes that you ask for the right number?"},
    {9, "cudaErrorInvalidConfiguration",
     "A launch asked for what no device offers: a block of 0 or of more than 1024 threads, a grid of 0 "
     "blocks, "
     "more than 65535 blocks in y or z, or more shared memory than there is."},
    {35, "cudaErrorInsufficientDriver", "The driver is older than the CUDA runtime needs."},
    {98, "cudaErrorInvalidDeviceFunction", "The kernel was not compiled for this device."},
    {100, "cudaErrorNoDevice", "There is no CUDA device."},
    {400, "cudaErrorInvalidResourceHandle", "A stream or event was used that does not exist (any more)."},
    {600, "cudaErrorNotReady", "A query's answer: work is still going on. It is no failure of the work."},
    {700, "cudaErrorIllegalAddress", "A kernel accessed memory that is not there."},
    {701, "cudaErrorLaunchOutOfResources",
     "The launch asks for more registers or shared memory in a block than the device has."},
    {702, "cudaErrorLaunchTimeout", "A kernel ran for too long."},
    {710, "cudaErrorAssert", "An assert() in a kernel did not hold."},
    {716, "cudaErrorMisalignedAddress",
     "A wide load or store was made at an address that is no multiple of its size."},
    {719, "cudaErrorLaunchFailure", "A kernel crashed."},
    {801, "cudaErrorNotSupported", "The stub's answer: it is not written yet."},
    {900, "cudaErrorStreamCaptureUnsupported",
     "A call was made that waits, or that another stream would see."},
    {901, "cudaErrorStreamCaptureInvalidated",
     "A call was made that waits, or that another stream would see."},
    {906, "cudaErrorStreamCaptureImplicit", "Work was put on the default stream instead of the caller's."},
    {999, "cudaErrorUnknown", "The device is in a state that it does not explain."},
};

static const struct error_entry *find(int64_t error) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == error)
            return &errors[i];
    return NULL;
}

const char *cuda_error_name(struct context *context, int64_t error) {
    const struct error_entry *entry = find(error);
    return entry ? entry->name : check_text(context, "cudaError_t %lld", (long long)error);
}

const char *cuda_error_meaning(int64_t error) {
    const struct error_entry *entry = find(error);
    return entry ? entry->means
                 : "No CUDA call of this workshop returns that; is every path's return value set?";
}
