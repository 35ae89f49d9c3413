/* row_reduction, finished: a thread an element, then a block a row.
 *
 * Thread t of a block of 256 takes the columns t, t + 256, t + 512 ... of its row, and is left with one
 * value. A tree in shared memory makes one of 256: in each round the first half of the places takes in the
 * second half.
 *
 *   place     0   1   2   3 | 4   5   6   7          here a block of 8
 *   round 1   0+4 1+5 2+6 3+7                        4 threads work, then a barrier
 *   round 2   0+2 1+3                                2
 *   round 3   0+1                                    1: place 0 has it all */
#include "row_reduction.h"

#include <math.h>

enum { THREADS = 256 /* of a block: a power of two, for the tree */ };

/* Thread n of the grid has element n, counted row after row without the padding. */
static __global__ void scale_kernel(const float *x, float factor, float *y, int64_t rows, int64_t cols,
                                    int64_t pitch) {
    const int64_t element = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (element >= rows * cols) /* the last block has threads to spare */
        return;
    const int64_t row = element / cols, col = element % cols;
    y[row * pitch + col] = factor * x[row * pitch + col];
}

cudaError_t row_scale(matrix x, float factor, matrix y, cudaStream_t stream) {
    const int64_t blocks = (x.rows * x.cols + THREADS - 1) / THREADS;
    scale_kernel<<<(unsigned)blocks, THREADS, 0, stream>>>(
        static_cast<const float *>(x.data), factor, static_cast<float *>(y.data), x.rows, x.cols, x.pitch);
    return cudaGetLastError();
}

static __global__ void max_kernel(const float *x, float *max, int64_t cols, int64_t pitch) {
    __shared__ float of_thread[THREADS];
    const int thread = threadIdx.x;
    const float *row = x + blockIdx.x * pitch;

    /* A thread without a column keeps -inf, which changes no maximum. */
    float value = -INFINITY;
    for (int64_t col = thread; col < cols; col += THREADS)
        value = fmaxf(value, row[col]);

    of_thread[thread] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half)
            of_thread[thread] = fmaxf(of_thread[thread], of_thread[thread + half]);
        __syncthreads(); /* every thread reaches it: it stands outside the if */
    }
    if (thread == 0)
        max[blockIdx.x] = of_thread[0];
}

cudaError_t row_max(matrix x, float *max, cudaStream_t stream) {
    max_kernel<<<(unsigned)x.rows, THREADS, 0, stream>>>(static_cast<const float *>(x.data), max, x.cols,
                                                         x.pitch);
    return cudaGetLastError();
}

static __global__ void sum_kernel(const float *x, float *sum, int64_t cols, int64_t pitch) {
    __shared__ float of_thread[THREADS];
    const int thread = threadIdx.x;
    const float *row = x + blockIdx.x * pitch;

    /* In FP64, since a thread of the widest rows has millions of columns: in FP32 each addition rounds to the
     * step of a sum that has grown large. From here on there are 8 additions, one a round. */
    double value = 0;
    for (int64_t col = thread; col < cols; col += THREADS)
        value += row[col];

    of_thread[thread] = (float)value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half)
            of_thread[thread] += of_thread[thread + half];
        __syncthreads();
    }
    if (thread == 0)
        sum[blockIdx.x] = of_thread[0];
}

cudaError_t row_sum(matrix x, float *sum, cudaStream_t stream) {
    sum_kernel<<<(unsigned)x.rows, THREADS, 0, stream>>>(static_cast<const float *>(x.data), sum, x.cols,
                                                         x.pitch);
    return cudaGetLastError();
}
