/* Taking a sample (see sample.h).
 *
 * A replayed graph as well as plain calls are issued while the device is held, and the clock starts when it
 * is let go: what is timed is the device's part alone. Whether the host was done by then is looked at each
 * time; if it was not, the sample is taken again behind a longer hold. */
#include "sample.h"
#include "base/clock.h"
#include "base/memory.h"
#include "filler.h"
#include "judge.h"

/* New numbers for the calls, and a device that has nothing left to do. */
static void prepare(struct bench_case *bench, const struct variant *variant, enum mode mode, int slots) {
    cudaStream_t stream = bench->gpu->stream;
    gpu_reset_l2();
    for (int slot = 0; slot < slots; slot++)
        case_refill(bench, slot);
    if (mode == MODE_GRAPH_COLD)
        gpu_flush(bench->gpu);
    gpu_must(cudaDeviceSynchronize(), "filling inputs");
    /* Whenever the host waits, the pool of scratch memory goes back to the driver, and the next call has to
     * fetch it. Calls that follow one another find it: so do these. */
    void *scratch = NULL;
    if (mode == MODE_STREAM_WARM && variant->scratch_bytes > 0 &&
        cudaMallocAsync(&scratch, variant->scratch_bytes, stream) == cudaSuccess)
        gpu_must(cudaFreeAsync(scratch, stream), "freeing scratch");
    (void)cudaGetLastError();
}

struct issued {
    cudaError_t error;
    double us; /* how long the host took */
};

static struct issued issue(struct bench_case *bench, const struct variant *variant, enum mode mode,
                           int calls) {
    struct issued issued = {cudaSuccess, 0};
    const double start = clock_seconds(), deadline = start + 1e-6 * FILLER_MOST_US;
    if (mode != MODE_STREAM_WARM)
        issued.error = cudaGraphLaunch(variant->graphs[mode], bench->gpu->stream);
    else
        for (int i = 0; i < calls && issued.error == cudaSuccess && clock_seconds() < deadline; i++)
            issued.error = variant->call(variant, &bench->slots[i % bench->slot_count], bench->gpu->stream);
    issued.us = 1e6 * (clock_seconds() - start);
    return issued;
}

/* Issues the calls and times them. Returns false where the host was not done in time. */
static bool attempt(struct bench_case *bench, const struct variant *variant, enum mode mode, int calls,
                    struct issued *issued, struct elapsed *elapsed) {
    const struct stopwatch *watch = &bench->gpu->watch;
    bool ahead = false;
    prepare(bench, variant, mode, case_slots(bench, calls));
    stopwatch_hold(watch, variant->filler_us);
    stopwatch_start(watch);
    *issued = issue(bench, variant, mode, calls);
    cudaError_t error = stopwatch_end(watch, &ahead);
    if (error == cudaSuccess)
        error = stopwatch_read(watch, elapsed);
    if (error != cudaSuccess)
        stop("%s failed on the device while it was timed: %s. Nothing more can be measured.", variant->name,
             cudaGetErrorString(error));
    return ahead && issued->us < FILLER_MOST_US; /* or some calls were left out */
}

/* A call that waits is against the rules; one of very many launches is not, and loses the mode alone. */
static void give_up_late(struct variant *variant, enum mode mode, const struct issued *issued) {
    if (variant->operations > FILLER_MOST_OPERATIONS)
        variant_leave_out(
            variant, mode,
            format_text("one call is %d operations, and a stream takes about 1,000 before a launch waits",
                        variant->operations));
    else
        variant_give_up(
            variant, VARIANT_REFUSED,
            format_text("its calls cannot be issued ahead of the device: with the device held for "
                        "%.3g ms, the host was not done after %.0f ms. A call waits for the device, or "
                        "keeps the host busy.",
                        variant->filler_us / 1e3, issued->us / 1e3));
}

void sample_take(struct bench_case *bench, struct variant *variant, enum mode mode) {
    const int calls = case_calls(bench, variant, mode);
    struct issued issued;
    struct elapsed elapsed = {0};
    while (!attempt(bench, variant, mode, calls, &issued, &elapsed) && issued.error == cudaSuccess) {
        const int longer = filler_after(variant->filler_us, issued.us);
        if (longer == 0) {
            give_up_late(variant, mode, &issued);
            return;
        }
        variant->filler_us = longer;
    }
    if (issued.error != cudaSuccess) {
        (void)cudaGetLastError();
        variant_give_up(variant, VARIANT_WRONG,
                        format_text("a call failed while it was timed: %s", cudaGetErrorName(issued.error)));
        return;
    }
    if (elapsed.device_us - elapsed.stream_us > variant->hidden_us)
        variant->hidden_us = elapsed.device_us - elapsed.stream_us;
    variant_keep(variant, mode, elapsed.device_us / calls, issued.us / calls);
    if (variant->checked) {
        const int slot = (int)(case_random(bench) % (uint64_t)case_slots(bench, calls));
        judge_agreement(variant, case_check_one_row(bench, slot), "wrong in a call that was timed");
    }
    judge_l2(variant, bench->gpu->stream);
}
