/* The launches that the driver is asked for, by CUPTI's callbacks: also those that go past launches_cuda.c,
 * such as cuLaunchKernel by a function pointer. What the submission's launches have noted themselves is
 * crossed out; what is left when the call comes back joins the trace with the stream that it went to.
 *
 * CUPTI is a library of the CUDA Toolkit, looked for at run time. Only one program can subscribe to it: a
 * profiler or compute-sanitizer that got there first keeps it. Without it capture and replay
 * (evidence_cuda.c) still show that work is missing on the caller's stream, though not the kernel's name.
 * Source: CUPTI documentation, callback API. */
#include "runtime_cuda.h"

#if defined(__has_include)
#if __has_include(<cupti.h>)
#define HAVE_CUPTI
#endif
#endif

#ifdef HAVE_CUPTI
#include <cupti.h>
#include <dlfcn.h>
#include <stdlib.h>

enum { MAX_PENDING = 64 };

static struct driver_launch {
    const char *name; /* of the kernel, as long as its module is loaded */
    dim3 grid, block;
    size_t dynamic_shared;
    cudaStream_t stream;
} pending[MAX_PENDING];
static int pending_count;

static const CUpti_CallbackId launches[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
};

/* cuLaunchKernel and cuLaunchCooperativeKernel begin with the same parameters. */
static struct driver_launch plain_launch(const cuLaunchCooperativeKernel_params *made) {
    return (struct driver_launch){.grid = {made->gridDimX, made->gridDimY, made->gridDimZ},
                                  .block = {made->blockDimX, made->blockDimY, made->blockDimZ},
                                  .dynamic_shared = made->sharedMemBytes,
                                  .stream = made->hStream};
}

static struct driver_launch configured_launch(const CUlaunchConfig *made) {
    return (struct driver_launch){.grid = {made->gridDimX, made->gridDimY, made->gridDimZ},
                                  .block = {made->blockDimX, made->blockDimY, made->blockDimZ},
                                  .dynamic_shared = made->sharedMemBytes,
                                  .stream = made->hStream};
}

static void on_launch(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
    (void)user, (void)domain;
    const CUpti_CallbackData *call = data;
    if (!cuda_in_call() || pending_count == MAX_PENDING || call->callbackSite != CUPTI_API_EXIT ||
        *(CUresult *)call->functionReturnValue != CUDA_SUCCESS)
        return;
    struct driver_launch *launch = &pending[pending_count++];
    switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
    case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
        *launch = (struct driver_launch){
            .name = "A CUDA graph", .stream = ((const cuGraphLaunch_params *)call->functionParams)->hStream};
        return;
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
        *launch = configured_launch(((const cuLaunchKernelEx_params *)call->functionParams)->config);
        break;
    default:
        *launch = plain_launch(call->functionParams);
    }
    launch->name = call->symbolName;
}

static void *cupti_open(void) {
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

void driver_watch(void) {
    const char *wish = getenv("SOFTMAX_CUPTI");
    void *library = cuda_is_watched() || (wish != NULL && wish[0] == '0') ? NULL : cupti_open();
    if (library == NULL)
        return;
    CUptiResult (*subscribe)(CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *);
    CUptiResult (*enable)(uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain, CUpti_CallbackId);
    *(void **)&subscribe = dlsym(library, "cuptiSubscribe");
    *(void **)&enable = dlsym(library, "cuptiEnableCallback");
    CUpti_SubscriberHandle subscriber;
    if (subscribe == NULL || enable == NULL || subscribe(&subscriber, on_launch, NULL) != CUPTI_SUCCESS)
        return;
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++)
        enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, launches[i]);
}

void driver_launch_was_traced(void) {
    if (cuda_in_call() && pending_count > 0)
        pending_count--;
}

void driver_call_end(void) {
    for (int i = 0; i < pending_count; i++)
        trace_launch(launch_kernel_name(pending[i].name), pending[i].grid, pending[i].block,
                     pending[i].dynamic_shared, pending[i].stream);
    pending_count = 0;
}

#else

void driver_watch(void) {}

void driver_launch_was_traced(void) {}

void driver_call_end(void) {}

#endif
