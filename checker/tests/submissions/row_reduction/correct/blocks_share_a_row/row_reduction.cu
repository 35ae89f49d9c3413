/* Correct: several blocks share a row and bring their results together by one atomic a block, on memory that was
 * set on the stream before. */
#include "row_reduction.h"

#include <math.h>

constexpr int threads = 128, columns = 512; /* of a block */

static __global__ void scale(const float *x, float factor, float *y, int64_t cols, int64_t pitch,
                             int64_t parts) {
    const int64_t row = blockIdx.x / parts, first = blockIdx.x % parts * columns;
    for (int64_t col = first + threadIdx.x; col < first + columns && col < cols; col += threads)
        y[row * pitch + col] = factor * x[row * pitch + col];
}

static __global__ void fill(float *out, float value, int64_t count) {
    const int64_t i = (int64_t)blockIdx.x * threads + threadIdx.x;
    if (i < count)
        out[i] = value;
}

/* The bits of floats, as whole numbers, are in the order of the floats from 0 up, and in the opposite one below. */
static __device__ void atomic_max(float *at, float value) {
    if (value >= 0)
        atomicMax(reinterpret_cast<int *>(at), __float_as_int(value));
    else
        atomicMin(reinterpret_cast<unsigned *>(at), __float_as_uint(value));
}

static __global__ void max_part(const float *x, float *max, int64_t cols, int64_t pitch, int64_t parts) {
    __shared__ float of_thread[threads];
    const int64_t row = blockIdx.x / parts, first = blockIdx.x % parts * columns;
    float value = -INFINITY;
    for (int64_t col = first + threadIdx.x; col < first + columns && col < cols; col += threads)
        value = fmaxf(value, x[row * pitch + col]);
    of_thread[threadIdx.x] = value;
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            of_thread[threadIdx.x] = fmaxf(of_thread[threadIdx.x], of_thread[threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        atomic_max(&max[row], of_thread[0]);
}

static __global__ void sum_part(const float *x, float *sum, int64_t cols, int64_t pitch, int64_t parts) {
    __shared__ float of_thread[threads];
    const int64_t row = blockIdx.x / parts, first = blockIdx.x % parts * columns;
    float value = 0;
    for (int64_t col = first + threadIdx.x; col < first + columns && col < cols; col += threads)
        value += x[row * pitch + col];
    of_thread[threadIdx.x] = value;
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            of_thread[threadIdx.x] += of_thread[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        atomicAdd(&sum[row], of_thread[0]);
}

static int64_t parts_of(matrix x) {
    return (x.cols + columns - 1) / columns;
}

cudaError_t row_scale(matrix x, float factor, matrix y, cudaStream_t stream) {
    const int64_t parts = parts_of(x);
    scale<<<(unsigned)(x.rows * parts), threads, 0, stream>>>((const float *)x.data, factor, (float *)y.data,
                                                              x.cols, x.pitch, parts);
    return cudaGetLastError();
}

cudaError_t row_max(matrix x, float *max, cudaStream_t stream) {
    const int64_t parts = parts_of(x);
    fill<<<(unsigned)((x.rows + threads - 1) / threads), threads, 0, stream>>>(max, -INFINITY, x.rows);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    max_part<<<(unsigned)(x.rows * parts), threads, 0, stream>>>((const float *)x.data, max, x.cols, x.pitch,
                                                                 parts);
    return cudaGetLastError();
}

cudaError_t row_sum(matrix x, float *sum, cudaStream_t stream) {
    const int64_t parts = parts_of(x);
    const cudaError_t error = cudaMemsetAsync(sum, 0, (size_t)x.rows * sizeof *sum, stream);
    if (error != cudaSuccess)
        return error;
    sum_part<<<(unsigned)(x.rows * parts), threads, 0, stream>>>((const float *)x.data, sum, x.cols, x.pitch,
                                                                 parts);
    return cudaGetLastError();
}
