/* The benchmark's own kernels (see kernels.h). */
#include "kernels.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum { THREADS = 256, ROW_TURN = 977 /* as in workload.h */ };

template <typename T>
static __global__ void fill(T *x, const T *base, int64_t cols, int64_t pitch, int64_t base_rows,
                            int64_t shift) {
    const int64_t row = blockIdx.x;
    const T *from = base + row % base_rows * cols;
    const int64_t turn = (shift + ROW_TURN * (row / base_rows)) % cols;
    for (int64_t col = blockIdx.y * (int64_t)blockDim.x + threadIdx.x; col < cols;
         col += (int64_t)gridDim.y * blockDim.x) {
        const int64_t at = col + turn;
        x[row * pitch + col] = from[at < cols ? at : at - cols];
    }
}

cudaError_t kernel_fill(void *x, const void *base, int64_t rows, int64_t cols, int64_t pitch,
                        int64_t base_rows, int64_t shift, int element_bytes, cudaStream_t stream) {
    const unsigned pieces = (unsigned)((cols + 8 * THREADS - 1) / (8 * THREADS));
    const dim3 grid((unsigned)rows, pieces < 64 ? pieces : 64);
    if (element_bytes == 4)
        fill<<<grid, THREADS, 0, stream>>>((uint32_t *)x, (const uint32_t *)base, cols, pitch, base_rows,
                                           shift);
    else
        fill<<<grid, THREADS, 0, stream>>>((uint16_t *)x, (const uint16_t *)base, cols, pitch, base_rows,
                                           shift);
    return cudaGetLastError();
}

template <typename T> static __global__ void exchange(T *x, int64_t a, int64_t b) {
    const T kept = x[a];
    x[a] = x[b];
    x[b] = kept;
}

cudaError_t kernel_exchange(void *x, int64_t a, int64_t b, int element_bytes, cudaStream_t stream) {
    if (element_bytes == 4)
        exchange<<<1, 1, 0, stream>>>((uint32_t *)x, a, b);
    else
        exchange<<<1, 1, 0, stream>>>((uint16_t *)x, a, b);
    return cudaGetLastError();
}

static __device__ float to_float(float value) {
    return value;
}
static __device__ float to_float(__half value) {
    return __half2float(value);
}
static __device__ float to_float(__nv_bfloat16 value) {
    return __bfloat162float(value);
}
static __device__ void round_to(float *out, float value) {
    *out = value;
}
static __device__ void round_to(__half *out, float value) {
    *out = __float2half_rn(value);
}
static __device__ void round_to(__nv_bfloat16 *out, float value) {
    *out = __float2bfloat16_rn(value);
}

/* The maximum (or sum) over the block, in every thread; a tree in shared memory. */
template <bool SUM> static __device__ float over_block(float value) {
    __shared__ float of_thread[THREADS];
    __syncthreads(); /* an earlier result has been read by all */
    of_thread[threadIdx.x] = value;
    for (int distance = THREADS / 2; distance > 0; distance /= 2) {
        __syncthreads();
        if (threadIdx.x < distance) {
            const float a = of_thread[threadIdx.x], b = of_thread[threadIdx.x + distance];
            of_thread[threadIdx.x] = SUM ? a + b : fmaxf(a, b);
        }
    }
    __syncthreads();
    return of_thread[0];
}

template <typename T> static __global__ void looped_softmax(const T *x, T *y, int cols, int64_t pitch) {
    const T *x_row = x + blockIdx.x * pitch;
    T *y_row = y + blockIdx.x * pitch;
    float max = -INFINITY, sum = 0;
    for (int col = threadIdx.x; col < cols; col += THREADS)
        max = fmaxf(max, to_float(x_row[col]));
    max = over_block<false>(max);
    for (int col = threadIdx.x; col < cols; col += THREADS)
        sum += expf(to_float(x_row[col]) - max);
    const float scale = 1 / over_block<true>(sum);
    for (int col = threadIdx.x; col < cols; col += THREADS)
        round_to(&y_row[col], expf(to_float(x_row[col]) - max) * scale);
}

cudaError_t kernel_looped_softmax(const void *x, void *y, cudaDataType_t type, int64_t rows, int64_t cols,
                                  int64_t pitch, cudaStream_t stream) {
    const unsigned blocks = (unsigned)rows;
    if (type == CUDA_R_32F)
        looped_softmax<<<blocks, THREADS, 0, stream>>>((const float *)x, (float *)y, (int)cols, pitch);
    else if (type == CUDA_R_16F)
        looped_softmax<<<blocks, THREADS, 0, stream>>>((const __half *)x, (__half *)y, (int)cols, pitch);
    else
        looped_softmax<<<blocks, THREADS, 0, stream>>>((const __nv_bfloat16 *)x, (__nv_bfloat16 *)y,
                                                       (int)cols, pitch);
    return cudaGetLastError();
}

static __global__ void nothing(void) {}

cudaError_t kernel_empty(cudaStream_t stream) {
    nothing<<<1, 32, 0, stream>>>();
    return cudaGetLastError();
}

/* As many of these blocks as a multiprocessor takes are all of its threads: 2048, 1536 or 1024 by model. */
enum { HOLD_THREADS = 512 };
static __device__ unsigned holding; /* blocks that are there */

static __device__ unsigned long long nanoseconds_now(void) {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* One thread of each block looks at the timer, the others wait for it at the barrier. */
static __global__ void hold(unsigned long long nanoseconds, volatile unsigned *held, unsigned number) {
    if (threadIdx.x == 0) {
        const unsigned long long start = nanoseconds_now();
        if (atomicInc(&holding, gridDim.x - 1) == gridDim.x - 1) /* the last; holding is 0 again */
            *held = number, __threadfence_system();
        while (nanoseconds_now() - start < nanoseconds)
            ;
    }
    __syncthreads();
}

cudaError_t kernel_hold(int microseconds, volatile unsigned *held, unsigned number, cudaStream_t stream) {
    int device = 0, multiprocessors = 0, threads = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    if (error != cudaSuccess)
        return error;
    const unsigned blocks = (unsigned)multiprocessors * (unsigned)(threads / HOLD_THREADS);
    hold<<<blocks, HOLD_THREADS, 0, stream>>>(1000ull * (unsigned)microseconds, held, number);
    return cudaGetLastError();
}
