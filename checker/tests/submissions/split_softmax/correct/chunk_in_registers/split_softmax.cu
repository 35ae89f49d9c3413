/* Correct: the length of the chunk is a template parameter, so that a thread keeps its values of the chunk in
 * registers, from the load to the sum. Whole chunks and the tail of a row are two instances: only the tail compares
 * columns. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <int CHUNK> struct shape {
    static constexpr int threads = CHUNK < 1024 ? 64 : 256, warps = threads / 32, values = CHUNK / threads;
};

static __device__ float load(const float *from) { return *from; }
static __device__ float load(const __half *from) { return __half2float(*from); }
static __device__ float load(const __nv_bfloat16 *from) { return __bfloat162float(*from); }
static __device__ void store(float *to, float value) { *to = value; }
static __device__ void store(__half *to, float value) { *to = __float2half_rn(value); }
static __device__ void store(__nv_bfloat16 *to, float value) { *to = __float2bfloat16_rn(value); }

struct larger {
    static constexpr float identity = -INFINITY;
    static __device__ float of(float a, float b) { return fmaxf(a, b); }
};
struct sum {
    static constexpr float identity = 0;
    static __device__ float of(float a, float b) { return a + b; }
};

template <class Operation> static __device__ float over_warp(float value) {
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1)
        value = Operation::of(value, __shfl_xor_sync(0xffffffffu, value, mask));
    return value;
}

/* Each instance has a shared array of its own: two in a row need no barrier between them. */
template <class Operation, int WARPS> static __device__ float over_block(float value) {
    __shared__ float of_warp[WARPS];
    value = over_warp<Operation>(value);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    float whole = Operation::identity;
#pragma unroll
    for (int warp = 0; warp < WARPS; warp++)
        whole = Operation::of(whole, of_warp[warp]);
    return whole;
}

/* The values of this thread, THREADS columns apart; left is how many columns the chunk has. */
template <typename T, int CHUNK, bool WHOLE>
static __device__ void load_values(const T *from, int left, float (&value)[shape<CHUNK>::values]) {
#pragma unroll
    for (int i = 0; i < shape<CHUNK>::values; i++) {
        const int at = i * shape<CHUNK>::threads + (int)threadIdx.x;
        value[i] = WHOLE || at < left ? load(from + at) : -INFINITY;
    }
}

template <typename T, int CHUNK, bool WHOLE>
static __device__ void summarize(const T *from, int left, float *chunk_max, float *chunk_sum) {
    constexpr int values = shape<CHUNK>::values, warps = shape<CHUNK>::warps;
    float value[values];
    load_values<T, CHUNK, WHOLE>(from, left, value);

    float max = value[0];
#pragma unroll
    for (int i = 1; i < values; i++)
        max = fmaxf(max, value[i]);
    max = over_block<larger, warps>(max);

    const float shift = max == -INFINITY ? 0 : max; /* a NaN is in the values, and gets into the sum */
    float total = 0;
#pragma unroll
    for (int i = 0; i < values; i++)
        total += expf(value[i] - shift);
    total = over_block<sum, warps>(total);
    if (threadIdx.x == 0) {
        *chunk_max = max;
        *chunk_sum = total;
    }
}

template <typename T, int CHUNK>
static __global__ void __launch_bounds__(shape<CHUNK>::threads)
    partials_kernel(const T *x, int cols, int chunks, float *partial_max, float *partial_sum) {
    const int row = blockIdx.x / chunks, first = blockIdx.x % chunks * CHUNK, left = cols - first;
    const T *from = x + (size_t)row * cols + first;
    if (left >= CHUNK) /* the same for all threads of the block */
        summarize<T, CHUNK, true>(from, left, partial_max + blockIdx.x, partial_sum + blockIdx.x);
    else
        summarize<T, CHUNK, false>(from, left, partial_max + blockIdx.x, partial_sum + blockIdx.x);
}

static __global__ void merge_kernel(const float *partial_max, const float *partial_sum, int chunks, float *row_max,
                                    float *row_sum) {
    const size_t row = blockIdx.x, first = row * chunks;
    float max = -INFINITY, total = 0;
    for (int i = threadIdx.x; i < chunks; i += 32)
        max = fmaxf(max, partial_max[first + i]);
    max = over_warp<larger>(max);
    for (int i = threadIdx.x; i < chunks; i += 32)
        if (partial_sum[first + i] != 0) /* NaN != 0 as well */
            total += partial_sum[first + i] * expf(partial_max[first + i] - (max == -INFINITY ? 0 : max));
    total = over_warp<sum>(total);
    if (threadIdx.x == 0) {
        row_max[row] = max;
        row_sum[row] = total;
    }
}

template <typename T, int CHUNK, bool WHOLE>
static __device__ void divide(const T *from, T *to, int left, float max, float total) {
    float value[shape<CHUNK>::values];
    load_values<T, CHUNK, WHOLE>(from, left, value);
#pragma unroll
    for (int i = 0; i < shape<CHUNK>::values; i++) {
        const int at = i * shape<CHUNK>::threads + (int)threadIdx.x;
        if (WHOLE || at < left)
            store(to + at, expf(value[i] - max) / total);
    }
}

template <typename T, int CHUNK>
static __global__ void __launch_bounds__(shape<CHUNK>::threads)
    normalize_kernel(const T *x, int cols, int chunks, const float *row_max, const float *row_sum, T *y) {
    const int row = blockIdx.x / chunks, first = blockIdx.x % chunks * CHUNK, left = cols - first;
    const size_t start = (size_t)row * cols + first;
    if (left >= CHUNK)
        divide<T, CHUNK, true>(x + start, y + start, left, row_max[row], row_sum[row]);
    else
        divide<T, CHUNK, false>(x + start, y + start, left, row_max[row], row_sum[row]);
}

/* Calls what is given with an element type and a chunk, both known to the compiler. */
template <typename T, class Launch> static cudaError_t with_chunk(int chunk, Launch launch) {
    switch (chunk) {
    case 256:
        return launch.template with<T, 256>();
    case 1024:
        return launch.template with<T, 1024>();
    default:
        return launch.template with<T, 4096>();
    }
}

template <class Launch> static cudaError_t with_type_and_chunk(cudaDataType_t type, int chunk, Launch launch) {
    switch (type) {
    case CUDA_R_32F:
        return with_chunk<float>(chunk, launch);
    case CUDA_R_16F:
        return with_chunk<__half>(chunk, launch);
    default:
        return with_chunk<__nv_bfloat16>(chunk, launch);
    }
}

struct launch_partials {
    matrix x;
    float *partial_max, *partial_sum;
    cudaStream_t stream;
    template <typename T, int CHUNK> cudaError_t with() const {
        const int chunks = (int)split_softmax_chunks(x.cols, CHUNK);
        partials_kernel<T, CHUNK><<<(unsigned)(x.rows * chunks), shape<CHUNK>::threads, 0, stream>>>(
            (const T *)x.data, (int)x.cols, chunks, partial_max, partial_sum);
        return cudaGetLastError();
    }
};

struct launch_normalize {
    matrix x, y;
    const float *row_max, *row_sum;
    cudaStream_t stream;
    template <typename T, int CHUNK> cudaError_t with() const {
        const int chunks = (int)split_softmax_chunks(x.cols, CHUNK);
        normalize_kernel<T, CHUNK><<<(unsigned)(x.rows * chunks), shape<CHUNK>::threads, 0, stream>>>(
            (const T *)x.data, (int)x.cols, chunks, row_max, row_sum, (T *)y.data);
        return cudaGetLastError();
    }
};

cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum, cudaStream_t stream) {
    return with_type_and_chunk(x.type, chunk, launch_partials{x, partial_max, partial_sum, stream});
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows, int64_t chunks,
                                float *row_max, float *row_sum, cudaStream_t stream) {
    merge_kernel<<<(unsigned)rows, 32, 0, stream>>>(partial_max, partial_sum, (int)chunks, row_max, row_sum);
    return cudaGetLastError();
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    return with_type_and_chunk(x.type, chunk, launch_normalize{x, y, row_max, row_sum, stream});
}
