/* Capturing (see graph.h). The stream that is captured is a blocking one: work on the default stream,
 * cudaMalloc and every wait break the capture, each with its own error. */
#include "graph.h"
#include "base/memory.h"
#include <string.h>

static void refuse(struct variant *variant, char *reason) {
    variant_give_up(variant, VARIANT_REFUSED, reason);
}

/* Looks at one node. Returns false when it asks for a part of the L2. */
static bool note_node(struct variant *variant, cudaGraphNode_t node) {
    enum cudaGraphNodeType type;
    if (cudaGraphNodeGetType(node, &type) != cudaSuccess)
        return true;
    if (type == cudaGraphNodeTypeKernel) {
        struct cudaKernelNodeParams parameters;
        cudaLaunchAttributeValue value;
        memset(&value, 0, sizeof value);
        variant->kernels++;
        if (cudaGraphKernelNodeGetParams(node, &parameters) == cudaSuccess) {
            const uint64_t blocks =
                (uint64_t)parameters.gridDim.x * parameters.gridDim.y * parameters.gridDim.z;
            if (blocks > variant->most_blocks)
                variant->most_blocks = blocks;
        }
        if (cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeAccessPolicyWindow, &value) ==
                cudaSuccess &&
            value.accessPolicyWindow.num_bytes > 0)
            return false;
    } else if (type == cudaGraphNodeTypeMemAlloc) {
        struct cudaMemAllocNodeParams parameters;
        if (cudaGraphMemAllocNodeGetParams(node, &parameters) == cudaSuccess)
            variant->scratch_bytes += parameters.bytesize;
    } else if (type == cudaGraphNodeTypeGraph) { /* a library may nest one */
        variant->kernels++;
    }
    (void)cudaGetLastError();
    return true;
}

static bool note_graph(struct variant *variant, cudaGraph_t graph) {
    size_t count = 0;
    bool good = true;
    if (cudaGraphGetNodes(graph, NULL, &count) != cudaSuccess || count == 0) {
        refuse(variant,
               copy_text("nothing of the call was on the stream that it was given: its CUDA graph is empty"));
        return false;
    }
    cudaGraphNode_t *nodes = get_memory(count * sizeof *nodes);
    gpu_must(cudaGraphGetNodes(graph, nodes, &count), "looking at a graph");
    variant->operations = (int)count;
    for (size_t i = 0; i < count; i++)
        good = note_node(variant, nodes[i]) && good;
    free(nodes);
    if (!good)
        refuse(variant,
               copy_text("a kernel of it sets a part of the L2 aside for its own data (an access policy "
                         "window), and what is timed then is not memory"));
    return good;
}

/* calls calls, over slots slots in turn. Returns null where the variant was given up. */
static cudaGraphExec_t capture(struct bench_case *bench, struct variant *variant, int calls, int slots,
                               bool note) {
    cudaStream_t stream = bench->gpu->blocking;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t executable = NULL;
    gpu_must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capturing a call");
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < calls && error == cudaSuccess; i++)
        error = variant->call(variant, &bench->slots[i % slots], stream);
    const cudaError_t end = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess)
        error = end;
    (void)cudaGetLastError();
    if (error != cudaSuccess || graph == NULL) {
        refuse(variant,
               format_text("the call cannot be captured into a CUDA graph (%s): it waits for the device, "
                           "allocates with cudaMalloc, or works on the default stream",
                           cudaGetErrorName(error)));
    } else if (!note || note_graph(variant, graph)) {
        error = cudaGraphInstantiate(&executable, graph, 0);
        if (error != cudaSuccess)
            refuse(variant, format_text("its CUDA graph cannot be made ready (%s)", cudaGetErrorName(error)));
    }
    if (graph)
        cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    return executable;
}

bool graph_capture(struct bench_case *bench, struct variant *variant) {
    variant->graphs[MODE_GRAPH_COLD] = capture(bench, variant, 1, 1, true);
    if (variant->status == VARIANT_TIMED)
        variant->graphs[MODE_GRAPH_WARM] = capture(bench, variant, bench->calls, bench->slot_count, false);
    return variant->status == VARIANT_TIMED;
}
