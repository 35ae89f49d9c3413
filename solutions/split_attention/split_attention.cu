/* The two stages of split_attention, each a kernel and the function that launches it.
 *
 * A row of k or v goes to a team of lanes, 16 bytes to each: 16 lanes for 128 halves, 32 for 128 floats. A lane holds
 * the same elements of q, and the same of the numerator, in registers. So a team's score takes its lanes' parts of
 * the dot product and some shuffles, and the weight that comes of it meets the row of v where that has arrived: the
 * score is never written anywhere. k and v go through the registers once, ROWS rows of both at a time, all on their
 * way before the first is needed.
 *
 * From one batch of rows to the next a team keeps a state (max, sum, value), as in A1: what it has is brought to the
 * new maximum by one factor, sum and numerator alike. Then teams merge, by shuffles inside a warp and through shared
 * memory between warps. merge does the same with states in place of keys.
 *
 * The exponentials are __expf: it multiplies by log2(e) first, and the rounding of that product costs |x| * 6e-8 of
 * the result, at most 6e-6 before the result vanishes. The tolerance of a state is 2e-5. */
#include "split_attention.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum {
    WARP = 32,
    ROWS = 4,           /* of k, and as many of v, that a team has on their way */
    PARTIALS_WARPS = 4, /* of a block */
    MERGE_WARPS = 8,
    MERGE_COLUMNS =
        32 /* of a block: the columns of y that it has are dealt out, so that more blocks can work */
};
static const unsigned ALL_LANES = 0xffffffffu;

/* 16 bytes, moved by one instruction. */
template <typename T> union pack {
    enum { SIZE = 16 / sizeof(T) };
    uint4 bits;
    T element[SIZE];
};

/* The state of some keys, as a lane has it: the numerator's elements that are its own. */
template <int SIZE> struct state { float max, sum, value[SIZE]; };

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

/* What to subtract before the exponential: the maximum. Where everything is masked that is -inf, and
 * -inf - -inf would be NaN; with 0 instead, each exp(-inf) is the 0 it should be. A NaN stays a NaN
 * either way, and lives on in the sum, for fmaxf has kept it out of the maximum. */
static __device__ float shift_of(float max) {
    return max == -INFINITY ? 0.0f : max;
}

template <int SIZE> static __device__ __forceinline__ state<SIZE> empty_state() {
    state<SIZE> empty;
    empty.max = -INFINITY;
    empty.sum = 0.0f;
#pragma unroll
    for (int i = 0; i < SIZE; i++)
        empty.value[i] = 0.0f;
    return empty;
}

/* Brings a state to another maximum, which is not smaller: sum and numerator by one factor. */
template <int SIZE> static __device__ __forceinline__ void rescale(state<SIZE> *mine, float max) {
    float factor = __expf(mine->max - shift_of(max));
    mine->max = max;
    mine->sum *= factor;
#pragma unroll
    for (int i = 0; i < SIZE; i++)
        mine->value[i] *= factor;
}

template <int SIZE> static __device__ __forceinline__ void add_state(state<SIZE> *mine, state<SIZE> other) {
    float max = fmaxf(mine->max, other.max);
    rescale(mine, max);
    rescale(&other, max);
    mine->sum += other.sum;
#pragma unroll
    for (int i = 0; i < SIZE; i++)
        mine->value[i] += other.value[i];
}

/* Merges the states of a warp's teams, of `lanes` lanes each, in every lane. All 32 lanes call it. */
template <int SIZE> static __device__ __forceinline__ void merge_teams(state<SIZE> *mine, int lanes) {
    for (int distance = lanes; distance < WARP; distance *= 2) {
        state<SIZE> other;
        other.max = __shfl_xor_sync(ALL_LANES, mine->max, distance);
        other.sum = __shfl_xor_sync(ALL_LANES, mine->sum, distance);
#pragma unroll
        for (int i = 0; i < SIZE; i++)
            other.value[i] = __shfl_xor_sync(ALL_LANES, mine->value[i], distance);
        add_state(mine, other);
    }
}

/* Merges the states of a block's warps. Each thread gets the state with the column of the numerator that has its
 * number; a thread beyond the columns gets one that is not there, 0. Every thread of the block calls. */
template <int COLUMNS, int WARPS, int SIZE>
static __device__ __forceinline__ state<1> merge_warps(const state<SIZE> &of_warp) {
    __shared__ float maxima[WARPS], sums[WARPS];
    __shared__ float4 values[WARPS][COLUMNS / 4];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, column = threadIdx.x;

    if (lane == 0) {
        maxima[warp] = of_warp.max;
        sums[warp] = of_warp.sum;
    }
    if (lane < COLUMNS / SIZE)
#pragma unroll
        for (int i = 0; i < SIZE; i += 4)
            values[warp][(lane * SIZE + i) / 4] = make_float4(of_warp.value[i], of_warp.value[i + 1],
                                                              of_warp.value[i + 2], of_warp.value[i + 3]);
    __syncthreads();

    state<1> all = empty_state<1>();
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        state<1> one;
        one.max = maxima[w];
        one.sum = sums[w];
        one.value[0] = column < COLUMNS ? reinterpret_cast<const float *>(values[w])[column] : 0.0f;
        add_state(&all, one);
    }
    return all;
}

/* ---- stage 1: the state of each chunk ---- */

/* Block (head * chunks + index) writes the state of chunk `index` of `head`. heads * length * dim < 2^31: an int
 * holds every index. */
template <typename T, int DIM>
static __global__ void __launch_bounds__(PARTIALS_WARPS *WARP)
    partials_kernel(const T *q, const T *k, const T *v, const float *bias, int length, int chunks, int chunk,
                    float scale, float *partial_max, float *partial_sum, float *partial_value) {
    const int SIZE = pack<T>::SIZE, LANES = DIM / SIZE, TEAMS = PARTIALS_WARPS * WARP / LANES;
    int head = blockIdx.x / chunks, index = blockIdx.x % chunks;
    int team = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int first = index * chunk, end = min(first + chunk, length);
    const uint4 *k_rows = reinterpret_cast<const uint4 *>(k + head * length * DIM) + lane;
    const uint4 *v_rows = reinterpret_cast<const uint4 *>(v + head * length * DIM) + lane;

    pack<T> of_q;
    of_q.bits = (reinterpret_cast<const uint4 *>(q + head * DIM))[lane];
    float my_q[SIZE];
#pragma unroll
    for (int i = 0; i < SIZE; i++)
        my_q[i] = to_float(of_q.element[i]) * scale;

    state<SIZE> mine = empty_state<SIZE>();
    /* Every team goes round as often as every other: all lanes of a warp meet at the shuffles. */
    for (int start = first + team; start - team < end; start += TEAMS * ROWS) {
        pack<T> of_k[ROWS], of_v[ROWS];
        float score[ROWS], extra[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int key = start + r * TEAMS;
            of_k[r].bits = key < end ? k_rows[key * LANES] : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int key = start + r * TEAMS;
            of_v[r].bits = key < end ? v_rows[key * LANES] : make_uint4(0, 0, 0, 0);
            /* A key past the end of a short last chunk counts as masked. */
            extra[r] = key < end ? 0.0f : -INFINITY;
            if (bias != nullptr && key < end)
                extra[r] = bias[head * length + key];
        }

#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            score[r] = 0.0f;
#pragma unroll
            for (int i = 0; i < SIZE; i++)
                score[r] += my_q[i] * to_float(of_k[r].element[i]);
        }
#pragma unroll
        for (int distance = LANES / 2; distance > 0; distance /= 2)
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                score[r] += __shfl_xor_sync(ALL_LANES, score[r], distance);

        float max = mine.max;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            score[r] += extra[r];
            max = fmaxf(max, score[r]);
        }
        rescale(&mine, max);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float weight = __expf(score[r] - shift_of(max));
            mine.sum += weight;
#pragma unroll
            for (int i = 0; i < SIZE; i++)
                mine.value[i] += weight * to_float(of_v[r].element[i]);
        }
    }

    merge_teams(&mine, LANES);
    state<1> of_chunk = merge_warps<DIM, PARTIALS_WARPS>(mine);
    if (threadIdx.x < DIM)
        partial_value[blockIdx.x * DIM + threadIdx.x] = of_chunk.value[0];
    if (threadIdx.x == 0) {
        partial_max[blockIdx.x] = of_chunk.max;
        partial_sum[blockIdx.x] = of_chunk.sum;
    }
}

/* heads * chunks <= heads * length < 2^31 blocks: grid.x can hold them, grid.y (65,535) could not. */
template <typename T, int DIM>
static void launch_partials(attention a, int chunk, float *partial_max, float *partial_sum,
                            float *partial_value, cudaStream_t stream) {
    int chunks = (int)split_attention_chunks(a.length, chunk);
    partials_kernel<T, DIM><<<(unsigned)(a.heads * chunks), PARTIALS_WARPS * WARP, 0, stream>>>(
        (const T *)a.q, (const T *)a.k, (const T *)a.v, a.bias, (int)a.length, chunks, chunk,
        1.0f / sqrtf((float)DIM), partial_max, partial_sum, partial_value);
}

template <typename T>
static void launch_partials_of(attention a, int chunk, float *partial_max, float *partial_sum,
                               float *partial_value, cudaStream_t stream) {
    if (a.dim == 64)
        launch_partials<T, 64>(a, chunk, partial_max, partial_sum, partial_value, stream);
    else
        launch_partials<T, 128>(a, chunk, partial_max, partial_sum, partial_value, stream);
}

cudaError_t split_attention_partials(attention a, int chunk, float *partial_max, float *partial_sum,
                                     float *partial_value, cudaStream_t stream) {
    switch (a.type) {
    case CUDA_R_32F:
        launch_partials_of<float>(a, chunk, partial_max, partial_sum, partial_value, stream);
        break;
    case CUDA_R_16F:
        launch_partials_of<__half>(a, chunk, partial_max, partial_sum, partial_value, stream);
        break;
    case CUDA_R_16BF:
        launch_partials_of<__nv_bfloat16>(a, chunk, partial_max, partial_sum, partial_value, stream);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

/* ---- stage 2: y of each head ---- */

/* Block (head * parts + part) writes MERGE_COLUMNS columns of y of `head`, from as many of each state's value. Eight
 * lanes have a state, four columns each. */
template <typename T, int DIM>
static __global__ void __launch_bounds__(MERGE_WARPS *WARP)
    merge_kernel(const float *partial_max, const float *partial_sum, const float *partial_value, int chunks,
                 T *y) {
    const int PARTS = DIM / MERGE_COLUMNS, LANES = MERGE_COLUMNS / 4, TEAMS = MERGE_WARPS * WARP / LANES;
    int head = blockIdx.x / PARTS, part = blockIdx.x % PARTS;
    int team = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    const float *maxima = partial_max + (int64_t)head * chunks;
    const float *sums = partial_sum + (int64_t)head * chunks;
    const float4 *values =
        reinterpret_cast<const float4 *>(partial_value + (int64_t)head * chunks * DIM) + part * LANES + lane;

    state<4> mine = empty_state<4>();
    for (int start = team; start < chunks; start += TEAMS * ROWS) {
        float max[ROWS], sum[ROWS];
        float4 value[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int index = start + r * TEAMS;
            bool exists = index < chunks;
            max[r] = exists ? maxima[index] : -INFINITY;
            sum[r] = exists ? sums[index] : 0.0f;
            value[r] = exists ? values[(int64_t)index * (DIM / 4)] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
        float all = mine.max;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            all = fmaxf(all, max[r]);
        rescale(&mine, all);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float factor = __expf(max[r] - shift_of(all));
            mine.sum += factor * sum[r];
            mine.value[0] += factor * value[r].x;
            mine.value[1] += factor * value[r].y;
            mine.value[2] += factor * value[r].z;
            mine.value[3] += factor * value[r].w;
        }
    }

    merge_teams(&mine, LANES);
    state<1> of_head = merge_warps<MERGE_COLUMNS, MERGE_WARPS>(mine);
    /* Where everything is masked this is 0 / 0, the NaN it should be. */
    if (threadIdx.x < MERGE_COLUMNS)
        round_to(&y[(int64_t)blockIdx.x * MERGE_COLUMNS + threadIdx.x], of_head.value[0] / of_head.sum);
}

template <typename T>
static void launch_merge(const float *partial_max, const float *partial_sum, const float *partial_value,
                         int64_t heads, int64_t chunks, int dim, void *y, cudaStream_t stream) {
    unsigned blocks = (unsigned)(heads * (dim / MERGE_COLUMNS)), threads = MERGE_WARPS * WARP;
    if (dim == 64)
        merge_kernel<T, 64>
            <<<blocks, threads, 0, stream>>>(partial_max, partial_sum, partial_value, (int)chunks, (T *)y);
    else
        merge_kernel<T, 128>
            <<<blocks, threads, 0, stream>>>(partial_max, partial_sum, partial_value, (int)chunks, (T *)y);
}

cudaError_t split_attention_merge(const float *partial_max, const float *partial_sum,
                                  const float *partial_value, int64_t heads, int64_t chunks, int dim, void *y,
                                  cudaDataType_t type, cudaStream_t stream) {
    switch (type) {
    case CUDA_R_32F:
        launch_merge<float>(partial_max, partial_sum, partial_value, heads, chunks, dim, y, stream);
        break;
    case CUDA_R_16F:
        launch_merge<__half>(partial_max, partial_sum, partial_value, heads, chunks, dim, y, stream);
        break;
    case CUDA_R_16BF:
        launch_merge<__nv_bfloat16>(partial_max, partial_sum, partial_value, heads, chunks, dim, y, stream);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}
