/* What is called for each variant (see variant.h). */
#include "variant.h"
#include "../../exercises/fused_softmax/fused_softmax.h"
#include "../../exercises/split_softmax/split_softmax.h"
#include "base/memory.h"
#include "cudnn.h"
#include "filler.h"
#include "kernels.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const char *mode_name(enum mode mode) {
    return mode == MODE_STREAM_WARM ? "stream" : "graph";
}

const char *cache_name(enum mode mode) {
    return mode == MODE_GRAPH_COLD ? "cold" : "warm";
}

/* Both operators have this type: the number is the chunk or the rows of a block. */
typedef cudaError_t operator_function(matrix x, matrix y, int parameter, cudaStream_t stream);

static cudaError_t call_submission(const struct variant *variant, const struct slot *slot,
                                   cudaStream_t stream) {
    operator_function *function;
    memcpy(&function, &variant->state, sizeof function);
    return function(slot->x, slot->y, variant->parameter, stream);
}

static cudaError_t call_looped(const struct variant *variant, const struct slot *slot, cudaStream_t stream) {
    (void)variant;
    return kernel_looped_softmax(slot->x.data, slot->y.data, slot->x.type, slot->x.rows, slot->x.cols,
                                 slot->x.pitch, stream);
}

/* The bytes of the rows; where they are padded, the padding too, which is what a copy of rows costs. */
static cudaError_t call_copy(const struct variant *variant, const struct slot *slot, cudaStream_t stream) {
    (void)variant;
    const size_t element = slot->x.type == CUDA_R_32F ? 4 : 2;
    return cudaMemcpyAsync(slot->y.data, slot->x.data, (size_t)(slot->x.rows * slot->x.pitch) * element,
                           cudaMemcpyDeviceToDevice, stream);
}

static cudaError_t call_empty(const struct variant *variant, const struct slot *slot, cudaStream_t stream) {
    (void)variant, (void)slot;
    return kernel_empty(stream);
}

static struct variant baseline(const char *name, bool checked,
                               cudaError_t (*call)(const struct variant *, const struct slot *,
                                                   cudaStream_t)) {
    struct variant variant = {.checked = checked, .call = call, .filler_us = FILLER_FIRST_US};
    snprintf(variant.name, sizeof variant.name, "%s", name);
    return variant;
}

int variants_of_submission(struct variant *variants, const struct settings *settings, void *library,
                           bool other) {
    const struct bench_exercise *exercise = settings->exercise;
    void *function = dlsym(library, exercise->name);
    if (function == NULL)
        stop("The submission does not define %s.", exercise->name);
    for (size_t i = 0; i < exercise->parameter_count; i++) {
        variants[i] = (struct variant){.submission = true,
                                       .checked = true,
                                       .other = other,
                                       .parameter = exercise->parameters[i],
                                       .call = call_submission,
                                       .state = function,
                                       .filler_us = FILLER_FIRST_US};
        snprintf(variants[i].name, sizeof variants[i].name, "%s%s=%d", other ? "other " : "",
                 exercise->symbol, exercise->parameters[i]);
    }
    return (int)exercise->parameter_count;
}

int variants_of_baselines(struct variant *variants) {
    int count = 0;
    variants[count++] = baseline("looped", true, call_looped);
    variants[count++] = baseline("copy", false, call_copy);
    variants[count++] = baseline("empty kernel", false, call_empty);
    variants[count] = baseline("cuDNN", true, cudnn_softmax);
    char *trouble = cudnn_open();
    if (trouble)
        variant_give_up(&variants[count], VARIANT_UNAVAILABLE, trouble);
    return count + 1;
}

void variant_give_up(struct variant *variant, enum variant_status status, char *reason) {
    free(variant->reason);
    variant->status = status;
    variant->reason = reason;
}

void variant_reserve(struct variant *variant, int samples) {
    for (int mode = 0; mode < MODES; mode++)
        variant->samples[mode] = get_memory((size_t)samples * sizeof(double));
    variant->host_us = get_memory((size_t)samples * sizeof(double));
}

void variant_keep(struct variant *variant, enum mode mode, double device_us, double host_us) {
    if (mode == MODE_STREAM_WARM)
        variant->host_us[variant->counts[mode]] = host_us;
    variant->samples[mode][variant->counts[mode]++] = device_us;
}

void variant_leave_out(struct variant *variant, enum mode mode, char *reason) {
    free(variant->left_out[mode]);
    variant->left_out[mode] = reason;
    variant->counts[mode] = 0;
}

void variant_free(struct variant *variant) {
    for (int i = 0; i < 2; i++)
        if (variant->graphs[i])
            cudaGraphExecDestroy(variant->graphs[i]);
    for (int i = 0; i < MODES; i++) {
        free(variant->samples[i]);
        free(variant->left_out[i]);
    }
    free(variant->host_us);
    free(variant->reason);
}
