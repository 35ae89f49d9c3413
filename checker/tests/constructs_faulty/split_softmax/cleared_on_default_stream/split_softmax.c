/* Faulty (operator.stream), a twin of the construct c_calls_that_do_not_wait. Shows: calls of the runtime API from C that an operator may make: device, attributes, stream flags, priority and capture, the default
 * pool and its threshold, events without timing recorded and waited for on the same stream, cudaMemsetAsync, cudaGetErrorName. */
#include "split_softmax.h"
#include <stdio.h>
#include <stdlib.h>

int64_t split_softmax_chunks(int64_t cols, int chunk) { return (cols - 1) / chunk + 1; }
size_t split_softmax_scratch_bytes(int64_t rows, int64_t cols, int chunk) { return (size_t)(rows * (split_softmax_chunks(cols, chunk) + 1) * 8); }

static cudaError_t told(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess && getenv("SPLIT_SOFTMAX_TALKS"))
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, cudaGetErrorName(error), cudaGetErrorString(error));
    return error;
}
#define CHECK(call) told((call), __FILE__, __LINE__)

static int known(const void *p) {
    struct cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, p) != cudaSuccess) {
        if (cudaPeekAtLastError() != cudaSuccess)
            (void)cudaGetLastError();
        return 0;
    }
    return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged;
}

static cudaError_t keep_scratch_in_the_pool(void) {
    static int done;
    if (done)
        return cudaSuccess;
    int device = -1, count = 0, pools = 0, driver = 0, runtime = 0;
    cudaMemPool_t pool, same;
    uint64_t threshold = UINT64_MAX, back = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (!error) error = cudaGetDeviceCount(&count);
    if (!error) error = cudaDriverGetVersion(&driver);
    if (!error) error = cudaRuntimeGetVersion(&runtime);
    if (!error) error = cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device);
    if (!error && !pools) return cudaErrorNotSupported;
    if (!error) error = cudaDeviceGetDefaultMemPool(&pool, device);
    if (!error) error = cudaDeviceGetMemPool(&same, device);
    if (!error && pool == same) error = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    if (!error) error = cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back);
    done = error == cudaSuccess;
    return error;
}

cudaError_t split_softmax(matrix x, matrix y, int chunk, cudaStream_t stream) {
    if ((x.type != CUDA_R_32F && x.type != CUDA_R_16F && x.type != CUDA_R_16BF) || y.type != x.type) return cudaErrorInvalidValue;
    if (x.cols < 1 || x.cols > SPLIT_SOFTMAX_MAX_COLS || x.rows < 0 || x.rows > INT32_MAX / x.cols) return cudaErrorInvalidValue;
    if (x.rows != y.rows || x.cols != y.cols || x.pitch != x.cols || y.pitch != y.cols) return cudaErrorInvalidValue;
    if (chunk != 256 && chunk != 1024 && chunk != 4096) return cudaErrorInvalidValue;
    if (x.rows == 0) return cudaSuccess;
    if (!known(x.data) || !known(y.data)) return cudaErrorInvalidValue;
    size_t bytes = (size_t)x.rows * x.cols * (x.type == CUDA_R_32F ? 4 : 2);
    uintptr_t a = (uintptr_t)x.data, b = (uintptr_t)y.data;
    if (a < b + bytes && b < a + bytes) return cudaErrorInvalidValue;

    unsigned flags = 0;
    int priority = 0, least = 0, greatest = 0;
    enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaError_t error = CHECK(cudaStreamIsCapturing(stream, &capture));
    if (!error && capture == cudaStreamCaptureStatusNone) {
        error = CHECK(cudaStreamGetFlags(stream, &flags));
        if (!error) error = CHECK(cudaStreamGetPriority(stream, &priority));
        if (!error) error = CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        if (!error) error = CHECK(keep_scratch_in_the_pool());
    }
    if (error) return error;

    int64_t chunks = split_softmax_chunks(x.cols, chunk), states = x.rows * chunks;
    float *s = NULL;
    cudaEvent_t summed = NULL;
    error = CHECK(cudaMallocAsync((void **)&s, split_softmax_scratch_bytes(x.rows, x.cols, chunk), stream));
    if (error) return error;
    error = CHECK(cudaEventCreateWithFlags(&summed, cudaEventDisableTiming));
    if (!error) error = CHECK(cudaMemsetAsync(s + 2 * states, 0, x.rows * 2 * sizeof *s, 0));
    if (!error) error = CHECK(split_softmax_partials(x, chunk, s, s + states, stream));
    if (!error) error = CHECK(cudaEventRecord(summed, stream));
    if (!error) error = CHECK(cudaStreamWaitEvent(stream, summed, 0));
    if (!error) error = CHECK(split_softmax_merge(s, s + states, x.rows, chunks, s + 2 * states, s + 2 * states + x.rows, stream));
    if (!error) error = CHECK(split_softmax_normalize(x, chunk, s + 2 * states, s + 2 * states + x.rows, y, stream));
    if (summed) cudaEventDestroy(summed);
    cudaError_t freed = CHECK(cudaFreeAsync(s, stream));
    return error ? error : freed;
}
