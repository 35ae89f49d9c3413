/* Faulty (row.by_hand), a twin of the construct log2_switch. Shows: a switch over log2 of the columns whose cases are launches made by a macro, cut by #ifdef inside, constexpr
 * conditions in a kernel's head, masks of parts of a warp, a kernel with a bool template argument. */
#include <cfloat>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <limits>
#include <stdint.h>

#include "fused_softmax.h"

namespace {

// Evaluated by the compiler, so no function of the host is called in the kernel.
template <typename T> constexpr T infinity = std::numeric_limits<T>::infinity();

int log2_ceil(int value) {
    int log2_value = 0;
    while ((1 << log2_value) < value)
        ++log2_value;
    return log2_value;
}

template <typename T> struct Add {
    __device__ __forceinline__ T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct Max {
    __device__ __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <typename acc_t, int WARP_BATCH, int WARP_SIZE, template <typename> class ReduceOp>
__device__ __forceinline__ void warp_reduce(acc_t *sum) {
    ReduceOp<acc_t> r;
    const unsigned mask = 0xFFFFFFFF;
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
#pragma unroll
        for (int i = 0; i < WARP_BATCH; ++i) {
            acc_t b = __shfl_xor_sync(mask, sum[i], offset);
            sum[i] = r(sum[i], b);
        }
    }
}

/* rows of a block: WARP_BATCH * blockDim.y. Lanes of a narrower "warp" than 32 share the machine's warp with other rows. */
template <typename scalar_t, typename acc_t, int log2_elements, bool is_log>
__global__ void softmax_warp_forward(scalar_t *dst, const scalar_t *src, int64_t batch_size, int64_t stride, int element_count) {
    constexpr int next_power_of_two = 1 << log2_elements;
    constexpr int WARP_SIZE = (next_power_of_two < 32) ? next_power_of_two : 32;
    constexpr int WARP_ITERATIONS = next_power_of_two / WARP_SIZE;
    constexpr int WARP_BATCH = (next_power_of_two <= 128) ? 2 : 1;

    const int64_t block_rows = (int64_t)blockDim.y;
    const int64_t first_batch = blockIdx.x * block_rows + (int64_t)threadIdx.y;
    int local_batches = first_batch < batch_size && threadIdx.y < block_rows ? 1 : 0;

    acc_t elements[WARP_BATCH][WARP_ITERATIONS];
    acc_t max_value[WARP_BATCH];
    for (int i = 0; i < WARP_BATCH; ++i) {
        max_value[i] = -infinity<acc_t>;
        for (int it = 0; it < WARP_ITERATIONS; ++it) {
            int element_index = threadIdx.x + it * WARP_SIZE;
            elements[i][it] = i < local_batches && element_index < element_count
                                  ? (acc_t)src[first_batch * stride + element_index]
                                  : -INFINITY;
            max_value[i] = max_value[i] > elements[i][it] ? max_value[i] : elements[i][it];
        }
    }
    warp_reduce<acc_t, WARP_BATCH, WARP_SIZE, Max>(max_value);

    acc_t sum[WARP_BATCH]{0.0f};
#pragma unroll
    for (int i = 0; i < WARP_BATCH; ++i)
#pragma unroll
        for (int it = 0; it < WARP_ITERATIONS; ++it) {
            if (is_log) {
                sum[i] += std::exp(elements[i][it] - max_value[i]);
            } else {
                elements[i][it] = std::exp(elements[i][it] - max_value[i]);
                sum[i] += elements[i][it];
            }
        }
    warp_reduce<acc_t, WARP_BATCH, WARP_SIZE, Add>(sum);

#pragma unroll
    for (int i = 0; i < WARP_BATCH; ++i) {
        if (i >= local_batches)
            break;
        if (is_log)
            sum[i] = max_value[i] + std::log(sum[i]);
#pragma unroll
        for (int it = 0; it < WARP_ITERATIONS; ++it) {
            int element_index = threadIdx.x + it * WARP_SIZE;
            if (element_index < element_count)
                dst[first_batch * stride + element_index] = is_log ? elements[i][it] - sum[i] : elements[i][it] / sum[i];
            else
                break;
        }
    }
}

template <typename T, bool is_log = false>
cudaError_t dispatch(const matrix &x, const matrix &y, int rows_per_block, cudaStream_t stream) {
    const int log2_elements = log2_ceil((int)x.cols);
    const int warp_size = (1 << log2_elements) < 32 ? 1 << log2_elements : 32;
    const dim3 blocks((unsigned)((x.rows + rows_per_block - 1) / rows_per_block));
    const dim3 threads(warp_size, rows_per_block, 1);
    switch (log2_elements) {
#define LAUNCH_SOFTMAX_WARP_FORWARD(L2E)                                                                     \
    case L2E:                                                                                                \
        softmax_warp_forward<T, float, L2E, is_log>                                                          \
            <<<blocks, threads, 0, stream>>>(static_cast<T *>(y.data), static_cast<const T *>(x.data), x.rows, x.pitch, (int)x.cols); \
        break;
        LAUNCH_SOFTMAX_WARP_FORWARD(0) // 1
        LAUNCH_SOFTMAX_WARP_FORWARD(1) LAUNCH_SOFTMAX_WARP_FORWARD(2)
        LAUNCH_SOFTMAX_WARP_FORWARD(3);
        LAUNCH_SOFTMAX_WARP_FORWARD(4);
        LAUNCH_SOFTMAX_WARP_FORWARD(5);
        LAUNCH_SOFTMAX_WARP_FORWARD(6);
        LAUNCH_SOFTMAX_WARP_FORWARD(7);
        LAUNCH_SOFTMAX_WARP_FORWARD(8);
        LAUNCH_SOFTMAX_WARP_FORWARD(9);
#ifndef NO_WIDE_ROWS
        LAUNCH_SOFTMAX_WARP_FORWARD(10);
#endif
    default:
        break;
    }
#undef LAUNCH_SOFTMAX_WARP_FORWARD
    return cudaGetLastError();
}

bool accessible(void *p) {
    cudaPointerAttributes attr;
    cudaError_t e = cudaPointerGetAttributes(&attr, p);
    if (e) {
        cudaGetLastError();
        return false;
    }
    switch (attr.type) {
    case cudaMemoryTypeDevice:
    case cudaMemoryTypeManaged:
        return true;
    default:
        return false;
    }
}

} // namespace

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    switch (rows_per_block) {
    case 1: case 2: case 4: case 8: break;
    default: return cudaErrorInvalidValue;
    }
    if (x.cols <= 0 || x.cols > 1024 || x.rows < 0 || x.rows * 1.0 * x.cols >= 2147483648.0)
        return cudaErrorInvalidValue;
    if (x.cols != y.cols || x.rows != y.rows || x.pitch != y.pitch || x.type != y.type)
        return cudaErrorInvalidValue;
    if (x.pitch < x.cols || (x.pitch & 3) != 0)
        return cudaErrorInvalidValue;
    size_t size;
    switch (x.type) {
    case CUDA_R_32F: size = sizeof(float); break;
    case CUDA_R_16F: size = sizeof(half); break;
    case CUDA_R_16BF: size = sizeof(__nv_bfloat16); break;
    default: return cudaErrorInvalidValue;
    }
    if (!x.rows)
        return cudaSuccess;
    if (!accessible(x.data) || !accessible(y.data))
        return cudaErrorInvalidValue;
    const char *xs = (const char *)x.data, *ys = (const char *)y.data;
    const size_t length = ((x.rows - 1) * x.pitch + x.cols) * size;
    if (xs < ys + length && ys < xs + length)
        return cudaErrorInvalidValue;
    switch (x.type) {
    case CUDA_R_32F: return dispatch<float>(x, y, rows_per_block, stream);
    case CUDA_R_16F: return dispatch<half>(x, y, rows_per_block, stream);
    default: return dispatch<__nv_bfloat16>(x, y, rows_per_block, stream);
    }
}
