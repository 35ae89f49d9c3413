/* fused_softmax, finished: one warp a row.
 *
 * Lane l holds the quads l, l + 32, l + 64 ... of its row in registers, a quad being 4 neighbouring elements.
 * So the row is loaded once, with wide loads that lie side by side across the warp; the maximum and the sum
 * are agreed on by shuffles, without shared memory or a barrier; and the row is stored once.
 *
 *   lane        0         1               31        0          1
 *   quad        0         1       ...     31        32         33      ...
 *   columns     0..3      4..7            124..127  128..131   132..135
 *
 * A warp is one row of the block: blockDim is (32, rows_per_block). */
#include "fused_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum {
    WARP = 32,
    QUAD = 4,
    MAX_QUADS = FUSED_SOFTMAX_MAX_COLS / (WARP * QUAD) /* that one lane holds of the widest row */
};
static const unsigned ALL_LANES = 0xffffffffu;

/* 4 elements, moved by one instruction: rows start at a multiple of 4 elements, by the rule for the pitch. */
template <typename T> struct alignas(QUAD * sizeof(T)) quad { T element[QUAD]; };

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

/* QUADS: how many one lane holds, enough for cols. Known to the compiler, so that all loops unroll, every
 * value has a register, and narrow rows pay for no others. */
template <typename T, int QUADS>
static __global__ void softmax_rows(const T *x, T *y, int64_t rows, int cols, int64_t pitch) {
    /* The row is the same for all lanes, so a warp leaves whole, and no shuffle below misses a lane. */
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    const int first = threadIdx.x * QUAD; /* the lane's first column; the next is one warp of quads on */

    /* Past the row's end stands -inf, which changes no maximum and adds exp(-inf) = 0 to the sum. */
    float value[QUADS][QUAD];
    float max = -INFINITY;
#pragma unroll
    for (int q = 0; q < QUADS; q++) {
        const int col = first + q * WARP * QUAD;
        quad<T> in = {};
        if (col < cols)
            in = *reinterpret_cast<const quad<T> *>(x + row * pitch + col);
#pragma unroll
        for (int i = 0; i < QUAD; i++) {
            value[q][i] = col + i < cols ? to_float(in.element[i]) : -INFINITY;
            max = fmaxf(max, value[q][i]);
        }
    }
    max = warp_max(max);

    /* A row that is all -inf gives -inf - -inf = NaN, a row with a NaN or +inf gives a NaN too: the sum is
     * then NaN, and with it the whole row. */
    float sum = 0;
#pragma unroll
    for (int q = 0; q < QUADS; q++) {
#pragma unroll
        for (int i = 0; i < QUAD; i++) {
            /* Its error is below 1e-5 until the result vanishes: docs/optimizing.md, "The error of __expf". */
            value[q][i] = __expf(value[q][i] - max);
            sum += value[q][i];
        }
    }
    const float scale = 1 / warp_sum(sum);

#pragma unroll
    for (int q = 0; q < QUADS; q++) {
        const int col = first + q * WARP * QUAD;
        quad<T> out;
#pragma unroll
        for (int i = 0; i < QUAD; i++)
            round_to(&out.element[i], value[q][i] * scale);

        /* The quad that holds the row's end is stored by elements: the padding after it is not ours. */
        T *at = y + row * pitch + col;
        if (col + QUAD <= cols) {
            *reinterpret_cast<quad<T> *>(at) = out;
        } else {
#pragma unroll
            for (int i = 0; i < QUAD; i++)
                if (col + i < cols)
                    at[i] = out.element[i];
        }
    }
}

template <typename T, int QUADS>
static cudaError_t launch_quads(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    const unsigned blocks = (unsigned)((x.rows + rows_per_block - 1) / rows_per_block);
    softmax_rows<T, QUADS><<<dim3(blocks), dim3(WARP, rows_per_block), 0, stream>>>(
        static_cast<const T *>(x.data), static_cast<T *>(y.data), x.rows, (int)x.cols, x.pitch);
    return cudaGetLastError();
}

/* Launches the kernel with the fewest quads that hold a row. */
template <typename T> static cudaError_t launch(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    switch ((x.cols + WARP * QUAD - 1) / (WARP * QUAD)) {
    case 1:
        return launch_quads<T, 1>(x, y, rows_per_block, stream);
    case 2:
        return launch_quads<T, 2>(x, y, rows_per_block, stream);
    case 3:
        return launch_quads<T, 3>(x, y, rows_per_block, stream);
    case 4:
        return launch_quads<T, 4>(x, y, rows_per_block, stream);
    case 5:
        return launch_quads<T, 5>(x, y, rows_per_block, stream);
    case 6:
        return launch_quads<T, 6>(x, y, rows_per_block, stream);
    case 7:
        return launch_quads<T, 7>(x, y, rows_per_block, stream);
    default:
        return launch_quads<T, MAX_QUADS>(x, y, rows_per_block, stream);
    }
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
        return launch<float>(x, y, rows_per_block, stream);
    case CUDA_R_16F:
        return launch<__half>(x, y, rows_per_block, stream);
    default:
        return launch<__nv_bfloat16>(x, y, rows_per_block, stream);
    }
}
