/* The second of the two kernels. The first is partials, of stages.cuh. */
#pragma once
#include "two_kernel.h"

template <typename T, int GROUPS>
static __global__ void merge_and_normalize_kernel(const T *x, int rows, int cols, int chunks, int chunk,
                                                  const float *partial_max, const float *partial_sum, T *y) {
    const place p = find_place<T>(rows, cols, chunks, chunk, gridDim.x - 1 - blockIdx.x);
    if (p.columns.columns == 0)
        return;
    const held<T, GROUPS> mine = load_stretch<T, GROUPS>(x, p.columns);
    wait_for_kernel_before();
    const int64_t first = (int64_t)p.row * chunks;
    const chunk_state row = merge_row(partial_max + first, partial_sum + first, chunks);
    store_stretch<T, GROUPS>(y, p.columns, mine, row.max, __fdividef(1.0f, row.sum));
}

template <typename T>
static cudaError_t launch_merge_and_normalize(matrix x, int chunk, const float *partial_max,
                                              const float *partial_sum, matrix y, cudaStream_t stream) {
    enum { FEW = MIN_CHUNK * sizeof(T) / 16 / WARP, MANY = MOST_COLUMNS * sizeof(T) / 16 / WARP };
    void (*kernel)(const T *, int, int, int, int, const float *, const float *, T *) =
        chunk == MIN_CHUNK ? merge_and_normalize_kernel<T, FEW> : merge_and_normalize_kernel<T, MANY>;
    return launch_dependent(kernel, blocks_for(x, chunk), WARPS * WARP, stream, (const T *)x.data,
                            (int)x.rows, (int)x.cols, (int)split_softmax_chunks(x.cols, chunk), chunk,
                            partial_max, partial_sum, (T *)y.data);
}

cudaError_t split_softmax_merge_and_normalize(matrix x, int chunk, const float *partial_max,
                                              const float *partial_sum, matrix y, cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F:
        return launch_merge_and_normalize<float>(x, chunk, partial_max, partial_sum, y, stream);
    case CUDA_R_16F:
        return launch_merge_and_normalize<__half>(x, chunk, partial_max, partial_sum, y, stream);
    case CUDA_R_16BF:
        return launch_merge_and_normalize<__nv_bfloat16>(x, chunk, partial_max, partial_sum, y, stream);
    default:
        return cudaErrorInvalidValue;
    }
}
