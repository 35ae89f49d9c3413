/* Shows: every host call of the runtime API in C, in a self-test as people leave one in the file: a static function that only a main()
 * under #ifdef would call. What waits cannot be called by the operator, so it is compiled and not run. */
/* The host's part of split_softmax: the plan, the checks on the arguments, the scratch memory, and the
 * order of the stages. The kernels are in split_softmax.cu. */
#include "split_softmax.h"

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

/* The three stages, each needing the one before it. The order of the stream is the only wait. */
static cudaError_t run_stages(matrix x, matrix y, int chunk, float *scratch, cudaStream_t stream) {
    int64_t chunks = split_softmax_chunks(x.cols, chunk);
    float *partial_max = scratch;                       /* [rows, chunks] */
    float *partial_sum = partial_max + x.rows * chunks; /* [rows, chunks] */
    float *row_max = partial_sum + x.rows * chunks;     /* [rows] */
    float *row_sum = row_max + x.rows;                  /* [rows] */

    cudaError_t error = split_softmax_partials(x, chunk, partial_max, partial_sum, stream);
    if (error == cudaSuccess)
        error = split_softmax_merge(partial_max, partial_sum, x.rows, chunks, row_max, row_sum, stream);
    if (error == cudaSuccess)
        error = split_softmax_normalize(x, chunk, row_max, row_sum, y, stream);
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

/* ---- the self-test ---- */

static void CUDART_CB tell(void *argument) { *(int *)argument += 1; }

#define DO(call)                                                                                             \
    do {                                                                                                     \
        cudaError_t failed = (call);                                                                              \
        if (failed != cudaSuccess)                                                                                \
            return failed;                                                                                        \
    } while (0)

__attribute__((unused)) static cudaError_t self_test(void) {
    int n = 0, device = 0, least, greatest, can, called = 0;
    unsigned flags;
    size_t size, total, pitch;
    float *a, *b, *wide, *host = NULL, *pinned = NULL, *managed = NULL, ms;
    struct cudaDeviceProp properties;
    struct cudaPointerAttributes attributes;
    cudaStream_t s, t, u;
    cudaEvent_t e, f;
    cudaMemPool_t pool;
    struct cudaMemLocation here;
    enum cudaStreamCaptureStatus capture;
    enum cudaFuncCache cache;
    uint64_t threshold = 0;

    DO(cudaInitDevice(0, 0, 0));
    DO(cudaSetDeviceFlags(cudaDeviceScheduleAuto));
    DO(cudaGetDeviceFlags(&flags));
    DO(cudaGetDeviceCount(&n));
    DO(cudaSetValidDevices(&device, 1));
    DO(cudaSetDevice(device));
    DO(cudaGetDevice(&device));
    DO(cudaGetDeviceProperties(&properties, device));
    DO(cudaChooseDevice(&device, &properties));
    DO(cudaDeviceCanAccessPeer(&can, 0, 0));
    DO(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, device));
    DO(cudaDriverGetVersion(&n));
    DO(cudaRuntimeGetVersion(&n));
    DO(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    DO(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    DO(cudaDeviceGetCacheConfig(&cache));
    enum cudaSharedMemConfig banks;
    DO(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
    DO(cudaDeviceGetSharedMemConfig(&banks));
    DO(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    DO(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
    DO(cudaMalloc((void **)&a, 1024));
    DO(cudaMallocPitch((void **)&wide, &pitch, 100, 4));
    DO(cudaMallocHost((void **)&host, 1024));
    DO(cudaHostAlloc((void **)&pinned, 1024, cudaHostAllocDefault));
    DO(cudaMallocManaged((void **)&managed, 1024, cudaMemAttachGlobal));
    DO(cudaMemGetInfo(&size, &total));
    DO(cudaStreamCreate(&s));
    DO(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    DO(cudaStreamCreateWithPriority(&u, cudaStreamDefault, greatest));
    DO(cudaStreamGetFlags(t, &flags));
    DO(cudaStreamGetPriority(u, &n));
    DO(cudaStreamIsCapturing(s, &capture));
    DO(cudaStreamGetDevice(s, &device));
    here.type = cudaMemLocationTypeDevice, here.id = device;
    DO(cudaMemAdvise(managed, 1024, cudaMemAdviseSetPreferredLocation, here));
    DO(cudaMemPrefetchAsync(managed, 1024, here, 0, s));
    DO(cudaMallocAsync((void **)&b, 1024, s));
    DO(cudaPointerGetAttributes(&attributes, b));
    DO(cudaDeviceGetDefaultMemPool(&pool, device));
    DO(cudaDeviceGetMemPool(&pool, device));
    DO(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    DO(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    DO(cudaMemPoolTrimTo(pool, 0));
    DO(cudaEventCreate(&e));
    DO(cudaEventCreateWithFlags(&f, cudaEventBlockingSync));
    DO(cudaEventRecord(e, s));
    DO(cudaMemset(a, 0, 1024));
    DO(cudaMemsetAsync(b, 0, 1024, s));
    DO(cudaMemset2D(wide, pitch, 0, 100, 4));
    DO(cudaMemset2DAsync(wide, pitch, 0, 100, 4, s));
    DO(cudaMemcpy(a, host, 1024, cudaMemcpyHostToDevice));
    DO(cudaMemcpyAsync(pinned, b, 1024, cudaMemcpyDeviceToHost, s));
    DO(cudaMemcpy2D(host, 100, wide, pitch, 100, 2, cudaMemcpyDeviceToHost));
    DO(cudaMemcpy2DAsync(wide, pitch, pinned, 100, 100, 2, cudaMemcpyHostToDevice, s));
    DO(cudaLaunchHostFunc(s, tell, &called));
    DO(cudaEventRecord(f, s));
    DO(cudaStreamWaitEvent(t, f, 0));
    while (cudaEventQuery(f) == cudaErrorNotReady || cudaStreamQuery(s) == cudaErrorNotReady)
        ;
    DO(cudaEventSynchronize(f));
    DO(cudaEventElapsedTime(&ms, e, f));
    DO(cudaStreamSynchronize(s));
    DO(cudaFreeAsync(b, s));
    DO(cudaEventDestroy(e));
    DO(cudaEventDestroy(f));
    DO(cudaStreamDestroy(s));
    DO(cudaStreamDestroy(t));
    DO(cudaStreamDestroy(u));
    DO(cudaFree(a));
    DO(cudaFree(wide));
    DO(cudaFree(managed));
    DO(cudaFreeHost(host));
    DO(cudaFreeHost(pinned));
    DO(cudaCtxResetPersistingL2Cache());
    DO(cudaDeviceSynchronize());
    if (cudaPeekAtLastError() != cudaSuccess && cudaGetErrorName(cudaGetLastError()) && cudaGetErrorString(cudaErrorUnknown))
        return cudaErrorUnknown;
    return cudaDeviceReset();
}
