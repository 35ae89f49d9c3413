/* CUDA runtime calls: streams, events, waits. */
#include "simulator.h"
#include <stdlib.h>

#define CALLER calling_place(__builtin_return_address(0))

static cudaError_t make(cudaStream_t *handle, unsigned flags, const char *call, const void *pc) {
    if (!handle || flags > cudaStreamNonBlocking)
        return error_set(cudaErrorInvalidValue);
    if (error_sticky())
        return error_sticky();
    struct stream *stream = stream_create(flags != cudaStreamNonBlocking);
    if (!stream)
        return error_set(cudaErrorMemoryAllocation);
    stream->maker = handle_made(call, pc);
    *handle = (cudaStream_t)stream;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return make(stream, cudaStreamDefault, "cudaStreamCreate", CALLER);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return make(stream, flags, "cudaStreamCreateWithFlags", CALLER);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    (void)priority;
    return make(stream, flags, "cudaStreamCreateWithPriority", CALLER);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    struct stream *stream = stream_of(handle);
    if (!stream || stream->lasting)
        return error_set(cudaErrorInvalidResourceHandle);
    handle_destroyed(stream->maker);
    stream_destroy(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    runtime_trace_wait("cudaStreamSynchronize", "it waits until the stream is idle", CALLER);
    struct stream *stream = stream_of(handle);
    if (!stream)
        return error_set(cudaErrorInvalidResourceHandle);
    stream_wait(stream);
    return error_set(error_sticky());
}

/* Something is queued, and is asked for. One question waits for nothing, so what is queued stays there. Who
 * asks again and again in one call is in a loop that waits. True: that is so, and the wait is to be made. */
static bool asks_on(struct questions *questions, const char *call, const void *pc) {
    enum { PATIENCE = 3 };
    if (questions->step != runtime_step())
        *questions = (struct questions){.step = runtime_step()};
    if (questions->asked++ < PATIENCE)
        return false;
    questions->asked = 0;
    runtime_trace_wait(call, "asked again and again after cudaErrorNotReady, it is a wait", pc);
    return true;
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
    struct stream *stream = stream_of(handle);
    if (!stream)
        return error_set(cudaErrorInvalidResourceHandle);
    if (error_sticky())
        return error_sticky();
    if (!stream_idle(stream) && asks_on(&stream->questions, "cudaStreamQuery", CALLER))
        stream_wait(stream);
    return stream_idle(stream) ? error_sticky() : cudaErrorNotReady;
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags) {
    struct stream *stream = stream_of(handle);
    if (!stream || !flags)
        return error_set(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    *flags = stream->legacy || stream->blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status) {
    (void)handle;
    if (!status)
        return error_set(cudaErrorInvalidValue);
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
    runtime_trace_wait("cudaDeviceSynchronize", "it waits until the whole device is idle", CALLER);
    stream_wait_all();
    return error_set(error_sticky());
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *argument) {
    struct stream *stream = stream_of(handle);
    if (!stream || !function)
        return error_set(stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
    host_work_function(CALLER);
    struct operation *operation = stream_issue(stream, OPERATION_HOST);
    operation->host = function;
    operation->host_argument = argument;
    return cudaSuccess;
}

/* A handle may be any number. Events are never forgotten: operations that are still queued may point to one that has been
 * destroyed, and a later call may name it. */
static struct event **events;
static size_t event_count;

static struct event *event_of(cudaEvent_t handle) {
    for (size_t i = event_count; i-- > 0;)
        if (events[i] == (struct event *)handle)
            return events[i];
    return NULL;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags) {
    (void)flags;
    struct stream *stream = stream_of(handle);
    struct event *event = event_of(event_handle);
    if (!stream || !event)
        return error_set(cudaErrorInvalidResourceHandle);
    struct operation *operation = stream_issue(stream, OPERATION_WAIT);
    operation->event = event;
    operation->event_version = event->version;
    return cudaSuccess;
}

static cudaError_t make_event(cudaEvent_t *handle, unsigned flags, const char *call, const void *pc) {
    if (!handle)
        return error_set(cudaErrorInvalidValue);
    struct event *event = calloc(1, sizeof *event);
    events = realloc(events, (event_count + 1) * sizeof *events);
    events[event_count++] = event;
    event->live = true;
    event->timing = !(flags & cudaEventDisableTiming);
    event->maker = handle_made(call, pc);
    *handle = (cudaEvent_t)event;
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned flags) {
    return make_event(handle, flags, "cudaEventCreateWithFlags", CALLER);
}

cudaError_t cudaEventCreate(cudaEvent_t *handle) {
    return make_event(handle, cudaEventDefault, "cudaEventCreate", CALLER);
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
    struct stream *stream = stream_of(stream_handle);
    struct event *event = event_of(handle);
    if (!stream || !event)
        return error_set(cudaErrorInvalidResourceHandle);
    struct operation *operation = stream_issue(stream, OPERATION_RECORD);
    operation->event = event;
    operation->event_version = ++event->version;
    event->stream = stream;
    event->questions = (struct questions){.step = runtime_step()};
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    runtime_trace_wait("cudaEventSynchronize", "it waits until the event has happened", CALLER);
    struct event *event = event_of(handle);
    if (!event)
        return error_set(cudaErrorInvalidResourceHandle);
    stream_wait_event(event);
    return error_set(error_sticky());
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    struct event *event = event_of(handle);
    if (!event)
        return error_set(cudaErrorInvalidResourceHandle);
    if (error_sticky())
        return error_sticky();
    if (event->completed < event->version && asks_on(&event->questions, "cudaEventQuery", CALLER))
        stream_wait_event(event);
    return event->completed == event->version ? error_sticky() : cudaErrorNotReady;
}

/* The simulator has no clock for kernels: every interval is one microsecond. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    const struct event *first = event_of(start), *second = event_of(end);
    if (!milliseconds || !first || !second || !first->timing || !second->timing)
        return error_set(cudaErrorInvalidResourceHandle);
    if (first->completed < first->version || second->completed < second->version)
        return cudaErrorNotReady;
    *milliseconds = 0.001f;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    struct event *event = event_of(handle);
    if (!event || !event->live)
        return error_set(cudaErrorInvalidResourceHandle);
    handle_destroyed(event->maker);
    event->live = false;
    return cudaSuccess;
}
