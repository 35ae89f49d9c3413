/* split_softmax in one launch: a row is spread over a cluster of up to 16 blocks, each element is read once
 * and written once, and in between it stays in the registers of its thread.
 *
 *   x    | part 0     | part 1     | ...  | part 15    |    16 bytes a load, all on their way together
 *            |            |                   |
 *          block 0      block 1             block 15       a part stays in registers
 *            |            |                   |
 *         (max, sum)   (max, sum)          (max, sum)
 *            +---- each to each: st.async into the shared memory of all blocks of the cluster
 *            |            |                   |
 *          merge        merge               merge          every block merges the 16 states itself
 *            |            |                   |
 *   y    | part 0     | part 1     | ...  | part 15    |
 *
 * st.async writes into a peer's shared memory and counts the bytes on an mbarrier there. So a block waits for
 * the states it needs and for nothing else; the cluster's barrier would make every earlier write visible
 * first. That barrier is used once, for what must be known before the first push: all peers have started, and
 * their mbarriers are set up. It is arrived at early and waited for late, so that the loads hide it.
 *
 * Rows may start anywhere: a row is counted in groups of 16 bytes from the last multiple of 16 at or before
 * its start. Its first and last group may be cut; their elements are moved one by one. */
#include "cluster.h"

/* The three stages, where there are no clusters, and how values of each type are read and rounded. */
#include "stages.cuh"

/* The simulator compiles with clang and has no clusters: there, and wherever clang compiles, the stages run.
 */
#ifndef __clang__

enum {
    THREADS = 256,      /* of a block, where there are blocks enough for the device */
    MAX_THREADS = 1024, /* of a block */
    MAX_GROUPS = 9,  /* that a thread holds: 16 blocks hold 131072 floats in 8, and in 9 where rows are cut */
    MAX_BLOCKS = 16, /* of a cluster */
    FEW_BLOCKS = 128, /* no more than there are SMs */
    GROUPS_OF_FEW = 2 /* that a thread holds where there are few blocks, if it can be */
};
static const unsigned ALL_LANES = 0xffffffffu;

/* 16 bytes, moved by one instruction. */
template <typename T> union group {
    enum {
        SIZE = 16 / sizeof(T),
        HELD = 32 / SIZE,   /* by a thread: 32 values, which leave 4 blocks their registers */
        MAX_HELD = HELD + 1 /* where the row is cut at both ends */
    };
    uint4 bits;
    T element[SIZE];
};

struct alignas(8) state {
    float max, sum;
};

/* The states of all lanes of a warp, merged, in each lane. */
static __device__ state warp_merge(state mine) {
    float max = mine.max;
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        max = fmaxf(max, __shfl_xor_sync(ALL_LANES, max, distance));
    float sum = mine.sum * __expf(mine.max - shift_of(max));
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    return state{max, sum};
}

/* exp(value - shift). A half is at most 65504 and cannot overflow when multiplied first: one instruction
 * less. */
template <typename T> static __device__ float exponential(float value, float shift) {
    return __expf(value - shift);
}
template <> __device__ float exponential<__half>(float value, float shift) {
    const float log2_e = 1.4426950408889634f;
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(fmaf(value, log2_e, -shift * log2_e)));
    return power;
}

/* ---- the cluster's own instructions: sm_90 and later ---- */

#if __CUDA_ARCH__ >= 900
static __device__ unsigned shared_address(const void *pointer) {
    return (unsigned)__cvta_generic_to_shared(pointer);
}

/* The same place in the shared memory of block `rank` of the cluster. */
static __device__ unsigned in_peer(unsigned address, unsigned rank) {
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

/* An mbarrier whose phase ends with one arrival and `bytes` bytes from st.async. */
static __device__ void expect_bytes(unsigned mbarrier, unsigned bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(mbarrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(mbarrier), "r"(bytes)
                 : "memory");
}

static __device__ void wait_for_bytes(unsigned mbarrier) {
    unsigned done = 0;
    while (!done)
        asm volatile("{\n .reg .pred p;\n"
                     " mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\n"
                     " selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(mbarrier)
                     : "memory");
}

static __device__ void push(state mine, unsigned slot, unsigned mbarrier) {
    unsigned long long bits = (unsigned long long)__float_as_uint(mine.sum) << 32 | __float_as_uint(mine.max);
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(slot),
                 "l"(bits), "r"(mbarrier)
                 : "memory");
}

static __device__ void cluster_arrive() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
static __device__ void cluster_wait() {
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
#endif

/* Which load is better was measured, on an H200: halves as any load does (64 x 131072 warm: 10.6 us, not 13.2). That
 * floats leave the L2 first gained 4 % in one run and nothing in the next (docs/optimizing.md). */
template <typename T> static __device__ uint4 load(const uint4 *from) {
    return sizeof(T) == 4 ? __ldcs(from) : __ldg(from);
}

/* ---- the kernel ---- */

/* GROUPS: how many a thread holds. `blocks`: of a cluster. `part`: groups of a block. */
template <typename T, int GROUPS>
static __global__ void __launch_bounds__(MAX_THREADS)
    row_in_a_cluster(const T *__restrict__ x, T *__restrict__ y, int cols, unsigned blocks, int part) {
#if __CUDA_ARCH__ >= 900
    const int size = group<T>::SIZE;
    __shared__ state of_warp[MAX_THREADS / WARP], of_block[MAX_BLOCKS];
    __shared__ unsigned long long arrived;
    const unsigned rank = blockIdx.x % blocks, lane = threadIdx.x % WARP;

    if (blocks > 1) {
        if (threadIdx.x == 0)
            expect_bytes(shared_address(&arrived), blocks * sizeof(state));
        __syncwarp();
        cluster_arrive();
    }

    /* The row lies at [low, high), counted in elements from x_row, which is a multiple of 16 bytes. */
    const int64_t row = blockIdx.x / blocks, start = row * cols;
    const int low = (int)(start % size), high = low + cols;
    const T *x_row = x + (start - low);
    T *y_row = y + (start - low);
    const int end = min((int)(rank + 1) * part * size, (high + size - 1) / size * size); /* of the part */
    const int mine = ((int)rank * part + (int)threadIdx.x) * size; /* first of the thread */
    const int step = blockDim.x * size;
    const bool cut = (rank == 0 && low > 0) || end > high; /* whether this part has a cut group */

    group<T> held[GROUPS];
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        const int at = mine + g * step;
#pragma unroll
        for (int i = 0; i < size; i++)
            round_to(&held[g].element[i], -INFINITY);
        if (at >= low && at < end && at + size <= high)
            held[g].bits = load<T>(reinterpret_cast<const uint4 *>(x_row + at));
    }
    if (cut) {
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            const int at = mine + g * step;
            if (at < end && (at < low || at + size > high))
#pragma unroll
                for (int i = 0; i < size; i++)
                    if (at + i >= low && at + i < high)
                        held[g].element[i] = x_row[at + i];
        }
    }

    /* The state of what this thread holds, then of its warp, its block, the cluster. */
    float max = -INFINITY;
#pragma unroll
    for (int g = 0; g < GROUPS; g++)
#pragma unroll
        for (int i = 0; i < size; i++)
            max = fmaxf(max, to_float(held[g].element[i]));
    float sum = 0.0f;
    const float shift = shift_of(max);
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        float of_group = 0.0f; /* so that no sum waits for those of the other groups */
#pragma unroll
        for (int i = 0; i < size; i++)
            of_group += exponential<T>(to_float(held[g].element[i]), shift);
        sum += of_group;
    }
    state all = warp_merge(state{max, sum});
    if (lane == 0)
        of_warp[threadIdx.x / WARP] = all;
    __syncthreads();
    all = warp_merge(lane < blockDim.x / WARP ? of_warp[lane] : state{-INFINITY, 0.0f});

    if (blocks > 1) {
        cluster_wait();
        if (threadIdx.x < blocks)
            push(all, in_peer(shared_address(&of_block[rank]), threadIdx.x),
                 in_peer(shared_address(&arrived), threadIdx.x));
        __syncwarp();
        wait_for_bytes(shared_address(&arrived));
        all = warp_merge(lane < blocks ? of_block[lane] : state{-INFINITY, 0.0f});
    }

    /* A row that is all masked has sum 0: 0 * (1 / 0) makes the NaN that it should be. */
    const float row_shift = shift_of(all.max), scale = __fdividef(1.0f, all.sum);
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        const int at = mine + g * step;
        group<T> out;
#pragma unroll
        for (int i = 0; i < size; i++)
            round_to(&out.element[i], exponential<T>(to_float(held[g].element[i]), row_shift) * scale);
        if (at >= low && at < end && at + size <= high)
            __stcs(reinterpret_cast<uint4 *>(y_row + at), out.bits);
        else if (cut && at < end)
#pragma unroll
            for (int i = 0; i < size; i++)
                if (at + i >= low && at + i < high)
                    y_row[at + i] = out.element[i];
    }
#else
    __trap(); /* compiled for an older GPU than it runs on: an error, not a y that nobody wrote */
#endif
}

/* ---- the launch ---- */

static int ceil_div(int64_t a, int64_t b) {
    return (int)((a + b - 1) / b);
}

/* How many blocks share a row: the fewest that hold it, up to 16. */
static int blocks_for(int groups, int held) {
    int blocks = 1;
    while (blocks < MAX_BLOCKS && groups > blocks * THREADS * held)
        blocks *= 2;
    return blocks;
}

template <typename T, int GROUPS = 1>
static cudaError_t launch(matrix x, matrix y, int blocks, int part, int threads, cudaStream_t stream) {
    if constexpr (GROUPS < group<T>::MAX_HELD)
        if (part > GROUPS * threads)
            return launch<T, GROUPS + 1>(x, y, blocks, part, threads, stream);

    cudaError_t error = cudaFuncSetAttribute((const void *)row_in_a_cluster<T, GROUPS>,
                                             cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (error != cudaSuccess)
        return error;
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = blocks;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)(x.rows * blocks));
    config.blockDim = dim3(threads);
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, row_in_a_cluster<T, GROUPS>, (const T *)x.data, (T *)y.data,
                              (int)x.cols, (unsigned)blocks, part);
}

template <typename T> static cudaError_t launch_type(matrix x, matrix y, cudaStream_t stream) {
    const int size = group<T>::SIZE;
    /* A row that starts late in its first group may need one more. */
    const int groups = ceil_div(x.cols % size ? x.cols + size - 1 : x.cols, size);
    /* Few rows are spread further: a thread holds less, and more SMs take part. */
    int held = group<T>::HELD;
    if (x.rows * MAX_BLOCKS <= FEW_BLOCKS)
        held = 1;
    const int blocks = blocks_for(groups, held);
    const int part = ceil_div(groups, blocks);
    /* Few rows leave each SM one block at most: then more threads, which hold less each. */
    int threads = THREADS;
    while (x.rows * blocks <= FEW_BLOCKS && threads < MAX_THREADS && part > threads * GROUPS_OF_FEW)
        threads *= 2;
    return launch<T>(x, y, blocks, part, threads, stream);
}

extern "C" int split_softmax_has_clusters(void) {
    int device = 0, major = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return major >= 9;
}

extern "C" cudaError_t split_softmax_cluster(matrix x, matrix y, cudaStream_t stream) {
    cudaError_t error = x.type == CUDA_R_32F   ? launch_type<float>(x, y, stream)
                        : x.type == CUDA_R_16F ? launch_type<__half>(x, y, stream)
                                               : launch_type<__nv_bfloat16>(x, y, stream);
    if (error != cudaSuccess)
        cudaGetLastError(); /* returned; not left behind for the next check */
    return error;
}

#else

extern "C" int split_softmax_has_clusters(void) {
    return 0;
}

extern "C" cudaError_t split_softmax_cluster(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    return cudaErrorNotSupported;
}

#endif
