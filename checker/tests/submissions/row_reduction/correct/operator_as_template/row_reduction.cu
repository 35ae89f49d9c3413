/* Correct: one reduction for both, with the operator as a template parameter, in dynamic shared memory, whose last
 * rounds are one warp's; launched by cudaLaunchKernel. */
#include "row_reduction.h"

#include <math.h>

struct larger {
    static constexpr float neutral = -INFINITY;
    static __device__ float of(float a, float b) { return a < b ? b : a; }
};

struct added {
    static constexpr float neutral = 0;
    static __device__ float of(float a, float b) { return a + b; }
};

template <typename OPERATOR>
static __global__ void reduce(const float *x, float *out, int64_t cols, int64_t pitch) {
    extern __shared__ float place[];
    const unsigned t = threadIdx.x;
    float value = OPERATOR::neutral;
    for (int64_t col = t; col < cols; col += blockDim.x)
        value = OPERATOR::of(value, x[blockIdx.x * pitch + col]);
    place[t] = value;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half >= 32; half /= 2) {
        if (t < half)
            place[t] = OPERATOR::of(place[t], place[t + half]);
        __syncthreads();
    }
    if (t < 32) {
        for (unsigned half = 16; half > 0; half /= 2) {
            if (t < half)
                place[t] = OPERATOR::of(place[t], place[t + half]);
            __syncwarp();
        }
        if (t == 0)
            out[blockIdx.x] = place[0];
    }
}

static __global__ void scale(const float *x, float factor, float *y, int64_t cols, int64_t pitch) {
    for (int64_t col = threadIdx.x; col < cols; col += blockDim.x)
        y[blockIdx.x * pitch + col] = factor * x[blockIdx.x * pitch + col];
}

/* As many threads as the row has columns, but whole warps, a power of two and at most 512. */
static unsigned threads_for(int64_t cols) {
    unsigned threads = 64;
    while (threads < 512 && threads < cols)
        threads *= 2;
    return threads;
}

template <typename OPERATOR> static cudaError_t launch(matrix x, float *out, cudaStream_t stream) {
    const unsigned threads = threads_for(x.cols);
    const float *data = static_cast<const float *>(x.data);
    void *arguments[] = {&data, &out, &x.cols, &x.pitch};
    return cudaLaunchKernel(reinterpret_cast<const void *>(reduce<OPERATOR>), dim3((unsigned)x.rows),
                            dim3(threads), arguments, threads * sizeof(float), stream);
}

cudaError_t row_scale(matrix x, float factor, matrix y, cudaStream_t stream) {
    scale<<<(unsigned)x.rows, threads_for(x.cols), 0, stream>>>((const float *)x.data, factor,
                                                                (float *)y.data, x.cols, x.pitch);
    return cudaGetLastError();
}

cudaError_t row_max(matrix x, float *max, cudaStream_t stream) {
    return launch<larger>(x, max, stream);
}

cudaError_t row_sum(matrix x, float *sum, cudaStream_t stream) {
    return launch<added>(x, sum, stream);
}
