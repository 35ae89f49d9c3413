/* What the modules of the real CUDA runtime (the files *_cuda.c) offer to each other.
 *
 *   runtime_cuda.c     runtime.h: the device, the case, the names of its streams
 *   launches_cuda.c    launches of the submission, as it makes them
 *   driver_cuda.c      launches that went past launches_cuda.c, by CUPTI
 *   memory_cuda.c      its allocations and frees
 *   waits_cuda.c       its calls that wait
 *   copies_cuda.c      its copies and fills on a stream
 *   trace_cuda.c       what all of these saw, kept until the case ends
 *   device_cuda.c      buffers with guards around them
 *   evidence_cuda.c    further runs of each call: repeated, captured into a graph, replayed
 *   compare_cuda.c     memory at different times, for these runs
 *
 * The submission is linked with --wrap for each name __wrap_NAME that these files define: its calls come
 * here, the runner's own go to CUDA. */
#ifndef RUNTIME_CUDA_H
#define RUNTIME_CUDA_H

#include "link/runtime.h"
#include <stdbool.h>

/* ---- runtime_cuda.c ---- */

/* Whether a call of the submission is running that is to be traced. */
bool cuda_in_call(void);
int cuda_step(void);
uint32_t cuda_pc(const void *pc);    /* as in a place_in_code, or 0 */
cudaStream_t cuda_call_stream(void); /* the stream that the call was given */

/* Whether compute-sanitizer watches: then memory is left bare for it, and nothing is run twice. */
bool cuda_is_watched(void);

/* Counts one launch or allocation of the submission (enum fail_kind): is this the one that is to fail? */
bool cuda_should_fail(int kind);

/* Index of a stream of the case, or an enum stream_index. */
int32_t cuda_stream_index(cudaStream_t stream);

void cuda_send(const struct finding *finding);
void cuda_record(uint32_t type, const void *payload, size_t bytes);

/* Ends the case, and the runner, when the device has lost its context. */
void cuda_end_if_broken(cudaError_t error);

/* ---- trace_cuda.c ---- */

void trace_reset(void);
void trace_launch(const char *name, dim3 grid, dim3 block, size_t dynamic_shared, cudaStream_t stream);
/* Returns the allocation's number in the trace, or -1 when no call is traced. */
int trace_allocation(size_t bytes, bool ordered, bool failed, cudaStream_t stream);
void trace_free(int allocation, bool waits, cudaStream_t stream);
void trace_wait(const char *call, const char *reason, const void *pc);
void trace_send(void);

/* Whether the trace of this step shows work on the step's own stream and nothing that waits. */
bool trace_is_plain(int step, int32_t stream);

/* Kernels launched and allocations made since counts_reset(), traced or not. */
struct counts {
    size_t kernels, allocations;
};
void counts_reset(void);
struct counts counts_now(void);

/* The kernels launched last, for a message: "partials_kernel, merge_kernel". */
const char *trace_last_kernels(void);

/* ---- launches_cuda.c ---- */

/* A launch failed and nobody has asked for the error since. Asking forgets it. */
bool launch_is_unchecked(void);
void launch_reset(void);

/* "partials_kernel<float>" for the name that the compiler gave it; NULL: "a kernel". Kept until the next
 * call. */
const char *launch_kernel_name(const char *mangled);

/* ---- driver_cuda.c ---- */

/* From now on, launches by the driver are seen, where CUPTI is found and nobody else uses it. */
void driver_watch(void);
/* launches_cuda.c has traced the launch that the driver made last. */
void driver_launch_was_traced(void);
/* The call has come back: what the driver launched and nobody traced joins the trace. */
void driver_call_end(void);

/* ---- memory_cuda.c ---- */

/* The guards behind allocations are kept from here on. */
void memory_begin_case(void);
/* A kernel is about to be launched on the stream: what the call has freed there is poisoned once more. */
void memory_before_launch(cudaStream_t stream);
/* The call has come back: what it has freed is freed now. */
void memory_end_call(void);

/* Reports what the submission has not freed, and frees it. */
void memory_end_case(bool report);

/* While a call is captured its memory is the graph's, and nobody else's to free. */
void memory_capture(bool capturing);

/* ---- device_cuda.c ---- */

/* Bytes of a buffer as the case had them at first. NULL for a buffer of the host. */
struct device_image {
    char *start; /* on the device */
    unsigned char *bytes;
    size_t size;
    uint32_t flags;
    char name[NAME_BYTES];
};
struct device_image *device_image(int buffer);
int device_image_count(void);
bool device_has_huge(void); /* a buffer is too large for a copy on the host: its image has no bytes */

/* Reports writes outside of buffers and to buffers that are not to be written. */
void device_judge(void);
void device_forget(void);

#endif
