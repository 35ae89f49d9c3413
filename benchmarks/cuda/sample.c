/* Taking a sample (see sample.h).
 *
 * A replayed graph is enqueued behind a short delay, so that the host is done with its part before the clock
 * starts. Plain calls start on an idle device instead: what they cost the host is what a program pays that
 * makes them. */
#include "sample.h"
#include "judge.h"
#include "kernels.h"
#include "memory.h"

enum { DELAY_US = 40 };

static cudaError_t enqueue(struct bench_case *bench, const struct variant *variant, enum mode mode) {
    cudaStream_t stream = bench->gpu->stream;
    cudaError_t error = cudaSuccess;
    if (mode != MODE_STREAM_WARM)
        return cudaGraphLaunch(variant->graphs[mode], stream);
    for (int i = 0; i < bench->calls && error == cudaSuccess; i++)
        error = variant->call(variant, &bench->slots[i % bench->slot_count], stream);
    return error;
}

static void prepare(struct bench_case *bench, enum mode mode) {
    const int slots = mode == MODE_GRAPH_COLD ? 1 : bench->slot_count;
    gpu_reset_l2();
    for (int slot = 0; slot < slots; slot++)
        case_refill(bench, slot);
    if (mode == MODE_GRAPH_COLD)
        gpu_flush(bench->gpu);
    if (mode == MODE_STREAM_WARM)
        gpu_must(cudaDeviceSynchronize(), "filling inputs");
    else
        gpu_must(kernel_delay(DELAY_US, bench->gpu->stream), "waiting");
}

void sample_take(struct bench_case *bench, struct variant *variant, enum mode mode) {
    const int calls = mode == MODE_GRAPH_COLD ? 1 : bench->calls,
              slots = mode == MODE_GRAPH_COLD ? 1 : bench->slot_count;
    struct elapsed elapsed = {0};
    prepare(bench, mode);
    gpu_clock_start(bench->gpu);
    const cudaError_t error = enqueue(bench, variant, mode);
    const cudaError_t later = gpu_clock_stop(bench->gpu, &elapsed);
    if (later != cudaSuccess)
        stop("%s failed on the device while it was timed: %s. Nothing more can be measured.", variant->name,
             cudaGetErrorString(later));
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        variant_give_up(variant, VARIANT_WRONG,
                        format_text("a call failed while it was timed: %s", cudaGetErrorName(error)));
        return;
    }
    if (elapsed.device_us - elapsed.stream_us > variant->hidden_us)
        variant->hidden_us = elapsed.device_us - elapsed.stream_us;
    variant->samples[mode][variant->counts[mode]++] = elapsed.device_us / calls;
    if (variant->checked) {
        const int slot = (int)(case_random(bench) % (uint64_t)slots);
        judge_agreement(variant, case_check_one_row(bench, slot), "wrong in a call that was timed");
    }
    judge_l2(variant, bench->gpu->stream);
}
