/* Memory of a case at different times (see compare_cuda.h). */
#include "compare_cuda.h"
#include "runtime_cuda.h"
#include <library_types.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct snapshot {
    unsigned char *bytes[CASE_MAX_BUFFERS];
};

/* The type in which the step sees a buffer; FP32 for what is no matrix, as states are. */
static cudaDataType_t type_of(int buffer, const struct step *step) {
    for (int i = 0; i < STEP_OPERANDS; i++)
        if (step->operand[i].buffer == buffer && step->operand[i].cols > 0)
            return (cudaDataType_t)step->operand[i].type;
    return CUDA_R_32F;
}

static size_t bytes_of(cudaDataType_t type) {
    return type == CUDA_R_32F ? 4 : 2;
}

static double value_of(const unsigned char *bytes, size_t element, cudaDataType_t type) {
    uint32_t word = 0;
    uint16_t half = 0;
    if (type == CUDA_R_32F)
        memcpy(&word, bytes + 4 * element, 4);
    else
        memcpy(&half, bytes + 2 * element, 2);
    if (type == CUDA_R_16BF)
        word = (uint32_t)half << 16;
    if (type != CUDA_R_16F) {
        float value;
        memcpy(&value, &word, sizeof value);
        return value;
    }
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                             : exponent == 0 ? ldexp(fraction, -24)
                                             : ldexp(1024 + fraction, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

/* ---- images ---- */

void images_after_copies(const struct running_case *running, const struct step *steps) {
    for (uint32_t i = 0; i < running->header.steps; i++) {
        if (steps[i].kind != STEP_FILL_SLOWLY && steps[i].kind != STEP_COPY)
            continue;
        const struct operand *to = &steps[i].operand[0], *from = &steps[i].operand[1];
        const size_t bytes = (size_t)steps[i].number[0];
        if (to->buffer < 0 || from->buffer < 0)
            continue;
        memmove(device_image(to->buffer)->bytes + to->offset,
                device_image(from->buffer)->bytes + from->offset, bytes);
    }
}

static void turn_signs(unsigned char *bytes, size_t size, cudaDataType_t type) {
    const size_t width = bytes_of(type);
    for (size_t i = 0; i < size / width; i++)
        if (isfinite(value_of(bytes, i, type)))
            bytes[i * width + width - 1] ^= 0x80;
}

void images_restore(bool changed, const struct step *step) {
    for (int i = 0; i < device_image_count(); i++) {
        const struct device_image *image = device_image(i);
        if (image->start == NULL || image->size == 0)
            continue;
        unsigned char *bytes = malloc(image->size);
        if (bytes == NULL)
            continue;
        memcpy(bytes, image->bytes, image->size);
        if (changed)
            turn_signs(bytes, image->size, type_of(i, step));
        cudaMemcpy(image->start, bytes, image->size, cudaMemcpyHostToDevice);
        free(bytes);
    }
    cudaDeviceSynchronize(); /* other streams do not wait for the end of these copies */
}

/* ---- snapshots ---- */

struct snapshot *snapshot_take(void) {
    struct snapshot *snapshot = calloc(1, sizeof *snapshot);
    for (int i = 0; snapshot != NULL && i < device_image_count(); i++) {
        const struct device_image *image = device_image(i);
        if (image->start == NULL || (image->flags & BUFFER_READ_ONLY))
            continue;
        snapshot->bytes[i] = malloc(image->size + 1);
        if (snapshot->bytes[i] != NULL)
            cudaMemcpy(snapshot->bytes[i], image->start, image->size, cudaMemcpyDeviceToHost);
    }
    return snapshot;
}

void snapshot_free(struct snapshot *snapshot) {
    if (snapshot == NULL)
        return;
    for (int i = 0; i < CASE_MAX_BUFFERS; i++)
        free(snapshot->bytes[i]);
    free(snapshot);
}

/* ---- comparing ---- */

static bool is_poison(const unsigned char *bytes, size_t element, size_t width) {
    for (size_t i = 0; i < width; i++)
        if (bytes[element * width + i] != 0xff)
            return false;
    return true;
}

/* How far apart, relative to the larger one; numbers near the smallest of FP16 have hardly any digits. */
static double distance_of(double a, double b) {
    if (isnan(a) || isnan(b) || a == b)
        return 0;
    const double larger = fmax(fabs(a), fabs(b));
    return isinf(larger) ? INFINITY : fabs(a - b) / (larger + 1e-4);
}

static void compare_one(const unsigned char *a, const unsigned char *b, const struct device_image *image,
                        cudaDataType_t type, struct difference *worst, double *worst_distance) {
    const size_t width = bytes_of(type);
    const double bearable = type == CUDA_R_32F ? 1e-3 : 5e-2; /* far above the contracts' tolerances */
    for (size_t i = 0; i < image->size / width; i++) {
        if (memcmp(a + i * width, b + i * width, width) == 0)
            continue;
        const double first = value_of(a, i, type), second = value_of(b, i, type);
        if (isnan(first) && isnan(second))
            continue; /* one NaN is as good as another */
        const bool unwritten = is_poison(a, i, width) || is_poison(b, i, width);
        worst->count++;
        const double distance = unwritten ? INFINITY : distance_of(first, second);
        if (distance <= *worst_distance)
            continue;
        *worst_distance = distance;
        worst->buffer = image->name;
        worst->element = (int64_t)i;
        worst->first = first;
        worst->second = second;
        worst->far_apart = distance > bearable;
    }
}

bool snapshots_differ(const struct snapshot *a, const struct snapshot *b, const struct step *step,
                      struct difference *difference) {
    double distance = -1;
    *difference = (struct difference){.buffer = ""};
    if (a == NULL || b == NULL)
        return false;
    for (int i = 0; i < device_image_count(); i++)
        if (a->bytes[i] != NULL && b->bytes[i] != NULL)
            compare_one(a->bytes[i], b->bytes[i], device_image(i), type_of(i, step), difference, &distance);
    return difference->count > 0;
}
