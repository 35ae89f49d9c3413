/* The three stages of split_softmax once more, told as data movement: 16 bytes a load, 16 bytes a store (stretch.cuh), and
 * each stage set up while the one before it ends (dependent.cuh).
 *
 * A warp has a stretch of up to 1024 columns, a block has 4 warps. So a block has 4096 columns, whatever the chunk:
 *
 *   chunks of 4096    |            chunk 0            |     the block's warps merge their states
 *   chunks of 1024    | chunk 0 | chunk 1 |  2  |  3  |     each warp has a chunk of its own
 *   chunks of 256     | 0 | 1 | 2 | 3 |                     the same, with a quarter of the loads
 *     warp              0   1   2   3
 *
 * merge gives each row one warp. normalize reads x again, from the L2 as far as it fits: so it goes backwards, to begin
 * with what partials read last. Its loads of x are on their way before the row's state is known. */
#include "split_softmax.h"

#include "dependent.cuh"
#include "states.cuh"

enum {
    WARPS = 4,           /* of a block */
    MOST_COLUMNS = 1024, /* of a warp */
    MIN_CHUNK = 256      /* by the contract */
};

/* ---- who has which columns ---- */

struct place {
    unsigned chunk; /* counted through all rows */
    int row;
    stretch columns;
};

/* What this warp has, in the block that is `block`-th in the order of memory. */
template <typename T>
static __device__ place find_place(int rows, int cols, int chunks, int chunk, unsigned block) {
    const int warp = threadIdx.x / WARP, shared_by = chunk > MOST_COLUMNS ? WARPS : 1;
    place p;
    p.chunk = shared_by == 1 ? block * WARPS + warp : block;
    const unsigned row = p.chunk / chunks;
    p.row = (int)row;
    const int in_row = (int)(p.chunk - row * chunks) * chunk;
    const int first = shared_by == 1 ? in_row : in_row + warp * MOST_COLUMNS;
    const int most = min(chunk, (int)MOST_COLUMNS);
    const bool exists = row < (unsigned)rows && first < cols;
    p.columns = make_stretch<T>(exists ? p.row * cols + first : 0, exists ? min(most, cols - first) : 0);
    return p;
}

static unsigned blocks_for(matrix x, int chunk) {
    const int64_t chunks = x.rows * split_softmax_chunks(x.cols, chunk); /* < 2^31: grid.x holds them */
    return (unsigned)(chunk > MOST_COLUMNS ? chunks : (chunks + WARPS - 1) / WARPS);
}

/* ---- stage 1: the state of each chunk ---- */

template <typename T, int GROUPS>
static __global__ void partials_kernel(const T *x, int rows, int cols, int chunks, int chunk,
                                       float *partial_max, float *partial_sum) {
    __shared__ chunk_state of_warp[WARPS];
    let_next_kernel_start();
    const place p = find_place<T>(rows, cols, chunks, chunk, blockIdx.x);
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    chunk_state all = merge_lanes(state_of_lane(load_stretch<T, GROUPS>(x, p.columns)));
    if (chunk > MOST_COLUMNS) {
        if (lane == 0)
            of_warp[warp] = all;
        __syncthreads();
        all = merge_lanes(lane < WARPS ? of_warp[lane] : chunk_state{-INFINITY, 0.0f});
    }
    if (lane == 0 && (chunk > MOST_COLUMNS ? warp == 0 : p.columns.columns > 0)) {
        partial_max[p.chunk] = all.max;
        partial_sum[p.chunk] = all.sum;
    }
}

template <typename T>
static cudaError_t launch_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                                   cudaStream_t stream) {
    /* Groups of a lane: those of the smallest chunk, or of 1024 columns. */
    enum { FEW = MIN_CHUNK * sizeof(T) / 16 / WARP, MANY = MOST_COLUMNS * sizeof(T) / 16 / WARP };
    void (*kernel)(const T *, int, int, int, int, float *, float *) =
        chunk == MIN_CHUNK ? partials_kernel<T, FEW> : partials_kernel<T, MANY>;
    kernel<<<blocks_for(x, chunk), WARPS * WARP, 0, stream>>>((const T *)x.data, (int)x.rows, (int)x.cols,
                                                              (int)split_softmax_chunks(x.cols, chunk), chunk,
                                                              partial_max, partial_sum);
    return cudaGetLastError();
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                                   cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F:
        return launch_partials<float>(x, chunk, partial_max, partial_sum, stream);
    case CUDA_R_16F:
        return launch_partials<__half>(x, chunk, partial_max, partial_sum, stream);
    case CUDA_R_16BF:
        return launch_partials<__nv_bfloat16>(x, chunk, partial_max, partial_sum, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

/* ---- stage 2: the state of each row ---- */

static __global__ void merge_kernel(const float *partial_max, const float *partial_sum, int chunks,
                                    float *row_max, float *row_sum) {
    let_next_kernel_start();
    wait_for_kernel_before();
    const int64_t first = (int64_t)blockIdx.x * chunks;
    const chunk_state all = merge_row(partial_max + first, partial_sum + first, chunks);
    if (threadIdx.x == 0) {
        row_max[blockIdx.x] = all.max;
        row_sum[blockIdx.x] = all.sum;
    }
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows,
                                int64_t chunks, float *row_max, float *row_sum, cudaStream_t stream) {
    return launch_dependent(merge_kernel, (unsigned)rows, WARP, stream, partial_max, partial_sum, (int)chunks,
                            row_max, row_sum);
}

/* ---- stage 3: the probabilities ---- */

template <typename T, int GROUPS>
static __global__ void normalize_kernel(const T *x, int rows, int cols, int chunks, int chunk,
                                        const float *row_max, const float *row_sum, T *y) {
    const place p = find_place<T>(rows, cols, chunks, chunk, gridDim.x - 1 - blockIdx.x);
    if (p.columns.columns == 0)
        return;
    const held<T, GROUPS> mine = load_stretch<T, GROUPS>(x, p.columns);
    wait_for_kernel_before();
    store_stretch<T, GROUPS>(y, p.columns, mine, row_max[p.row], __fdividef(1.0f, row_sum[p.row]));
}

template <typename T>
static cudaError_t launch_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    enum { FEW = MIN_CHUNK * sizeof(T) / 16 / WARP, MANY = MOST_COLUMNS * sizeof(T) / 16 / WARP };
    void (*kernel)(const T *, int, int, int, int, const float *, const float *, T *) =
        chunk == MIN_CHUNK ? normalize_kernel<T, FEW> : normalize_kernel<T, MANY>;
    return launch_dependent(kernel, blocks_for(x, chunk), WARPS * WARP, stream, (const T *)x.data,
                            (int)x.rows, (int)x.cols, (int)split_softmax_chunks(x.cols, chunk), chunk,
                            row_max, row_sum, (T *)y.data);
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F:
        return launch_normalize<float>(x, chunk, row_max, row_sum, y, stream);
    case CUDA_R_16F:
        return launch_normalize<__half>(x, chunk, row_max, row_sum, y, stream);
    case CUDA_R_16BF:
        return launch_normalize<__nv_bfloat16>(x, chunk, row_max, row_sum, y, stream);
    default:
        return cudaErrorInvalidValue;
    }
}
