/* Further runs of each call on a real device, where nothing watches single accesses:
 *
 *   repeated   three times from the same memory. Results that differ come from a race, or from atomics whose
 * order is free; how far they are apart tells which. captured   into a CUDA graph, from a blocking stream and
 * in global mode, where a launch or copy on the default stream, a plain allocation and every wait end the
 * capture with an error. replayed   the graph, on new input and into poison. What the call had done on
 * another stream is in no capture, so what it should have written is missing.
 *
 * A call whose trace already shows such a thing is left to the suite, and so is a case with failures put in.
 * Memory that is compared (compare_cuda.c) is all that the case may write. */
#include "compare_cuda.h"
#include "evidence.h"
#include "runtime_cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3 };

/* One call and the memory of its case. */
struct subject {
    const struct running_case *running;
    const struct step *step;
    int index;
    cudaStream_t stream;
};

static bool call_again(const struct subject *subject, cudaStream_t stream) {
    struct returned returned = {0};
    void *pointers[4];
    step_pointers(subject->running, subject->step, pointers);
    const bool good =
        call_function(subject->step, pointers, stream, &returned) && returned.value == cudaSuccess;
    memory_end_call();
    cudaGetLastError();
    return good;
}

static void report(const struct subject *subject, enum finding_kind kind, bool warning, const char *text) {
    struct finding finding = {.kind = kind, .warning = warning, .step = subject->index};
    snprintf(finding.text, sizeof finding.text, "%s", text);
    cuda_send(&finding);
}

/* ---- repeated ---- */

/* Returns whether the runs agreed well enough to go on. */
static bool repeat(const struct subject *subject) {
    struct snapshot *runs[RUNS] = {NULL};
    bool agree = true;
    for (int i = 0; i < RUNS && agree; i++) {
        images_restore(false, subject->step);
        call_again(subject, subject->stream);
        cuda_end_if_broken(cudaDeviceSynchronize());
        runs[i] = snapshot_take();
        struct difference difference;
        if (i == 0 || !snapshots_differ(runs[0], runs[i], subject->step, &difference))
            continue;
        char text[TEXT_BYTES];
        snprintf(text, sizeof text,
                 "%s gave different results in %d runs from the same memory: element %lld of %s was %.9g, "
                 "then %.9g (%zu "
                 "elements differ).%s",
                 function_name(subject->step->function), i + 1, (long long)difference.element,
                 difference.buffer, difference.first, difference.second, difference.count,
                 difference.far_apart ? "" : " Sums in an order that changes, as with atomics, can do that.");
        report(subject, FINDING_UNSTABLE, !difference.far_apart, text);
        agree = false;
    }
    for (int i = 0; i < RUNS; i++)
        snapshot_free(runs[i]);
    return agree;
}

/* ---- captured ---- */

static void judge_capture(const struct subject *subject, cudaError_t error) {
    char text[TEXT_BYTES];
    snprintf(text, sizeof text,
             "%s cannot be captured into a CUDA graph: %s (%s). Something in it waits, allocates with "
             "cudaMalloc, or uses "
             "the default stream, by a way that the trace does not show.",
             function_name(subject->step->function), cudaGetErrorString(error), cudaGetErrorName(error));
    report(subject, FINDING_OFF_STREAM, false, text);
}

static size_t count_nodes(cudaGraph_t graph, enum cudaGraphNodeType wanted) {
    size_t count = 0, found = 0;
    cudaGraphNode_t *nodes;
    if (cudaGraphGetNodes(graph, NULL, &count) != cudaSuccess ||
        (nodes = calloc(count + 1, sizeof *nodes)) == NULL)
        return 0;
    if (cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess)
        for (size_t i = 0; i < count; i++) {
            enum cudaGraphNodeType type;
            found += cudaGraphNodeGetType(nodes[i], &type) == cudaSuccess && type == wanted;
        }
    free(nodes);
    return found;
}

/* The trace and the graph have to tell of the same launches. */
static bool judge_nodes(const struct subject *subject, cudaGraph_t graph, struct counts traced) {
    const size_t kernels = count_nodes(graph, cudaGraphNodeTypeKernel);
    const size_t allocations = count_nodes(graph, cudaGraphNodeTypeMemAlloc);
    if (kernels == traced.kernels && allocations == traced.allocations)
        return true;
    const bool more = kernels > traced.kernels || allocations > traced.allocations;
    char text[TEXT_BYTES];
    snprintf(
        text, sizeof text,
        "%s launched %zu kernels and made %zu allocations that the runner knows of, but captured into a CUDA "
        "graph there are %zu and %zu: %s.",
        function_name(subject->step->function), traced.kernels, traced.allocations, kernels, allocations,
        more ? "the others were made by a way past CUDA's runtime"
             : "the others went past the caller's stream");
    report(subject, FINDING_OFF_STREAM, false, text);
    return false;
}

/* Returns the graph, or NULL when something was reported. */
static cudaGraph_t capture(const struct subject *subject, cudaStream_t stream) {
    cudaGraph_t graph = NULL;
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess)
        return NULL;
    memory_capture(true);
    counts_reset();
    const bool good = call_again(subject, stream);
    const struct counts traced = counts_now();
    memory_capture(false);
    const cudaError_t error = cudaStreamEndCapture(stream, &graph);
    cudaGetLastError();
    if (error != cudaSuccess || !good)
        judge_capture(subject, error != cudaSuccess ? error : cudaErrorStreamCaptureInvalidated);
    else if (judge_nodes(subject, graph, traced))
        return graph;
    if (graph != NULL)
        cudaGraphDestroy(graph);
    return NULL;
}

/* ---- replayed ---- */

static void replay(const struct subject *subject, cudaGraph_t graph, cudaStream_t stream) {
    cudaGraphExec_t ready = NULL;
    images_restore(true, subject->step);
    call_again(subject, subject->stream);
    cuda_end_if_broken(cudaDeviceSynchronize());
    struct snapshot *direct = snapshot_take();

    images_restore(true, subject->step);
    if (cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess) {
        cudaGraphLaunch(ready, stream);
        cuda_end_if_broken(cudaDeviceSynchronize());
        struct snapshot *replayed = snapshot_take();
        struct difference difference;
        if (snapshots_differ(direct, replayed, subject->step, &difference) && difference.far_apart) {
            char text[TEXT_BYTES];
            snprintf(text, sizeof text,
                     "Not all of %s is on the caller's stream: replayed from that stream on new input, "
                     "element %lld of %s is "
                     "%.9g, not %.9g (%zu elements differ).",
                     function_name(subject->step->function), (long long)difference.element, difference.buffer,
                     difference.second, difference.first, difference.count);
            report(subject, FINDING_OFF_STREAM, false, text);
        }
        snapshot_free(replayed);
        cudaGraphExecDestroy(ready);
    }
    snapshot_free(direct);
    cudaGetLastError();
}

/* ---- the case ---- */

static bool launches_kernels(uint32_t function) {
    const struct function_entry *entry = function_entry(function);
    return entry != NULL && entry->work != WORK_NONE;
}

static bool has_failures(const struct running_case *running, const struct step *steps) {
    for (uint32_t i = 0; i < running->header.steps; i++)
        if (steps[i].kind == STEP_FAIL)
            return true;
    return false;
}

void evidence_of_case(const struct running_case *running, const struct step *steps) {
    device_judge();
    if (cuda_is_watched() || has_failures(running, steps) || device_has_huge())
        return;
    images_after_copies(running, steps);
    for (uint32_t i = 0; i < running->header.steps; i++) {
        if (steps[i].kind != STEP_CALL || !launches_kernels(steps[i].function) || !running->succeeded[i] ||
            !trace_is_plain((int)i, steps[i].stream))
            continue;
        const struct subject subject = {running, &steps[i], (int)i, step_stream(running, &steps[i])};
        cudaStream_t stream = NULL;
        cudaStreamCreate(&stream); /* a blocking one: work on the default stream then ends the capture */
        cudaGraph_t graph = repeat(&subject) ? capture(&subject, stream) : NULL;
        if (graph != NULL) {
            replay(&subject, graph, stream);
            cudaGraphDestroy(graph);
        }
        cudaStreamDestroy(stream);
    }
}

/* compute-sanitizer reports leaks when the context goes. */
void evidence_end(void) {
    if (!cuda_is_watched())
        return;
    cudaDeviceReset();
    fflush(NULL);
    exit(0);
}
