/* Correct: four allocations, freed as early as each allows, through a list of what there is to free; launch errors
 * included. All rules of the contract are written in one condition. */
#include "split_softmax.h"

int64_t split_softmax_chunks(int64_t cols, int chunk) {
    return cols / chunk + (cols % chunk != 0);
}

size_t split_softmax_scratch_bytes(int64_t rows, int64_t cols, int chunk) {
    size_t row_states = (size_t)rows, chunk_states = row_states * (size_t)split_softmax_chunks(cols, chunk);
    return 8 * (row_states + chunk_states);
}

static int usable(const void *pointer) {
    struct cudaPointerAttributes attributes;
    cudaError_t error = cudaPointerGetAttributes(&attributes, pointer);
    if (error != cudaSuccess)
        cudaGetLastError();
    return error == cudaSuccess && (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged);
}

cudaError_t split_softmax(matrix x, matrix y, int chunk, cudaStream_t stream) {
    enum { PARTIAL_MAX, PARTIAL_SUM, ROW_MAX, ROW_SUM, ARRAYS };
    float *array[ARRAYS] = {NULL};
    cudaError_t error = cudaSuccess;
    int64_t chunks;

    if (x.cols <= 0 || x.cols > SPLIT_SOFTMAX_MAX_COLS || x.rows < 0 || x.rows > INT32_MAX ||
        x.rows * x.cols > INT32_MAX || x.rows != y.rows || x.cols != y.cols || x.pitch != x.cols || y.pitch != y.cols ||
        (chunk != 256 && chunk != 1024 && chunk != 4096) || x.type != y.type ||
        (x.type != CUDA_R_32F && x.type != CUDA_R_16F && x.type != CUDA_R_16BF))
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    {
        size_t bytes = (size_t)(x.rows * x.cols) * (x.type == CUDA_R_32F ? 4u : 2u);
        const char *x_first = x.data, *y_first = y.data;
        if (!usable(x_first) || !usable(y_first) || (x_first < y_first + bytes && y_first < x_first + bytes))
            return cudaErrorInvalidValue;
    }

    chunks = split_softmax_chunks(x.cols, chunk);
    for (int i = 0; i < ARRAYS && error == cudaSuccess; i++) {
        size_t states = (size_t)x.rows * (i < ROW_MAX ? (size_t)chunks : 1);
        error = cudaMallocAsync((void **)&array[i], states * sizeof(float), stream);
        if (error != cudaSuccess)
            array[i] = NULL;
    }
    if (error != cudaSuccess)
        goto done;

    error = split_softmax_partials(x, chunk, array[PARTIAL_MAX], array[PARTIAL_SUM], stream);
    if (error != cudaSuccess)
        goto done;
    error = split_softmax_merge(array[PARTIAL_MAX], array[PARTIAL_SUM], x.rows, chunks, array[ROW_MAX], array[ROW_SUM],
                                stream);
    for (int i = PARTIAL_MAX; i <= PARTIAL_SUM; i++) { /* after the merge they are not needed any more */
        cudaError_t free_error = cudaFreeAsync(array[i], stream);
        array[i] = NULL;
        error = error != cudaSuccess ? error : free_error;
    }
    if (error == cudaSuccess)
        error = split_softmax_normalize(x, chunk, array[ROW_MAX], array[ROW_SUM], y, stream);

done:
    for (int i = 0; i < ARRAYS; i++)
        if (array[i] != NULL) {
            cudaError_t free_error = cudaFreeAsync(array[i], stream);
            error = error != cudaSuccess ? error : free_error;
        }
    return error;
}
