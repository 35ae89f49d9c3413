/* The three stages of split_softmax once more, told as data movement: 16 bytes a load, 16 bytes a store.
 *
 * A chunk is a head, whole groups of 16 bytes (4 floats or 8 halves), and a tail. Where the number of columns
 * is odd each row starts elsewhere, so the head runs to the first address that is a multiple of 16. A chunk
 * of 16 floats, say, that starts 4 bytes after one:
 *
 *   columns      0 1 2 | 3 4 5 6 | 7 8 9 10 | 11 12 13 14 | 15
 *                head    group 0   group 1    group 2       tail
 *
 * A thread holds GROUPS groups, all of them on their way before it needs the first, and a column or two of
 * the edges, which are the head and the tail together. They stay in registers from the maximum to the sum.
 * Nothing is loaded or stored that is not the chunk's own.
 *
 * The threads of a chunk are a team: 8 of them for 256 halves, 256 for 4096 floats. A block holds as many
 * teams as make 4096 columns, so smaller chunks do not make more blocks. blockDim is (threads of a team,
 * teams).
 *
 * normalize reads x again, from the L2 as far as it fits. So it goes backwards, to begin with what partials
 * read last, and stores y, which nobody reads, as the first to be evicted.
 *
 * Expected, beside the plain solution: most in 16 bits, where a load brings 8 values and not one; chunks of
 * 256 as fast as those of 1024; and little on small matrices, where the three launches take the time. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum {
    WARP = 32,
    GROUPS = 4,           /* that a thread holds */
    SMALLEST_CHUNK = 256, /* by the contract */
    BLOCK_COLUMNS = 4096, /* of all teams of a block: the largest chunk */
    MAX_WARPS = 8         /* of a block, for 4096 floats */
};
static const unsigned ALL_LANES = 0xffffffffu;

/* 16 bytes, moved by one instruction. */
template <typename T> union group {
    enum { SIZE = 16 / sizeof(T) };
    uint4 bits;
    T element[SIZE];
};

/* What a thread holds of its chunk. Of the edges, shorter than a group each, the smallest team has to hold
 * all. */
template <typename T> struct share {
    enum {
        SIZE = group<T>::SIZE,
        WIDE = GROUPS * SIZE,
        SMALLEST_TEAM = SMALLEST_CHUNK / WIDE,
        EDGES = (2 * (SIZE - 1) + SMALLEST_TEAM - 1) / SMALLEST_TEAM
    };
    float wide[GROUPS][SIZE], edge[EDGES];
};

/* The chunk of a thread's team. */
struct span {
    unsigned number; /* counted through all rows; with the teams that are left over it may pass 2^31 */
    unsigned row;
    int start;   /* first element, counted from x; rows * cols < 2^31: an int holds it */
    int columns; /* 0 for the teams of the last block that no chunk is left for */
    int head;    /* columns before the first group */
    int groups;
};

/* The maximum of some values, and the sum of exp(value - max) over them. */
struct state {
    float max, sum;
};

static __device__ float to_float(float value) {
    return value;
}
static __device__ float to_float(__half value) {
    return __half2float(value);
}
static __device__ float to_float(__nv_bfloat16 value) {
    return __bfloat162float(value);
}

/* Rounds to nearest even. */
static __device__ void round_to(float *out, float value) {
    *out = value;
}
static __device__ void round_to(__half *out, float value) {
    *out = __float2half_rn(value);
}
static __device__ void round_to(__nv_bfloat16 *out, float value) {
    *out = __float2bfloat16_rn(value);
}

/* What to subtract before the exponential: the maximum, or 0 where all is masked, for -inf - -inf would be
 * NaN. */
static __device__ float shift_of(float max) {
    return max == -INFINITY ? 0.0f : max;
}

/* ---- who has which columns ---- */

/* The chunk of this thread's team, in the block that is `block`-th in the order of memory. */
template <typename T>
static __device__ span find_chunk(const T *x, int rows, int cols, int chunks, int chunk, unsigned block) {
    span s;
    s.number = block * blockDim.y + threadIdx.y;
    s.row = s.number / (unsigned)chunks;
    int first = (int)(s.number - s.row * chunks) * chunk;
    bool exists = s.row < (unsigned)rows;
    s.start = exists ? (int)s.row * cols + first : 0;
    s.columns = exists ? min(chunk, cols - first) : 0;

    const unsigned size = group<T>::SIZE;
    /* elements from the last multiple of 16 bytes to the chunk */
    unsigned past = (unsigned)((uintptr_t)(x + s.start) / sizeof(T)) % size;
    s.head = min((int)((size - past) % size), s.columns);
    s.groups = (unsigned)(s.columns - s.head) / size;
    return s;
}

/* Which of its groups a thread holds as its g-th. Neighbours hold neighbours. */
static __device__ int group_index(int g) {
    return g * blockDim.x + threadIdx.x;
}

/* Which column a thread holds as its e-th of the edges; one that is not below s.columns stands for none. */
template <typename T> static __device__ int edge_column(span s, int e) {
    int edge = e * blockDim.x + threadIdx.x;
    return edge < s.head ? edge : edge + s.groups * group<T>::SIZE;
}

/* Loads this thread's share. Where the chunk has no column for it, it holds -inf, as if masked: that raises
 * no maximum, as 0 would in a row of negatives, and adds nothing to the sum. */
template <typename T> static __device__ share<T> load_share(const T *x, span s) {
    const T *chunk = x + s.start;
    const uint4 *groups = reinterpret_cast<const uint4 *>(chunk + s.head);
    group<T> wide[GROUPS];
    T edge[share<T>::EDGES];
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
#pragma unroll
        for (int i = 0; i < group<T>::SIZE; i++)
            round_to(&wide[g].element[i], -INFINITY);
        if (group_index(g) < s.groups)
            wide[g].bits = groups[group_index(g)];
    }
#pragma unroll
    for (int e = 0; e < share<T>::EDGES; e++) {
        round_to(&edge[e], -INFINITY);
        if (edge_column<T>(s, e) < s.columns)
            edge[e] = chunk[edge_column<T>(s, e)];
    }

    share<T> mine;
#pragma unroll
    for (int g = 0; g < GROUPS; g++)
#pragma unroll
        for (int i = 0; i < group<T>::SIZE; i++)
            mine.wide[g][i] = to_float(wide[g].element[i]);
#pragma unroll
    for (int e = 0; e < share<T>::EDGES; e++)
        mine.edge[e] = to_float(edge[e]);
    return mine;
}

/* ---- what threads agree on ---- */

/* The maximum, or the sum, over `lanes` neighbours in a warp, a power of two, in each of them. All 32 lanes
 * call. */
static __device__ float lanes_max(float value, unsigned lanes) {
    for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(ALL_LANES, value, distance));
    return value;
}
static __device__ float lanes_sum(float value, unsigned lanes) {
    for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, distance);
    return value;
}

/* The states of `lanes` neighbours, merged. A sum counts from its own maximum; the exponential makes it count
 * from the common one. */
static __device__ state lanes_merge(state mine, unsigned lanes) {
    state all;
    all.max = lanes_max(mine.max, lanes);
    all.sum = lanes_sum(mine.sum * __expf(mine.max - shift_of(all.max)), lanes);
    return all;
}

/* The states of a team's warps, merged, for the team's first thread. Every thread of the block calls. */
static __device__ state team_merge(state of_warp) {
    __shared__ state warps[MAX_WARPS];
    unsigned lane = threadIdx.x % WARP, team_warps = blockDim.x / WARP;
    if (team_warps <= 1)
        return of_warp;

    state *of_team = warps + threadIdx.y * team_warps;
    if (lane == 0)
        of_team[threadIdx.x / WARP] = of_warp;
    __syncthreads();
    state mine = {-INFINITY, 0.0f};
    if (lane < team_warps)
        mine = of_team[lane];
    return lanes_merge(mine, team_warps);
}

/* ---- stage 1: the state of each chunk ---- */

/* Each warp finds the state of what it holds, so that a team of several warps meets only once. */
template <typename T>
static __global__ void partials_kernel(const T *x, int rows, int cols, int chunks, int chunk,
                                       float *partial_max, float *partial_sum) {
    span s = find_chunk(x, rows, cols, chunks, chunk, blockIdx.x);
    share<T> mine = load_share(x, s);
    unsigned lanes = min(blockDim.x, WARP);

    float max = -INFINITY;
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        float max_of_group = -INFINITY; /* so that no comparison waits for those of the other groups */
#pragma unroll
        for (int i = 0; i < group<T>::SIZE; i++)
            max_of_group = fmaxf(max_of_group, mine.wide[g][i]);
        max = fmaxf(max, max_of_group);
    }
#pragma unroll
    for (int e = 0; e < share<T>::EDGES; e++)
        max = fmaxf(max, mine.edge[e]);
    max = lanes_max(max, lanes);

    float shift = shift_of(max), sum = 0.0f;
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        float sum_of_group = 0.0f;
#pragma unroll
        for (int i = 0; i < group<T>::SIZE; i++)
            sum_of_group += __expf(mine.wide[g][i] - shift);
        sum += sum_of_group;
    }
#pragma unroll
    for (int e = 0; e < share<T>::EDGES; e++)
        sum += __expf(mine.edge[e] - shift);
    sum = lanes_sum(sum, lanes);

    state of_chunk = team_merge(state{max, sum});
    if (threadIdx.x == 0 && s.columns > 0) {
        partial_max[s.number] = of_chunk.max;
        partial_sum[s.number] = of_chunk.sum;
    }
}

/* The teams of a block, and their threads. */
template <typename T> static dim3 block_for(int chunk) {
    return dim3(chunk / share<T>::WIDE, BLOCK_COLUMNS / chunk);
}

/* The blocks for all chunks: at most rows * cols < 2^31, so grid.x can hold them. */
static unsigned blocks_for(matrix x, int chunk) {
    int64_t teams = BLOCK_COLUMNS / chunk;
    return (unsigned)((x.rows * split_softmax_chunks(x.cols, chunk) + teams - 1) / teams);
}

template <typename T>
static void launch_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                            cudaStream_t stream) {
    partials_kernel<T><<<blocks_for(x, chunk), block_for<T>(chunk), 0, stream>>>(
        (const T *)x.data, (int)x.rows, (int)x.cols, (int)split_softmax_chunks(x.cols, chunk), chunk,
        partial_max, partial_sum);
}

cudaError_t split_softmax_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                                   cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F:
        launch_partials<float>(x, chunk, partial_max, partial_sum, stream);
        break;
    case CUDA_R_16F:
        launch_partials<__half>(x, chunk, partial_max, partial_sum, stream);
        break;
    case CUDA_R_16BF:
        launch_partials<__nv_bfloat16>(x, chunk, partial_max, partial_sum, stream);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

/* ---- stage 2: the state of each row ---- */

enum {
    STATES = 4,      /* that a thread loads at a time */
    MERGE_WARPS = 4, /* where there are more states than one warp loads at a time: 512 in the widest row */
};

/* The block of a row merges the states of its chunks. Maxima and sums are loaded together: memory is waited
 * for once, and not for the maxima first and then for the sums. */
static __global__ void merge_kernel(const float *partial_max, const float *partial_sum, int chunks,
                                    float *row_max, float *row_sum) {
    const float *maxima = partial_max + (int64_t)blockIdx.x * chunks;
    const float *sums = partial_sum + (int64_t)blockIdx.x * chunks;

    state all = {-INFINITY, 0.0f};
#pragma unroll 1
    for (int first = threadIdx.x; first < chunks; first += STATES * blockDim.x) {
        state part[STATES];
#pragma unroll
        for (int i = 0; i < STATES; i++) {
            int index = first + i * blockDim.x;
            part[i] = index < chunks ? state{maxima[index], sums[index]} : state{-INFINITY, 0.0f};
        }
        float max = all.max;
#pragma unroll
        for (int i = 0; i < STATES; i++)
            max = fmaxf(max, part[i].max);
        float shift = shift_of(max), sum = all.sum * __expf(all.max - shift);
#pragma unroll
        for (int i = 0; i < STATES; i++)
            sum += part[i].sum * __expf(part[i].max - shift);
        all = state{max, sum};
    }
    all = team_merge(lanes_merge(all, WARP));

    if (threadIdx.x == 0) {
        row_max[blockIdx.x] = all.max;
        row_sum[blockIdx.x] = all.sum;
    }
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows,
                                int64_t chunks, float *row_max, float *row_sum, cudaStream_t stream) {
    int threads = chunks <= WARP * STATES ? WARP : WARP * MERGE_WARPS;
    merge_kernel<<<(unsigned)rows, threads, 0, stream>>>(partial_max, partial_sum, (int)chunks, row_max,
                                                         row_sum);
    return cudaGetLastError();
}

/* ---- stage 3: the probabilities ---- */

/* Block 0 has the last chunks: partials read them last. In a row that is all masked -inf - -inf makes the NaN
 * that it should be. */
template <typename T>
static __global__ void normalize_kernel(const T *x, int rows, int cols, int chunks, int chunk,
                                        const float *row_max, const float *row_sum, T *y) {
    span s = find_chunk(x, rows, cols, chunks, chunk, gridDim.x - 1 - blockIdx.x);
    if (s.columns == 0)
        return;
    share<T> mine = load_share(x, s);
    /* The quick division: the exact one branches, and the compiler would load row_max only after it. */
    float max = row_max[s.row], scale = __fdividef(1.0f, row_sum[s.row]);

    T *chunk_of_y = y + s.start; /* aligned as in x: both matrices start at a multiple of 256 bytes */
    uint4 *groups = reinterpret_cast<uint4 *>(chunk_of_y + s.head);
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        group<T> out;
#pragma unroll
        for (int i = 0; i < group<T>::SIZE; i++)
            round_to(&out.element[i], __expf(mine.wide[g][i] - max) * scale);
        if (group_index(g) < s.groups)
            __stcs(&groups[group_index(g)], out.bits);
    }
#pragma unroll
    for (int e = 0; e < share<T>::EDGES; e++)
        if (edge_column<T>(s, e) < s.columns)
            round_to(&chunk_of_y[edge_column<T>(s, e)], __expf(mine.edge[e] - max) * scale);
}

template <typename T>
static void launch_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                             cudaStream_t stream) {
    normalize_kernel<T><<<blocks_for(x, chunk), block_for<T>(chunk), 0, stream>>>(
        (const T *)x.data, (int)x.rows, (int)x.cols, (int)split_softmax_chunks(x.cols, chunk), chunk, row_max,
        row_sum, (T *)y.data);
}

cudaError_t split_softmax_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                                    cudaStream_t stream) {
    switch (x.type) {
    case CUDA_R_32F:
        launch_normalize<float>(x, chunk, row_max, row_sum, y, stream);
        break;
    case CUDA_R_16F:
        launch_normalize<__half>(x, chunk, row_max, row_sum, y, stream);
        break;
    case CUDA_R_16BF:
        launch_normalize<__nv_bfloat16>(x, chunk, row_max, row_sum, y, stream);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}
