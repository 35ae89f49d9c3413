/* fused_softmax again, for speed: a row of more than 512 columns gets two warps.
 *
 * What a copy does not have to do takes time too: one warp holds up to 32 columns in each thread, and an SM has
 * registers for few such threads. Two warps halve that. A quad is 4 neighbouring elements.
 *
 *   warp               0                          1                          0
 *   lane     0      1     ...   31      0      1     ...   31      0      1     ...
 *   quad     0      1     ...   31      32     33    ...   63      64     65    ...
 *
 * Each warp finds the maximum and the sum of what it holds. Then the two warps of a row meet once, and no other row of
 * the block waits for them:
 *
 *   warp 0: (max, sum) --> shared memory --> merged --> scale of warp 0's values, stored
 *   warp 1: (max, sum) -->               --> merged --> scale of warp 1's values, stored
 *
 * All loads leave before any value is needed. Only the last quad of a thread can lie past the row's end, so only that one
 * is guarded. The block is (32, warps of a row, rows_per_block). docs/optimizing.md has what each of these gained. */
#include "fused_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum { WARP = 32, QUAD = 4, MAX_ROWS = 8 /* of a block */ };
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

/* The bits of a float as an int of the same order: those of a negative number count backwards. Its own inverse. */
static __device__ int ordered(int bits) {
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}

/* Every lane gets the maximum of all lanes; no lane has a NaN. Since compute capability 8.0 one instruction finds the
 * largest int of a warp, where shuffles take five rounds. */
static __device__ float warp_max(float value) {
#if __CUDA_ARCH__ >= 800
    return __int_as_float(ordered(__reduce_max_sync(ALL_LANES, ordered(__float_as_int(value)))));
#else
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
#endif
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

/* Waits for the other warp of the row. A block has 16 barriers; __syncthreads is number 0, and row r takes r + 1 for its
 * 64 threads. The loop unrolls, so that each number stands in its instruction: a number in a register makes the compiler
 * reserve all 16, and fewer blocks fit an SM. */
template <int ROWS> static __device__ void row_barrier() {
#ifndef CUDA_SIMULATOR /* which has no inline PTX: there the whole block meets */
    if (ROWS > 1) {
#pragma unroll
        for (int row = 0; row < ROWS; row++)
            if (threadIdx.z == row)
                asm volatile("bar.sync %0, 64;" ::"r"(row + 1) : "memory");
        return;
    }
#endif
    __syncthreads();
}

/* The factor from a warp's own exponentials to probabilities, by the states of both warps. */
template <int ROWS> static __device__ float scale_of_two(float max, float sum) {
    __shared__ float2 state[MAX_ROWS][2];
    if (threadIdx.x == 0)
        state[threadIdx.z][threadIdx.y] = make_float2(max, sum);
    row_barrier<ROWS>();

    const float2 a = state[threadIdx.z][0], b = state[threadIdx.z][1];
    const float shift = shift_of(fmaxf(a.x, b.x));
    const float row_sum = a.y * __expf(a.x - shift) + b.y * __expf(b.x - shift);
    return __expf(max - shift) * __fdividef(1.0f, row_sum);
}

/* WARPS: of a row. QUADS: how many one thread holds, enough for cols, and the last of them is needed. ROWS: of a block,
 * which only the barrier of two warps wants to know. */
template <typename T, int WARPS, int QUADS, int ROWS>
static __global__ void softmax_rows(const T *x, T *y, int64_t rows, int cols, int64_t pitch) {
    const int64_t row = (int64_t)blockIdx.x * blockDim.z + threadIdx.z;
    if (row >= rows)
        return; /* with both its warps */
    const int step = WARPS * WARP * QUAD, last = QUADS - 1;
    const int first = (threadIdx.y * WARP + threadIdx.x) * QUAD, last_first = first + last * step;
    const quad<T> *x_quads = reinterpret_cast<const quad<T> *>(x + row * pitch + first);
    T *y_first = y + row * pitch + first;

    quad<T> in[QUADS] = {};
#pragma unroll
    for (int q = 0; q < last; q++)
        in[q] = x_quads[q * WARPS * WARP];
    if (last_first < cols)
        in[last] = x_quads[last * WARPS * WARP];

    /* Past the row's end stands -inf, which changes no maximum and adds exp(-inf) = 0 to the sum. */
    float value[QUADS][QUAD], max = -INFINITY;
#pragma unroll
    for (int q = 0; q < QUADS; q++) {
#pragma unroll
        for (int i = 0; i < QUAD; i++) {
            value[q][i] = q < last || last_first + i < cols ? to_float(in[q].element[i]) : -INFINITY;
            max = fmaxf(max, value[q][i]);
        }
    }
    max = warp_max(max);

    /* A NaN was passed over by the maximum; it makes the sum NaN, and with it the whole row. So does +inf. */
    const float shift = shift_of(max);
    float sum = 0;
#pragma unroll
    for (int q = 0; q < QUADS; q++) {
#pragma unroll
        for (int i = 0; i < QUAD; i++) {
            value[q][i] = __expf(value[q][i] - shift);
            sum += value[q][i];
        }
    }
    sum = warp_sum(sum);
    /* In a row that is all masked the sum is 0, and 0 * (1 / 0) makes the NaN that it should be. */
    const float scale = WARPS == 1 ? __fdividef(1.0f, sum) : scale_of_two<ROWS>(max, sum);

#pragma unroll
    for (int q = 0; q < QUADS; q++) {
        quad<T> out;
#pragma unroll
        for (int i = 0; i < QUAD; i++)
            round_to(&out.element[i], value[q][i] * scale);

        /* The quad that holds the row's end is stored by elements: the padding after it is not ours. */
        if (q < last || last_first + QUAD <= cols) {
            *reinterpret_cast<quad<T> *>(y_first + q * step) = out;
        } else {
#pragma unroll
            for (int i = 0; i < QUAD; i++)
                if (last_first + i < cols)
                    y_first[q * step + i] = out.element[i];
        }
    }
}

template <typename T, int WARPS, int QUADS, int ROWS>
static cudaError_t launch_kernel(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    const unsigned blocks = (unsigned)((x.rows + rows_per_block - 1) / rows_per_block);
    softmax_rows<T, WARPS, QUADS, ROWS><<<dim3(blocks), dim3(WARP, WARPS, rows_per_block), 0, stream>>>(
        static_cast<const T *>(x.data), static_cast<T *>(y.data), x.rows, (int)x.cols, x.pitch);
    return cudaGetLastError();
}

template <typename T, int QUADS>
static cudaError_t launch_two_warps(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    switch (rows_per_block) {
    case 1:
        return launch_kernel<T, 2, QUADS, 1>(x, y, rows_per_block, stream);
    case 2:
        return launch_kernel<T, 2, QUADS, 2>(x, y, rows_per_block, stream);
    case 4:
        return launch_kernel<T, 2, QUADS, 4>(x, y, rows_per_block, stream);
    default:
        return launch_kernel<T, 2, QUADS, 8>(x, y, rows_per_block, stream);
    }
}

/* The kernel with the fewest quads that hold a row: 128 columns make one quad in each lane of one warp. */
template <typename T> static cudaError_t launch(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    switch ((x.cols + WARP * QUAD - 1) / (WARP * QUAD)) {
    case 1:
        return launch_kernel<T, 1, 1, MAX_ROWS>(x, y, rows_per_block, stream);
    case 2:
        return launch_kernel<T, 1, 2, MAX_ROWS>(x, y, rows_per_block, stream);
    case 3:
        return launch_kernel<T, 1, 3, MAX_ROWS>(x, y, rows_per_block, stream);
    case 4:
        return launch_kernel<T, 1, 4, MAX_ROWS>(x, y, rows_per_block, stream);
    case 5:
    case 6:
        return launch_two_warps<T, 3>(x, y, rows_per_block, stream);
    default:
        return launch_two_warps<T, 4>(x, y, rows_per_block, stream);
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
