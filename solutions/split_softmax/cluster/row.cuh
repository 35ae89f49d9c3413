/* The kernel in which a cluster shares a row, its plan and its launch. What it needs of others: WARP, shift_of and
 * warp_sum. */
#pragma once
#include "cluster.h"

/* Clusters came with CUDA 11.8, and this project's simulator has none. */
#if !defined(CUDA_SIMULATOR) && CUDART_VERSION >= 11080

enum {
    MAX_BLOCKS = 16,   /* of a cluster, where the launch asks for more than the portable 8 */
    MAX_THREADS = 512, /* of a block; 2 such blocks fit an SM with 64 registers a thread */
    MAX_GROUPS = 8,    /* that a thread holds: 128 bytes, 32 registers */
    FEW_BLOCKS = 128   /* no more than there are SMs */
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 /* the host's pass, and the GPUs that have clusters */
#include "part.cuh"
#endif

/* ---- the kernel ---- */

/* GROUPS: how many a thread holds, blockDim.x apart. PASSING: x and y leave the L2 first. blocks: of a cluster.
 * part_groups: of a block. */
template <typename T, int GROUPS, bool PASSING>
static __global__ void __launch_bounds__(MAX_THREADS, 2)
    row_in_a_cluster(const T *__restrict__ x, T *__restrict__ y, int cols, unsigned blocks, int part_groups) {
#if __CUDA_ARCH__ >= 900
    __shared__ state of_warp[MAX_THREADS / WARP], of_block[MAX_BLOCKS];
    __shared__ uint64_t arrived;
    const unsigned rank = blockIdx.x % blocks, lane = threadIdx.x % WARP;
    if (blocks > 1) {
        if (threadIdx.x == 0)
            expect_bytes(shared_address(&arrived), blocks * sizeof(state));
        __syncwarp();
        cluster_arrive();
    }

    /* Counted from the last multiple of 16 bytes at or before the row; y is aligned as x is. */
    const int size = group<T>::SIZE;
    const int64_t start = (int64_t)(blockIdx.x / blocks) * cols;
    const int low = (int)(start % size);
    const T *x_row = x + (start - low);
    T *y_row = y + (start - low);
    const part_of_row part = find_part(low, low + cols, size, rank * part_groups, part_groups);
    const int mine = part.first + threadIdx.x, step = blockDim.x;
    const uint4 *from = reinterpret_cast<const uint4 *>(x_row) + mine;
    uint4 *to = reinterpret_cast<uint4 *>(y_row) + mine;

    /* Where every group of every thread is whole, the loads need no guard and leave at once. */
    const bool whole = part.whole_first == part.first && part.whole_end >= part.first + GROUPS * step;
    uint4 held[GROUPS];
    if (whole) {
#pragma unroll
        for (int g = 0; g < GROUPS; g++)
            held[g] = PASSING ? load_passing(from + g * step) : load_once(from + g * step);
    } else {
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            const int at = mine + g * step;
            held[g] = masked<T>();
            if (at >= part.whole_first && at < part.whole_end)
                held[g] = load_once(from + g * step);
            else if (at < part.end)
                held[g] = load_cut(x_row, part.low, part.high, at);
        }
    }

    /* The state of this thread, of its warp, of its block, of the cluster. */
    state all = lanes_merged(state_of<T>(held));
#pragma unroll
    for (int g = 0; g < GROUPS; g++)
        forget(&held[g]);
    if (lane == 0)
        of_warp[threadIdx.x / WARP] = all;
    __syncthreads();
    if (blocks == 1 || threadIdx.x < WARP)
        all = lanes_merged(lane < blockDim.x / WARP ? of_warp[lane] : state{-INFINITY, 0.0f});
    if (blocks > 1) {
        cluster_wait();
        if (threadIdx.x < blocks)
            push((uint64_t)__float_as_uint(all.sum) << 32 | __float_as_uint(all.max),
                 in_peer(shared_address(&of_block[rank]), threadIdx.x),
                 in_peer(shared_address(&arrived), threadIdx.x));
        __syncwarp();
        wait_for_bytes(shared_address(&arrived));
        all = lanes_merged(lane < blocks ? of_block[lane] : state{-INFINITY, 0.0f});
    }

    /* A row that is all masked has sum 0: 0 * (1 / 0) makes the NaN that it should be. */
    const float shift = shift_of(all.max), scale = __fdividef(1.0f, all.sum);
    if (whole) {
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            const uint4 out = probabilities<T>(held[g], shift, scale);
            if (PASSING)
                store_passing(to + g * step, out);
            else
                to[g * step] = out;
        }
    } else {
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            const int at = mine + g * step;
            const uint4 out = probabilities<T>(held[g], shift, scale);
            if (at >= part.whole_first && at < part.whole_end)
                to[g * step] = out;
            else if (at < part.end)
                store_cut(y_row, part.low, part.high, at, out);
        }
    }
#endif
}

/* ---- the launch ---- */

/* How a row is shared: by `blocks` of `threads`, each with `groups` or fewer groups a thread. */
struct plan {
    int blocks, threads, groups;
};

static int ceil_div(int64_t a, int64_t b) {
    return (int)((a + b - 1) / b);
}

/* Many rows: 8 groups a thread, so that much is on its way, in few and small blocks, so that they are seldom waiting for
 * each other. Few rows: many blocks, so that more SMs take part. */
static plan plan_for(int64_t rows, int row_groups) {
    const bool few = rows * MAX_BLOCKS <= FEW_BLOCKS;
    plan p = {1, few ? 256 : 128, 0};
    while (p.blocks < MAX_BLOCKS && row_groups > p.blocks * p.threads * (few ? 1 : MAX_GROUPS))
        p.blocks *= 2;
    while (row_groups > p.blocks * p.threads * MAX_GROUPS)
        p.threads *= 2;
    p.groups = ceil_div(ceil_div(row_groups, p.blocks), p.threads);
    return p;
}

template <typename T, int GROUPS, bool PASSING>
static cudaError_t launch_kernel(matrix x, matrix y, plan p, int part_groups, cudaStream_t stream) {
    void (*kernel)(const T *, T *, int, unsigned, int) = row_in_a_cluster<T, GROUPS, PASSING>;
    cudaFuncAttributes compiled;
    if (cudaFuncGetAttributes(&compiled, (const void *)kernel) != cudaSuccess)
        return cudaGetLastError();
    if (compiled.ptxVersion < 90) /* for a GPU without clusters: there the kernel is empty */
        return cudaErrorNotSupported;
    if (cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) !=
        cudaSuccess)
        return cudaGetLastError();

    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = p.blocks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)(x.rows * p.blocks));
    config.blockDim = dim3(p.threads);
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    (void)cudaLaunchKernelEx(&config, kernel, (const T *)x.data, (T *)y.data, (int)x.cols, (unsigned)p.blocks,
                             part_groups);
    const cudaError_t error =
        cudaGetLastError(); /* what it returned; and nothing is left behind for the next call */
    return error == cudaErrorInvalidClusterSize ? cudaErrorNotSupported : error;
}

/* Where one matrix fits the L2 and two do not, x and y drive each other out; then each is marked to leave first. */
static bool passes_through(size_t bytes) {
    int device = 0, l2 = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device) != cudaSuccess)
        return false;
    return bytes <= (size_t)l2 && bytes > (size_t)l2 / 2;
}

template <typename T> static cudaError_t launch(matrix x, matrix y, cudaStream_t stream) {
    const int size = 16 / sizeof(T); /* elements of a group */
    /* A row that starts late in its first group may need one more. */
    const int row_groups = ceil_div(x.cols % size ? x.cols + size - 1 : x.cols, size);
    const plan p = plan_for(x.rows, row_groups);
    const int part = ceil_div(row_groups, p.blocks);
    switch (p.groups) {
    case 1:
        return launch_kernel<T, 1, false>(x, y, p, part, stream);
    case 2:
        return launch_kernel<T, 2, false>(x, y, p, part, stream);
    case 3:
        return launch_kernel<T, 3, false>(x, y, p, part, stream);
    case 4:
        return launch_kernel<T, 4, false>(x, y, p, part, stream);
    default:
        if (passes_through(x.rows * x.cols * sizeof(T)))
            return launch_kernel<T, 8, true>(x, y, p, part, stream);
        return launch_kernel<T, 8, false>(x, y, p, part, stream);
    }
}

extern "C" cudaError_t split_softmax_cluster(matrix x, matrix y, cudaStream_t stream) {
    cudaError_t error = x.type == CUDA_R_32F   ? launch<float>(x, y, stream)
                        : x.type == CUDA_R_16F ? launch<__half>(x, y, stream)
                                               : launch<__nv_bfloat16>(x, y, stream);
    if (error != cudaSuccess)
        cudaGetLastError(); /* returned; not left behind for the next check */
    return error;
}

#else

extern "C" cudaError_t split_softmax_cluster(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    return cudaErrorNotSupported;
}

#endif
