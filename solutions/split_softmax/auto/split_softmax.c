/* The host's part of split_softmax, as in the plain solution but for run_stages, which launches what is quickest for the
 * shape. The scratch is that of the contract in both cases. */
#include "choice.h"
#include "cluster.h"
#include "two_kernel.h"

#include <stdbool.h>

static size_t element_bytes(cudaDataType_t type) {
    return type == CUDA_R_32F ? 4 : 2;
}

int64_t split_softmax_chunks(int64_t cols, int chunk) {
    return (cols + chunk - 1) / chunk;
}

size_t split_softmax_scratch_bytes(int64_t rows, int64_t cols, int chunk) {
    int64_t states = rows * (split_softmax_chunks(cols, chunk) + 1);
    return (size_t)states * 2 * sizeof(float);
}

static bool is_supported_type(cudaDataType_t type) {
    return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF;
}

static bool is_supported_chunk(int chunk) {
    return chunk == 256 || chunk == 1024 || chunk == 4096;
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

/* Whether two ranges of equal length have an address in common. The starts are compared by their
 * distance, so that no sum can wrap around. */
static bool ranges_overlap(const void *a, const void *b, size_t bytes) {
    uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
    return first < second ? second - first < bytes : first - second < bytes;
}

/* The rules of the contract that do not look at the pointers. */
static bool shapes_are_valid(matrix x, matrix y, int chunk) {
    if (!is_supported_type(x.type) || y.type != x.type)
        return false;
    if (x.cols < 1 || x.cols > SPLIT_SOFTMAX_MAX_COLS || x.rows < 0)
        return false;
    if (x.rows > INT32_MAX / x.cols) /* rows * cols < 2^31, asked without computing the product */
        return false;
    if (y.rows != x.rows || y.cols != x.cols)
        return false;
    if (x.pitch != x.cols || y.pitch != y.cols)
        return false;
    return is_supported_chunk(chunk);
}

/* The rules about memory; they matter only where there is a row. */
static bool memory_is_valid(matrix x, matrix y) {
    size_t bytes = (size_t)(x.rows * x.cols) * element_bytes(x.type);
    return is_device_memory(x.data) && is_device_memory(y.data) && !ranges_overlap(x.data, y.data, bytes);
}

/* A cluster a row, or two kernels: where the shape asks for them, or the cluster cannot be launched. */
static cudaError_t run_stages(matrix x, matrix y, int chunk, float *scratch, cudaStream_t stream) {
    if (clusters_are_quicker(x.rows, x.cols, element_bytes(x.type), chunk)) {
        cudaError_t error = split_softmax_cluster(x, y, stream);
        if (error != cudaErrorNotSupported)
            return error;
    }

    float *partial_max = scratch; /* [rows, chunks] */
    float *partial_sum = partial_max + x.rows * split_softmax_chunks(x.cols, chunk);

    cudaError_t error = split_softmax_partials(x, chunk, partial_max, partial_sum, stream);
    if (error == cudaSuccess)
        error = split_softmax_merge_and_normalize(x, chunk, partial_max, partial_sum, y, stream);
    return error;
}

cudaError_t split_softmax(matrix x, matrix y, int chunk, cudaStream_t stream) {
    if (!shapes_are_valid(x, y, chunk))
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    if (!memory_is_valid(x, y))
        return cudaErrorInvalidValue;

    void *scratch = NULL;
    cudaError_t error = cudaMallocAsync(&scratch, split_softmax_scratch_bytes(x.rows, x.cols, chunk), stream);
    if (error != cudaSuccess)
        return error;

    error = run_stages(x, y, chunk, scratch, stream);

    /* Freed in stream order, after the last stage that was launched, also when a launch failed. */
    cudaError_t free_error = cudaFreeAsync(scratch, stream);
    return error != cudaSuccess ? error : free_error;
}
