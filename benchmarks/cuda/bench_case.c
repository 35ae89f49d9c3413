/* Slots and their numbers (see bench_case.h).
 *
 * Where the calls of a warm sample can all have slots of their own within half of the L2, they have. Larger
 * matrices take turns over as few slots as two, so that what can stay in L2 does; what cannot, does not. */
#include "bench_case.h"
#include "base/memory.h"
#include "filler.h"
#include "kernels.h"
#include <string.h>

enum { MOST_CALLS = 20, LEAST_CALLS = 2, SAMPLE_US = 400, MOST_CHECKED = 1 << 22 };

uint64_t case_random(struct bench_case *bench) {
    uint64_t z = bench->random += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void choose_counts(struct bench_case *bench) {
    const double pair = 2.0 * (double)bench->workload.bytes;
    const double call_us = 5 + pair / 2.5e6; /* about: 2.5 TB/s and some launches */
    const int calls = (int)(SAMPLE_US / call_us) / 2 * 2;
    bench->calls = calls > MOST_CALLS ? MOST_CALLS : calls < LEAST_CALLS ? LEAST_CALLS : calls;
    const int fitting = (int)((double)bench->gpu->limits.l2_bytes / 2 / pair);
    bench->slot_count = fitting > bench->calls ? bench->calls : fitting < 2 ? 2 : fitting;
}

static bool allocate(void **memory, size_t bytes) {
    if (cudaMalloc(memory, bytes) == cudaSuccess)
        return true;
    (void)cudaGetLastError();
    *memory = NULL;
    return false;
}

bool case_open(struct bench_case *bench, const struct settings *settings, const struct gpu *gpu,
               const struct shape *shape, enum element_type type, char **trouble) {
    *bench = (struct bench_case){.settings = settings, .gpu = gpu, .random = settings->seed ^ 0x5eed};
    bench->workload = workload_new(shape, type, settings->seed);
    choose_counts(bench);
    const size_t bytes = bench->workload.bytes,
                 base_bytes = (size_t)(bench->workload.base_rows * shape->cols) * element_bytes(type);
    bool good = allocate(&bench->base, base_bytes);
    for (int i = 0; i < bench->slot_count; i++) {
        struct slot *slot = &bench->slots[i];
        slot->x = slot->y = (matrix){NULL, (cudaDataType_t)type, shape->rows, shape->cols, shape->pitch};
        good = good && allocate(&slot->x.data, bytes) && allocate(&slot->y.data, bytes);
    }
    good = good && cudaMallocHost(&bench->host_copy, bytes) == cudaSuccess;
    if (!good) {
        (void)cudaGetLastError();
        *trouble = copy_text("the device has too little memory for this shape");
        case_close(bench);
        return false;
    }
    gpu_must(cudaMemcpy(bench->base, bench->workload.base, base_bytes, cudaMemcpyHostToDevice),
             "copying inputs");
    for (int i = 0; i < bench->slot_count; i++) {
        gpu_must(cudaMemset(bench->slots[i].x.data, 0xff, bytes),
                 "filling inputs"); /* the padding keeps it */
        case_refill(bench, i);
    }
    gpu_must(cudaDeviceSynchronize(), "filling inputs");
    return true;
}

void case_close(struct bench_case *bench) {
    for (int i = 0; i < bench->slot_count; i++) {
        cudaFree(bench->slots[i].x.data);
        cudaFree(bench->slots[i].y.data);
    }
    cudaFree(bench->base);
    cudaFreeHost(bench->host_copy);
    workload_free(&bench->workload);
}

void case_refill(struct bench_case *bench, int index) {
    const struct shape *shape = &bench->workload.shape;
    struct slot *slot = &bench->slots[index];
    slot->shift = (int64_t)(case_random(bench) % (uint64_t)shape->cols);
    gpu_must(kernel_fill(slot->x.data, bench->base, shape->rows, shape->cols, shape->pitch,
                         bench->workload.base_rows, slot->shift, (int)element_bytes(bench->workload.type),
                         bench->gpu->stream),
             "filling inputs");
    gpu_must(cudaMemsetAsync(slot->y.data, 0xff, bench->workload.bytes, bench->gpu->stream),
             "poisoning outputs");
}

struct agreement case_check(struct bench_case *bench, int index) {
    const struct slot *slot = &bench->slots[index];
    gpu_must(cudaDeviceSynchronize(), "waiting for a call");
    gpu_must(cudaMemcpy(bench->host_copy, slot->y.data, bench->workload.bytes, cudaMemcpyDeviceToHost),
             "copying an output");
    return workload_check(&bench->workload, bench->host_copy, slot->shift, MOST_CHECKED, case_random(bench));
}

struct agreement case_check_one_row(struct bench_case *bench, int index) {
    const struct slot *slot = &bench->slots[index];
    const size_t element = element_bytes(bench->workload.type);
    const int64_t row = (int64_t)(case_random(bench) % (uint64_t)slot->y.rows);
    gpu_must(cudaMemcpy(bench->host_copy, (char *)slot->y.data + (size_t)(row * slot->y.pitch) * element,
                        (size_t)slot->y.cols * element, cudaMemcpyDeviceToHost),
             "copying an output");
    return workload_check_row(&bench->workload, bench->host_copy, slot->shift, row);
}

int case_calls(const struct bench_case *bench, const struct variant *variant, enum mode mode) {
    return mode == MODE_GRAPH_COLD    ? 1
           : mode == MODE_STREAM_WARM ? filler_calls(bench->calls, variant->operations)
                                      : bench->calls;
}

int case_slots(const struct bench_case *bench, int calls) {
    return calls < bench->slot_count ? calls : bench->slot_count;
}

struct traffic_contract case_contract(const struct bench_case *bench, enum mode mode, int calls) {
    const uint64_t bytes = shape_bytes(&bench->workload.shape, bench->workload.type);
    return (struct traffic_contract){.read_bytes = bytes,
                                     .write_bytes = bytes,
                                     .set_bytes = 2 * bytes * (uint64_t)case_slots(bench, calls),
                                     .cold = mode == MODE_GRAPH_COLD};
}
