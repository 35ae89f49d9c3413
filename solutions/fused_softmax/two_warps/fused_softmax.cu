/* fused_softmax again: two warps a row, so that more loads are on their way.
 *
 * One warp a row holds up to 32 columns in each thread, and an SM has registers for few such threads. Two
 * warps halve that, and a load brings 16 bytes also of 16 bits where the pitch allows it: a pack is 4
 * neighbouring elements, or 8 halves.
 *
 *   warp               0                          1                          0
 *   lane     0      1     ...   31      0      1     ...   31      0      1     ...
 *   pack     0      1     ...   31      32     33    ...   63      64     65    ...
 *
 * Each warp finds the maximum and the sum of what it holds by shuffles. Then the warps of a row meet once:
 * each puts its (max, sum) into shared memory, and after one barrier each merges the states of its row.
 *
 *   warp 0: (max, sum) --> shared memory --> merged --> scale of warp 0's values, stored
 *   warp 1: (max, sum) -->               --> merged --> scale of warp 1's values, stored
 *
 * The block is (32, warps of a row, rows_per_block). Rows of one warp meet nobody. */
#include "fused_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum {
    WARP = 32,
    QUAD = 4,          /* elements that every row and pitch allows in one load */
    MAX_ROWS = 8,      /* of a block */
    ONE_WARP_PACKS = 2 /* that a lane holds before a second warp helps */
};
static const unsigned ALL_LANES = 0xffffffffu;

/* SIZE elements, moved by one instruction. */
template <typename T, int SIZE> struct alignas(SIZE * sizeof(T)) pack { T element[SIZE]; };

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

/* Every lane gets the maximum of all lanes. A NaN is passed over, and shows up in the sum instead. */
static __device__ float warp_max(float value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
}

static __device__ float warp_sum(float value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, distance);
    return value;
}

/* What to subtract before the exponential: 0 where all is masked, for -inf - -inf would be NaN. */
static __device__ float shift_of(float max) {
    return max == -INFINITY ? 0.0f : max;
}

/* The factor from a warp's own exponentials to probabilities. Every thread of the block calls, those of rows
 * that do not exist too. A row that is all -inf has sum 0, and 0 / 0 makes the NaN that it should be. */
template <int WARPS> static __device__ float scale_of(float max, float sum) {
    if constexpr (WARPS == 1)
        return max == -INFINITY && sum == 0 ? NAN : 1 / sum;
    __shared__ float maxima[MAX_ROWS][WARPS], sums[MAX_ROWS][WARPS];
    if (threadIdx.x == 0) {
        maxima[threadIdx.z][threadIdx.y] = max;
        sums[threadIdx.z][threadIdx.y] = sum;
    }
    __syncthreads();

    float row_max = -INFINITY, row_sum = 0;
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        row_max = fmaxf(row_max, maxima[threadIdx.z][w]);
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        row_sum += sums[threadIdx.z][w] * __expf(maxima[threadIdx.z][w] - shift_of(row_max));
    return __expf(max - shift_of(row_max)) / row_sum;
}

/* SIZE: elements of a pack. PACKS: how many one lane holds, enough for cols. Known to the compiler, so that
 * all loops unroll and every value has a register. */
template <typename T, int SIZE, int WARPS, int PACKS>
static __global__ void softmax_rows(const T *x, T *y, int64_t rows, int cols, int64_t pitch) {
    const int64_t row = (int64_t)blockIdx.x * blockDim.z + threadIdx.z;
    const int first = (threadIdx.y * WARP + threadIdx.x) * SIZE;
    const int step = WARPS * WARP * SIZE;
    const int columns = row < rows ? cols : 0; /* a row that does not exist is a row of no columns */

    /* Past the row's end stands -inf, which changes no maximum and adds exp(-inf) = 0 to the sum. All loads
     * stand before the first use: they are on their way together. */
    pack<T, SIZE> in[PACKS];
#pragma unroll
    for (int p = 0; p < PACKS; p++)
        if (first + p * step < columns)
            in[p] = *reinterpret_cast<const pack<T, SIZE> *>(x + row * pitch + first + p * step);

    float value[PACKS][SIZE];
    float max = -INFINITY;
#pragma unroll
    for (int p = 0; p < PACKS; p++) {
#pragma unroll
        for (int i = 0; i < SIZE; i++) {
            value[p][i] = first + p * step + i < columns ? to_float(in[p].element[i]) : -INFINITY;
            max = fmaxf(max, value[p][i]);
        }
    }
    max = warp_max(max);

    /* A NaN was passed over by the maximum; it makes the sum NaN, and with it the whole row. So does +inf. */
    const float shift = shift_of(max);
    float sum = 0;
#pragma unroll
    for (int p = 0; p < PACKS; p++) {
#pragma unroll
        for (int i = 0; i < SIZE; i++) {
            value[p][i] = __expf(value[p][i] - shift);
            sum += value[p][i];
        }
    }
    const float scale = scale_of<WARPS>(max, warp_sum(sum));

#pragma unroll
    for (int p = 0; p < PACKS; p++) {
        const int col = first + p * step;
        pack<T, SIZE> out;
#pragma unroll
        for (int i = 0; i < SIZE; i++)
            round_to(&out.element[i], value[p][i] * scale);

        /* The pack that holds the row's end is stored by elements: the padding after it is not ours. */
        T *at = y + row * pitch + col;
        if (col + SIZE <= columns) {
            *reinterpret_cast<pack<T, SIZE> *>(at) = out;
        } else {
#pragma unroll
            for (int i = 0; i < SIZE; i++)
                if (col + i < columns)
                    at[i] = out.element[i];
        }
    }
}

/* Launches the kernel with the fewest packs that hold a row. */
template <typename T, int SIZE, int WARPS, int PACKS = 1>
static cudaError_t launch(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    if constexpr (PACKS * WARPS * WARP * SIZE < FUSED_SOFTMAX_MAX_COLS)
        if (x.cols > PACKS * WARPS * WARP * SIZE)
            return launch<T, SIZE, WARPS, PACKS + 1>(x, y, rows_per_block, stream);
    const unsigned blocks = (unsigned)((x.rows + rows_per_block - 1) / rows_per_block);
    softmax_rows<T, SIZE, WARPS, PACKS><<<dim3(blocks), dim3(WARP, WARPS, rows_per_block), 0, stream>>>(
        static_cast<const T *>(x.data), static_cast<T *>(y.data), x.rows, (int)x.cols, x.pitch);
    return cudaGetLastError();
}

/* A second warp pays where one would hold more than two packs a lane. */
template <typename T, int SIZE>
static cudaError_t launch_warps(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    if (x.cols <= ONE_WARP_PACKS * WARP * SIZE)
        return launch<T, SIZE, 1>(x, y, rows_per_block, stream);
    return launch<T, SIZE, 2>(x, y, rows_per_block, stream);
}

/* 16 bytes a load where every row starts at a multiple of them, else 8: the pitch is a multiple of 4. */
template <typename T>
static cudaError_t launch_sizes(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    if constexpr (sizeof(T) == 2)
        if (x.pitch % 8 == 0)
            return launch_warps<T, 8>(x, y, rows_per_block, stream);
    return launch_warps<T, QUAD>(x, y, rows_per_block, stream);
}

/* Bytes of one element, or 0 for a type that is not supported. */
static int element_bytes(cudaDataType_t type) {
    switch (type) {
    case CUDA_R_32F:
        return sizeof(float);
    case CUDA_R_16F:
        return sizeof(__half);
    case CUDA_R_16BF:
        return sizeof(__nv_bfloat16);
    default:
        return 0;
    }
}

static bool shape_is_valid(matrix x, matrix y) {
    if (x.rows != y.rows || x.cols != y.cols || x.pitch != y.pitch)
        return false;
    if (x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS)
        return false;
    /* rows * cols < 2^31, by division: the product may overflow. */
    if (x.rows < 0 || x.rows > INT32_MAX / x.cols)
        return false;
    return x.pitch >= x.cols && x.pitch % QUAD == 0;
}

static bool is_device_memory(const void *data) {
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
        cudaGetLastError(); /* answered by our return value; not left behind for the next check */
        return false;
    }
    return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

/* Whether x and y share a byte, from the first element of each to its last. rows >= 1. */
static bool overlap(matrix x, matrix y) {
    const uintptr_t a = (uintptr_t)x.data, b = (uintptr_t)y.data;
    const uintptr_t elements = (uintptr_t)(x.rows - 1) * x.pitch + x.cols;
    const uintptr_t distance = a < b ? b - a : a - b;
    return distance < elements * element_bytes(x.type);
}

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    if (rows_per_block != 1 && rows_per_block != 2 && rows_per_block != 4 && rows_per_block != 8)
        return cudaErrorInvalidValue;
    if (x.type != y.type || element_bytes(x.type) == 0 || !shape_is_valid(x, y))
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    if (!is_device_memory(x.data) || !is_device_memory(y.data) || overlap(x, y))
        return cudaErrorInvalidValue;

    switch (x.type) {
    case CUDA_R_32F:
        return launch_sizes<float>(x, y, rows_per_block, stream);
    case CUDA_R_16F:
        return launch_sizes<__half>(x, y, rows_per_block, stream);
    default:
        return launch_sizes<__nv_bfloat16>(x, y, rows_per_block, stream);
    }
}
