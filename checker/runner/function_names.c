/* Names of the functions of a submission. */
#include "runner.h"

static const char *const names[] = {
    [FUNCTION_SPLIT_CHUNKS] = "split_softmax_chunks",
    [FUNCTION_SPLIT_SCRATCH] = "split_softmax_scratch_bytes",
    [FUNCTION_SPLIT_PARTIALS] = "split_softmax_partials",
    [FUNCTION_SPLIT_MERGE] = "split_softmax_merge",
    [FUNCTION_SPLIT_NORMALIZE] = "split_softmax_normalize",
    [FUNCTION_SPLIT_SOFTMAX] = "split_softmax",
    [FUNCTION_FUSED_SOFTMAX] = "fused_softmax",
    [FUNCTION_ONLINE_SUMMARIZE] = "softmax_summarize",
    [FUNCTION_ONLINE_MERGE] = "softmax_merge",
    [FUNCTION_ONLINE_STREAMING] = "softmax_streaming",
    [FUNCTION_ROW_SCALE] = "row_scale",
    [FUNCTION_ROW_MAX] = "row_max",
    [FUNCTION_ROW_SUM] = "row_sum",
};

const char *function_name(uint32_t function) {
    return function < sizeof names / sizeof *names ? names[function] : "?";
}
