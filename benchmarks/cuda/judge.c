/* What is looked at before and after a variant is timed (see judge.h).
 *
 * - a call on new numbers, into poison: right at all?
 * - the captured graph replayed on new numbers, into poison: what is not on the caller's stream is not in it
 * - one number of the input changed, with the output of the call before still in place: a result kept from an
 *   earlier call, by address or by a look at a part of the input, does not follow the change
 * - the L2: a part set aside for one's own data is refused */
#include "judge.h"
#include "base/memory.h"
#include "graph.h"
#include "kernels.h"
#include <string.h>

static const char *status_of(cudaError_t error) {
    return cudaGetErrorName(error);
}

bool judge_agreement(struct variant *variant, struct agreement agreement, const char *when) {
    if (!variant->checked)
        return true;
    if (agreement.right) {
        if (agreement.worst_error > variant->worst_error)
            variant->worst_error = agreement.worst_error;
        return true;
    }
    char *words = agreement_words(&agreement);
    variant_give_up(variant, VARIANT_WRONG, format_text("%s: %s", when, words));
    free(words);
    return false;
}

static bool l2_is_set_aside(cudaStream_t stream) {
    size_t limit = 0;
    cudaLaunchAttributeValue value;
    memset(&value, 0, sizeof value);
    if (cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize) == cudaSuccess && limit > 0)
        return true;
    const bool window =
        cudaStreamGetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value) == cudaSuccess &&
        value.accessPolicyWindow.num_bytes > 0;
    (void)cudaGetLastError();
    return window;
}

static void put_l2_back(cudaStream_t stream) {
    cudaLaunchAttributeValue value;
    memset(&value, 0, sizeof value);
    gpu_reset_l2();
    (void)cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value);
    (void)cudaGetLastError();
}

bool judge_l2(struct variant *variant, cudaStream_t stream) {
    if (!l2_is_set_aside(stream))
        return true;
    put_l2_back(stream);
    variant_give_up(variant, VARIANT_REFUSED,
                    copy_text("it sets a part of the L2 aside for its own data (an access policy window, or "
                              "cudaLimitPersistingL2CacheSize), and what is timed then is not memory"));
    return false;
}

/* Returns false when the call failed; the variant is given up then. */
static bool call_once(struct bench_case *bench, struct variant *variant, int slot) {
    const cudaError_t error = variant->call(variant, &bench->slots[slot], bench->gpu->stream);
    const cudaError_t later = cudaDeviceSynchronize();
    if (later != cudaSuccess) /* the context is lost */
        stop(
            "%s of %s failed on the device: %s. Nothing more can be measured; make check says what is wrong.",
            variant->name, variant->submission ? bench->settings->exercise->name : "the baselines",
            cudaGetErrorString(later));
    (void)cudaGetLastError();
    if (error == cudaSuccess)
        return true;
    if (error == cudaErrorNotSupported)
        variant_give_up(
            variant, variant->submission ? VARIANT_TODO : VARIANT_UNAVAILABLE,
            copy_text(variant->submission ? "not written yet" : "not offered for this shape and type"));
    else
        variant_give_up(variant, VARIANT_WRONG, format_text("the call returned %s", status_of(error)));
    return false;
}

static bool replay(struct bench_case *bench, cudaGraphExec_t graph) {
    return cudaGraphLaunch(graph, bench->gpu->stream) == cudaSuccess &&
           cudaDeviceSynchronize() == cudaSuccess;
}

/* Exchanges the largest number of a row with another that is not equal to it, and calls again. */
static bool follows_a_change(struct bench_case *bench, struct variant *variant, cudaGraphExec_t graph) {
    const struct workload *workload = &bench->workload;
    const int64_t cols = workload->shape.cols,
                  row = (int64_t)(case_random(bench) % (uint64_t)workload->shape.rows);
    struct slot *slot = &bench->slots[0];
    if (cols < 2 || !variant->checked)
        return true;
    const double *expected = workload->expected + (row % workload->base_rows) * cols;
    int64_t largest = 0, other;
    for (int64_t i = 1; i < cols; i++)
        largest = expected[i] > expected[largest] ? i : largest;
    other = (largest + 1 + (int64_t)(case_random(bench) % (uint64_t)(cols - 1))) % cols;
    const int64_t turn = (slot->shift + ROW_TURN * (row / workload->base_rows)) % cols,
                  to = (other - turn + cols) % cols, from = (largest - turn + cols) % cols;
    const size_t element = element_bytes(workload->type);
    gpu_must(kernel_exchange(slot->x.data, row * workload->shape.pitch + from,
                             row * workload->shape.pitch + to, (int)element, bench->gpu->stream),
             "changing an input");
    if (graph ? !replay(bench, graph) : !call_once(bench, variant, 0))
        return false;
    gpu_must(cudaMemcpy(bench->host_copy,
                        (char *)slot->y.data + (size_t)(row * workload->shape.pitch + to) * element, element,
                        cudaMemcpyDeviceToHost),
             "copying an output");
    const double got = element_get(bench->host_copy, 0, workload->type), wanted = expected[largest];
    if (got >= 0.98 * wanted && got <= 1.02 * wanted)
        return true;
    variant_give_up(
        variant, VARIANT_REFUSED,
        format_text("when one number of the input changed, row %lld, column %lld stayed at %.4g and should "
                    "have become %.4g: results are kept from one call to the next",
                    (long long)row, (long long)to, got, wanted));
    return false;
}

static bool direct_calls_agree(struct bench_case *bench, struct variant *variant, const char *when) {
    case_refill(bench, 0);
    if (!call_once(bench, variant, 0) || !judge_agreement(variant, case_check(bench, 0), when))
        return false;
    return follows_a_change(bench, variant, NULL);
}

static bool replays_agree(struct bench_case *bench, struct variant *variant) {
    for (int slot = 0; slot < bench->slot_count; slot++)
        case_refill(bench, slot);
    if (!replay(bench, variant->graphs[MODE_GRAPH_WARM])) {
        variant_give_up(variant, VARIANT_REFUSED,
                        format_text("its CUDA graph does not run (%s)", status_of(cudaGetLastError())));
        return false;
    }
    for (int slot = 0; slot < bench->slot_count && variant->checked;
         slot += bench->slot_count > 1 ? bench->slot_count - 1 : 1) {
        const struct agreement agreement = case_check(bench, slot);
        if (agreement.right)
            continue;
        char *words = agreement_words(&agreement);
        variant_give_up(
            variant, VARIANT_REFUSED,
            format_text("a CUDA graph of the call, replayed on new numbers, leaves wrong ones (%s): a part "
                        "of its work is not on the stream that it was given, or depends on earlier calls",
                        words));
        free(words);
        return false;
    }
    case_refill(bench, 0);
    return replay(bench, variant->graphs[MODE_GRAPH_COLD]) &&
           follows_a_change(bench, variant, variant->graphs[MODE_GRAPH_COLD]);
}

void judge_before(struct bench_case *bench, struct variant *variant) {
    if (!direct_calls_agree(bench, variant, "wrong before it was timed") ||
        !judge_l2(variant, bench->gpu->stream))
        return;
    if (!graph_capture(bench, variant) || !judge_l2(variant, bench->gpu->blocking))
        return;
    replays_agree(bench, variant);
}

void judge_after(struct bench_case *bench, struct variant *variant) {
    if (variant->status != VARIANT_TIMED || variant->remote)
        return;
    if (direct_calls_agree(bench, variant, "wrong after it was timed"))
        replays_agree(bench, variant);
}
