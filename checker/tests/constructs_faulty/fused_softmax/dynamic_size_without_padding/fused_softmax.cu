// Faulty (rows.each_number), a twin of the construct shared_memory_struct. Shows: extern __shared__ of several types by a SharedMemory<T> that is specialised, raw bytes cut into arrays, a
// dynamic size from sizeof, shared memory in a template, a bank-conflict pad, __syncthreads in a templated tree.
#include "fused_softmax.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> struct SharedMemory;
template <> struct SharedMemory<float> {
    __device__ operator float *() {
        extern __shared__ float s_float[];
        return s_float;
    }
};
template <> struct SharedMemory<__half> {
    __device__ operator __half *() {
        extern __shared__ __half s_half[];
        return s_half;
    }
};
template <> struct SharedMemory<__nv_bfloat16> {
    __device__ operator __nv_bfloat16 *() {
        extern __shared__ __nv_bfloat16 s_bfloat16[];
        return s_bfloat16;
    }
};

template <unsigned N, class F> __device__ float tree(float *s, F f, float v) {
    const unsigned t = threadIdx.x;
    s[t] = v;
    __syncthreads();
#pragma unroll
    for (unsigned half = N / 2; half >= 1; half >>= 1) {
        if (t < half)
            s[t] = f(s[t], s[t + half]);
        __syncthreads();
    }
    const float r = s[0];
    __syncthreads();
    return r;
}

// A block of (64, rows_per_block): the rows as they are, then a tree of 64 floats a row.
template <class T> __global__ void with_shared_rows(const T *__restrict__ x, T *__restrict__ y, int64_t rows, int cols, int64_t pitch, int kept) {
    T *staged = SharedMemory<T>();
    extern __shared__ __align__(16) unsigned char bytes[];
    float *work = (float *)(bytes + (size_t)blockDim.y * kept * sizeof(T)) + threadIdx.y * (64 + 1);
    staged += threadIdx.y * kept;
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    const bool there = row < rows; // no return: every thread meets the barriers
    float m = -INFINITY, s = 0;
    if (there)
        for (int c = threadIdx.x; c < cols; c += blockDim.x) {
            staged[c] = x[row * pitch + c];
            m = fmaxf(m, (float)staged[c]);
        }
    m = tree<64>(work, [](float a, float b) { return fmaxf(a, b); }, m);
    if (there)
        for (int c = threadIdx.x; c < cols; c += 64)
            s += __expf((float)staged[c] - m);
    s = tree<64>(work, [](float a, float b) { return a + b; }, s);
    if (there)
        for (int c = threadIdx.x; c < cols; c += 64)
            y[row * pitch + c] = (T)(__expf((float)staged[c] - m) / s);
}

template <class T> static cudaError_t run(const matrix &x, const matrix &y, int k, cudaStream_t stream) {
    const int kept = ((int)x.cols + 3) & ~3;
    const size_t shared = k * kept * sizeof(T) + k * 64 * sizeof(float);
    with_shared_rows<T><<<(unsigned)((x.rows + k - 1) / k), dim3(64, k), shared, stream>>>((const T *)x.data, (T *)y.data, x.rows,
                                                                                        (int)x.cols, x.pitch, kept);
    return cudaGetLastError();
}

static cudaError_t check(const matrix &x, const matrix &y, int k) {
    if (k <= 0 || k > 8 || (k & k - 1))
        return cudaErrorInvalidValue;
    if (x.rows != y.rows || x.cols != y.cols || x.type != y.type || x.pitch != y.pitch)
        return cudaErrorInvalidValue;
    if (x.rows < 0 || x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS || x.rows > INT32_MAX / x.cols)
        return cudaErrorInvalidValue;
    if (x.pitch < x.cols || x.pitch % 4)
        return cudaErrorInvalidValue;
    if (x.type != CUDA_R_32F && x.type != CUDA_R_16F && x.type != CUDA_R_16BF)
        return cudaErrorInvalidValue;
    for (int i = 0; i < 2 && x.rows; i++) {
        cudaPointerAttributes a;
        if (cudaPointerGetAttributes(&a, (i ? y : x).data) != cudaSuccess) {
            cudaGetLastError();
            return cudaErrorInvalidValue;
        }
        if (a.type != cudaMemoryTypeDevice && a.type != cudaMemoryTypeManaged)
            return cudaErrorInvalidValue;
    }
    const uintptr_t p = (uintptr_t)x.data, q = (uintptr_t)y.data;
    if (x.rows && (p > q ? p - q : q - p) < ((x.rows - 1) * x.pitch + x.cols) * (x.type == CUDA_R_32F ? 4u : 2u))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

cudaError_t fused_softmax(matrix x, matrix y, int k, cudaStream_t stream) {
    cudaError_t error = check(x, y, k);
    if (error != cudaSuccess || !x.rows)
        return error;
    switch (x.type) {
    case CUDA_R_32F:
        return run<float>(x, y, k, stream);
    case CUDA_R_16F:
        return run<__half>(x, y, k, stream);
    default:
        return run<__nv_bfloat16>(x, y, k, stream);
    }
}
