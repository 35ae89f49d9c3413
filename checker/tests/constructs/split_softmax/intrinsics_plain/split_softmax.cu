// Shows: the intrinsics one after another in kernels that nothing launches: bits, integers, conversions, fast math, cached loads and stores, votes, matches,
// reductions, shuffles, barriers that count, fences, atomics; and the calls on symbols, by typed variable and by offset.
/* The three stages of split_softmax, each a kernel and the function that launches it.
 *
 * partials and normalize give a block one chunk of one row. A thread holds VALUES of the chunk in
 * registers, blockDim.x apart, so that the lanes of a warp read neighbours and all the loads are on their
 * way before the first is needed: 256, 1024 or 4096 values make a block of 32, 128 or 512 threads.
 * merge gives each row one warp, which needs no shared memory.
 *
 * Values are converted to FP32 as they are loaded and rounded once as they are stored. The exponentials are
 * __expf: it multiplies by log2(e) first, and the rounding of that product costs |x| * 6e-8 of the result, at
 * most 6e-6 before the result vanishes. The tolerance is 3e-5. */
#include "split_softmax.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum { WARP = 32, VALUES = 8, MAX_WARPS = 32 };

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

/* The maximum over a warp, in every lane. All 32 lanes call it. */
static __device__ float warp_max(float value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, distance));
    return value;
}

/* The sum over a warp, in every lane. All 32 lanes call it. */
static __device__ float warp_sum(float value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    return value;
}

/* The maximum over a block, in every thread. Each warp reduces its own values, then each reduces the
 * results of all warps: after one barrier everyone knows, and nobody has to be told. */
static __device__ float block_max(float value) {
    __shared__ float of_warp[MAX_WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;

    value = warp_max(value);
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    return warp_max(lane < warps ? of_warp[lane] : -INFINITY);
}

/* The sum over a block, in every thread. Its shared array is not the one of block_max, so the two can
 * follow each other without a barrier in between. */
static __device__ float block_sum(float value) {
    __shared__ float of_warp[MAX_WARPS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;

    value = warp_sum(value);
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    return warp_sum(lane < warps ? of_warp[lane] : 0.0f);
}

/* ---- stage 1: the state of each chunk ---- */

/* Block (row * chunks + index) writes the state of chunk `index` of `row`. */
template <typename T>
static __global__ void partials_kernel(const T *x, int cols, int chunks, int chunk, float *partial_max,
                                       float *partial_sum) {
    int row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    const T *x_row = x + row * cols; /* rows * cols < 2^31: an int holds it */
    int first = index * chunk + threadIdx.x;

    /* Columns past the end of a short last chunk count as masked: they cannot raise the maximum, as 0
     * would in a row of negatives, and they add nothing to the sum. */
    float value[VALUES];
    float max = -INFINITY;
#pragma unroll
    for (int i = 0; i < VALUES; i++) {
        int col = first + i * blockDim.x;
        value[i] = col < cols ? to_float(x_row[col]) : -INFINITY;
        max = fmaxf(max, value[i]);
    }
    max = block_max(max);

    float shift = shift_of(max), sum = 0.0f;
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        sum += __expf(value[i] - shift);
    sum = block_sum(sum);

    if (threadIdx.x == 0) {
        partial_max[blockIdx.x] = max;
        partial_sum[blockIdx.x] = sum;
    }
}

/* rows * chunks <= rows * cols < 2^31 blocks: grid.x can hold them, grid.y (65,535) could not. */
template <typename T>
static void launch_partials(matrix x, int chunk, float *partial_max, float *partial_sum,
                            cudaStream_t stream) {
    int chunks = (int)split_softmax_chunks(x.cols, chunk);
    unsigned blocks = (unsigned)(x.rows * chunks), threads = (unsigned)chunk / VALUES;
    partials_kernel<T><<<blocks, threads, 0, stream>>>((const T *)x.data, (int)x.cols, chunks, chunk,
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

/* The warp of block `row` merges the states of the chunks of `row`. A chunk's sum counts from the chunk's
 * own maximum; exp(chunk's maximum - row's maximum) makes it count from the row's. */
static __global__ void merge_kernel(const float *partial_max, const float *partial_sum, int64_t chunks,
                                    float *row_max, float *row_sum) {
    const float *maxima = partial_max + blockIdx.x * chunks;
    const float *sums = partial_sum + blockIdx.x * chunks;

    float max = -INFINITY;
    for (int64_t index = threadIdx.x; index < chunks; index += WARP)
        max = fmaxf(max, maxima[index]);
    max = warp_max(max);

    float shift = shift_of(max), sum = 0.0f;
    for (int64_t index = threadIdx.x; index < chunks; index += WARP)
        sum += sums[index] * __expf(maxima[index] - shift);
    sum = warp_sum(sum);

    if (threadIdx.x == 0) {
        row_max[blockIdx.x] = max;
        row_sum[blockIdx.x] = sum;
    }
}

cudaError_t split_softmax_merge(const float *partial_max, const float *partial_sum, int64_t rows,
                                int64_t chunks, float *row_max, float *row_sum, cudaStream_t stream) {
    merge_kernel<<<(unsigned)rows, WARP, 0, stream>>>(partial_max, partial_sum, chunks, row_max, row_sum);
    return cudaGetLastError();
}

/* ---- stage 3: the probabilities ---- */

/* Block (row * chunks + index) writes chunk `index` of `row` of y. A row with nothing but masked values
 * has the maximum -inf, and -inf - -inf makes it NaN, as it should be. */
template <typename T>
static __global__ void normalize_kernel(const T *x, int cols, int chunks, int chunk, const float *row_max,
                                        const float *row_sum, T *y) {
    int row = blockIdx.x / chunks, index = blockIdx.x % chunks;
    const T *x_row = x + row * cols;
    T *y_row = y + row * cols;
    int first = index * chunk + threadIdx.x;

    float max = row_max[row], scale = 1.0f / row_sum[row];
    float value[VALUES];
#pragma unroll
    for (int i = 0; i < VALUES; i++) {
        int col = first + i * blockDim.x;
        value[i] = col < cols ? to_float(x_row[col]) : -INFINITY;
    }
#pragma unroll
    for (int i = 0; i < VALUES; i++) {
        int col = first + i * blockDim.x;
        if (col < cols)
            round_to(&y_row[col], __expf(value[i] - max) * scale);
    }
}

template <typename T>
static void launch_normalize(matrix x, int chunk, const float *row_max, const float *row_sum, matrix y,
                             cudaStream_t stream) {
    int chunks = (int)split_softmax_chunks(x.cols, chunk);
    unsigned blocks = (unsigned)(x.rows * chunks), threads = (unsigned)chunk / VALUES;
    normalize_kernel<T><<<blocks, threads, 0, stream>>>((const T *)x.data, (int)x.cols, chunks, chunk,
                                                        row_max, row_sum, (T *)y.data);
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

/* ---- every intrinsic ---- */
__device__ int symbol_of_int;
__constant__ double symbol_of_doubles[2];

__global__ void bits_kernel(const unsigned *u, const float *f, const double *d, long long *out) {
    const unsigned a = u[0], b = u[1];
    const int i = (int)a, j = (int)b;
    const unsigned long long w = (unsigned long long)a << 32 | b;
    long long r = __brev(a) + __brevll(w) + __byte_perm(a, b, 0x5410) + __clz(i) + __clzll((long long)w) + __ffs(i) + __ffsll((long long)w) + __popc(a) + __popcll(w);
    r += __funnelshift_l(a, b, 7) + __funnelshift_r(a, b, 9) + __mulhi(i, j) + __umulhi(a, b) + __mul64hi(i, j) + __umul64hi(w, w) + __mul24(i, j) + __umul24(a, b);
    r += __sad(i, j, a) + __usad(a, b, 1) + __float_as_int(f[0]) + __float_as_uint(f[1]) + __double_as_longlong(d[0]) + __double2hiint(d[1]) + __double2loint(d[1]);
    r += __float2int_rn(f[0]) + __float2uint_rz(f[0]) + __float2ll_ru(f[0]) + __float2ull_rd(f[0]) + __double2int_rn(d[0]) + __double2uint_rz(d[0]) + __double2ll_ru(d[0]) + __double2ull_rd(d[0]);
    r += __float2uint_rn(f[0]) + __float2ll_rn(f[0]) + __float2ull_rn(f[0]) + __double2uint_rn(d[0]) + __double2ll_rn(d[0]) + __double2ull_rn(d[0]);
    out[0] = r + clock64();
}
__global__ void math_kernel(const float *f, const double *d, float *out) {
    float s, c, r = __expf(f[0]) + __exp10f(f[0]) + __logf(f[1]) + __log2f(f[1]) + __log10f(f[1]) + __powf(f[0], f[1]) + __sinf(f[0]) + __cosf(f[0]) + __tanf(f[0]) + __tanhf(f[0]);
    __sincosf(f[0], &s, &c);
    r += s + c + __fdividef(f[0], f[1]) + fdividef(f[0], f[1]) + __saturatef(f[0]) + rsqrtf(f[0]) + rcbrtf(f[0]) + sinpif(f[0]) + cospif(f[0]) + normcdff(f[0]) + __fmaf_rn(f[0], f[1], f[2]) + __frsqrt_rn(f[0]);
    r += __fadd_rn(f[0], f[1]) + __fsub_rn(f[0], f[1]) + __fmul_rn(f[0], f[1]) + __fdiv_rn(f[0], f[1]) + __frcp_rn(f[0]) + __fsqrt_rn(f[0]);
    double e = __dadd_rn(d[0], d[1]) + __dsub_rn(d[0], d[1]) + __dmul_rn(d[0], d[1]) + __ddiv_rn(d[0], d[1]) + __drcp_rn(d[0]) + __dsqrt_rn(d[0]) + __fma_rn(d[0], d[1], d[2]) + rsqrt(d[0]);
    e += __longlong_as_double(7) + __hiloint2double(1, 2) + __int2double_rn(3) + __uint2double_rn(4u) + __ll2double_rn(5) + __ull2double_rn(6u);
    r += __int_as_float(1) + __uint_as_float(2u) + __int2float_rn(1) + __uint2float_rn(2u) + __ll2float_rn(3) + __ull2float_rn(4u) + __double2float_rn(e);
    __stwb(out, r), __stwt(out + 1, r), __stcg(out + 2, r), __stcs(out + 3, r);
    out[4] = __ldg(f) + __ldcg(f) + __ldca(f) + __ldcs(f) + __ldlu(out) + __ldcv(out + 1);
}
__global__ void warp_kernel(unsigned *u, int *n, float *f) {
    const unsigned all = 0xffffffffu, lane = threadIdx.x;
    int same, r = __any_sync(all, lane > 3) + __all_sync(all, lane < 32) + (int)__ballot_sync(all, lane & 1) + (int)__activemask() + (int)__match_any_sync(all, lane / 2) + (int)__match_all_sync(all, 1, &same);
    r += __reduce_add_sync(all, (int)lane) + __reduce_min_sync(all, (int)lane) + __reduce_max_sync(all, (int)lane) + __reduce_and_sync(all, lane) + __reduce_or_sync(all, lane) + __reduce_xor_sync(all, lane);
    r += __shfl_sync(all, r, 0) + __shfl_up_sync(all, r, 1) + __shfl_down_sync(all, r, 2) + __shfl_xor_sync(all, r, 4);
    __syncwarp();
    r += __syncthreads_count(lane > 1) + __syncthreads_and(r != 0) + __syncthreads_or(r == 0);
    __threadfence_block(), __threadfence(), __threadfence_system(), __nanosleep(10);
    atomicAdd(n, r), atomicSub(n, 1), atomicMin(n, 2), atomicMax(n, 3), atomicAnd(n, ~4), atomicOr(n, 5), atomicXor(n, 6), atomicExch(n, 7), atomicCAS(n, 8, 9);
    atomicInc(u, 10u), atomicDec(u, 11u), atomicAdd(f, 1.0f), atomicExch(f, 2.0f);
    atomicAdd(&symbol_of_int, (int)symbol_of_doubles[1]);
    if (r == 54321)
        __brkpt();
    if (r == 12345)
        __trap();
}
[[maybe_unused]] static cudaError_t symbols(cudaStream_t stream) {
    void *at;
    size_t bytes;
    int value = 1, blocks;
    double both[2] = {0, 1};
    cudaError_t e = cudaGetSymbolAddress(&at, symbol_of_int);
    if (!e) e = cudaGetSymbolSize(&bytes, symbol_of_doubles);
    if (!e) e = cudaMemcpyToSymbol(symbol_of_int, &value, sizeof value, 0, cudaMemcpyHostToDevice);
    if (!e) e = cudaMemcpyFromSymbol(&value, symbol_of_int, bytes / 4, 0, cudaMemcpyDeviceToHost);
    if (!e) e = cudaMemcpyToSymbolAsync(symbol_of_doubles, both, sizeof both, 0, cudaMemcpyHostToDevice, stream);
    if (!e) e = cudaMemcpyFromSymbolAsync(both, symbol_of_doubles, sizeof *both, sizeof *both, cudaMemcpyDeviceToHost, stream);
    if (!e) e = cudaFuncSetSharedMemConfig(math_kernel, cudaSharedMemBankSizeEightByte);
    if (!e) e = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, math_kernel, 32, 0, cudaOccupancyDisableCachingOverride);
    return e;
}
