/* Correct: the host's part with an allocation for each array. */
#include "split_attention.h"

#include <stdbool.h>

static size_t element_bytes(cudaDataType_t type) {
    return type == CUDA_R_32F ? 4 : 2;
}

int64_t split_attention_chunks(int64_t length, int chunk) {
    return (length + chunk - 1) / chunk;
}

size_t split_attention_scratch_bytes(int64_t heads, int64_t length, int dim, int chunk) {
    return (size_t)(heads * split_attention_chunks(length, chunk) * (dim + 2)) * sizeof(float);
}

/* The rules of the contract that do not look at the pointers. */
static bool shapes_are_valid(const attention *a, int chunk) {
    if (a->type != CUDA_R_32F && a->type != CUDA_R_16F && a->type != CUDA_R_16BF)
        return false;
    if (chunk != 64 && chunk != 256 && chunk != 1024)
        return false;
    if (a->dim != 64 && a->dim != 128)
        return false;
    if (a->length < 1 || a->length > SPLIT_ATTENTION_MAX_LENGTH || a->heads < 0)
        return false;
    return a->heads <= INT32_MAX / (a->length * a->dim); /* the product < 2^31, asked without computing it */
}

/* Whether a kernel may follow the pointer as device memory. */
static bool is_device_memory(const void *pointer) {
    if (pointer == NULL)
        return false;
    struct cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
        (void)cudaGetLastError(); /* the question failed, not the operator: leave no error behind */
        return false;
    }
    return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

/* Whether two ranges have an address in common. The starts are compared by their distance, so that no sum can
 * wrap around. */
static bool ranges_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
    uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
    return first < second ? second - first < a_bytes : first - second < b_bytes;
}

/* The rules about memory; they matter only where there is a head. */
static bool memory_is_valid(const attention *a) {
    const size_t row = (size_t)a->dim * element_bytes(a->type), keys = (size_t)(a->heads * a->length);
    const size_t y_bytes = (size_t)a->heads * row;
    const struct {
        const void *data;
        size_t bytes;
    } inputs[] = {{a->q, y_bytes}, {a->k, keys * row}, {a->v, keys * row}, {a->bias, keys * sizeof(float)}};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        if (inputs[i].data == NULL && i == 3) /* no bias */
            continue;
        if (!is_device_memory(inputs[i].data) ||
            ranges_overlap(a->y, y_bytes, inputs[i].data, inputs[i].bytes))
            return false;
    }
    return is_device_memory(a->y);
}

/* Frees what there is, and keeps the first error. */
static void give_back(float *memory, cudaStream_t stream, cudaError_t *error) {
    if (memory == NULL)
        return;
    cudaError_t free_error = cudaFreeAsync(memory, stream);
    if (*error == cudaSuccess)
        *error = free_error;
}

cudaError_t split_attention(attention a, int chunk, cudaStream_t stream) {
    if (!shapes_are_valid(&a, chunk))
        return cudaErrorInvalidValue;
    if (a.heads == 0)
        return cudaSuccess;
    if (!memory_is_valid(&a))
        return cudaErrorInvalidValue;

    const int64_t chunks = split_attention_chunks(a.length, chunk);
    const size_t states = (size_t)(a.heads * chunks) * sizeof(float);
    float *max = NULL, *sum = NULL, *value = NULL;
    cudaError_t error = cudaMallocAsync((void **)&max, states, stream);
    if (error == cudaSuccess)
        error = cudaMallocAsync((void **)&sum, states, stream);
    if (error == cudaSuccess)
        error = cudaMallocAsync((void **)&value, states * (size_t)a.dim, stream);
    if (error == cudaSuccess)
        error = split_attention_partials(a, chunk, max, sum, value, stream);
    if (error == cudaSuccess)
        error = split_attention_merge(max, sum, value, a.heads, chunks, a.dim, a.y, a.type, stream);
    give_back(max, stream, &error);
    give_back(sum, stream, &error);
    give_back(value, stream, &error);
    return error;
}
