// Shows: the intrinsics as people wrap them: in macros with token pasting, as functors, in templates over the type, inside lambdas of kernels, as
// initialisers of arrays, under scopes (_block, _system) and with volatile; in kernels that nothing launches.
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

/* ---- every intrinsic, wrapped ---- */
#define CONVERTED(from, to, v) __##from##2##to##_rn(v)
#define REDUCED(op, v) __reduce_##op##_sync(0xffffffffu, v)
#define SHUFFLED(way, v, n) __shfl##way##_sync(~0u, (v), (n))

template <class T> struct Loads {
    __device__ T operator()(const T *p) const { return (__ldg(p) + __ldcg(p)) + (__ldca(p) + __ldcs(p)) + (__ldlu(p) + __ldcv(p)); }
};
template <class T> struct Stores {
    T *to;
    __device__ void operator()(T v) { __stwb(to, v), __stcg(to + 1, v), __stcs(to + 2, v), __stwt(to + 3, v); }
};
template <class T> __device__ T all_atomics(T *p, T v) {
    T old = atomicAdd(p, v);
    old = atomicMin(p, old), old = atomicMax(p, v), old = atomicAnd(p, v), old = atomicOr(p, v), old = atomicXor(p, v), old = atomicExch(p, v);
    return atomicCAS(p, old, v);
}
template <bool Signed> __device__ void count(unsigned *u, int *i) {
    if constexpr (Signed)
        atomicSub(i, 1), atomicAdd_block(i, 2), atomicMax_system(i, 3);
    else
        atomicInc(u, 31u), atomicDec(u, 31u), atomicSub(u, 1u), atomicAdd_system(u, 2u), atomicCAS_block(u, 1u, 2u);
}
__global__ void composed(float *f, double *d, int *i, unsigned *u, long long *l, unsigned long long *w) {
    Stores<float>{f}(Loads<float>()(f + 8));
    Stores<int>{i}(Loads<int>{}(i + 8));
    const auto bits = [=](unsigned a) -> unsigned long long {
        const int table[] = {__clz(a), __clzll(a), __ffs(a), __ffsll(a), __popc(a), __popcll(a), (int)__brev(a), (int)__brevll(a)};
        return table[a & 7] + __byte_perm(a, a, 0x0123) + __funnelshift_l(a, a, a) + __funnelshift_r(a, a, a);
    };
    const auto products = [](auto a, auto b) { return __mulhi(a, b) + __umulhi(a, b) + __mul64hi(a, b) + __umul64hi(a, b) + __mul24(a, b) + __umul24(a, b) + __sad(a, b, 0) + __usad(a, b, 0); };
    w[0] = bits(u[0]) + products(i[0], i[1]);
    l[0] = CONVERTED(float, int, f[0]) + CONVERTED(float, uint, f[0]) + CONVERTED(float, ll, f[0]) + CONVERTED(float, ull, f[0]) + CONVERTED(double, int, d[0]) +
           CONVERTED(double, uint, d[0]) + CONVERTED(double, ll, d[0]) + CONVERTED(double, ull, d[0]);
    l[0] += __float2int_rn(f[1]) + __float2uint_rn(f[1]) + __float2ll_rn(f[1]) + __float2ull_rn(f[1]) + __double2int_rn(d[1]) + __double2uint_rn(d[1]) + __double2ll_rn(d[1]) + __double2ull_rn(d[1]);
    f[0] = CONVERTED(int, float, i[0]) + CONVERTED(uint, float, u[0]) + CONVERTED(ll, float, l[0]) + CONVERTED(ull, float, w[0]) + CONVERTED(double, float, d[0]);
    d[0] = CONVERTED(int, double, i[0]) + CONVERTED(uint, double, u[0]) + CONVERTED(ll, double, l[0]) + CONVERTED(ull, double, w[0]);
    f[1] = __int2float_rn(i[1]) + __uint2float_rn(u[1]) + __ll2float_rn(l[1]) + __ull2float_rn(w[1]) + __double2float_rn(d[1]);
    d[1] = __int2double_rn(1) + __uint2double_rn(1u) + __ll2double_rn(1ll) + __ull2double_rn(1ull) + __fma_rn(d[1], d[2], d[3]);
    d[2] = __hiloint2double(__double2hiint(d[2]), __double2loint(d[2])) + __longlong_as_double(__double_as_longlong(d[3]));
    f[2] = __int_as_float(__float_as_int(f[2]) + 1) + __uint_as_float(__float_as_uint(f[3]) ^ 1u);
    float sine, cosine;
    for (int k = 0; k < 4; k++, __sincosf(f[k], &sine, &cosine)) {
        const float v[] = {__expf(f[k]), __exp10f(f[k]), __logf(f[k]), __log2f(f[k]), __log10f(f[k]), __powf(f[k], 2), __sinf(f[k]), __cosf(f[k]), __tanf(f[k]), __tanhf(f[k]), __fdividef(1, f[k]), __saturatef(f[k])};
        for (float e : v)
            f[k] = __fmaf_rn(e, __frsqrt_rn(f[k]), __fadd_rn(__fsub_rn(e, 1), __fmul_rn(e, __fdiv_rn(1, __frcp_rn(__fsqrt_rn(e))))));
    }
    d[3] = __dadd_rn(d[0], __dsub_rn(d[1], __dmul_rn(d[2], __ddiv_rn(1, __drcp_rn(__dsqrt_rn(d[3]))))));
}
__global__ void together(int *i, unsigned *u, float *f, long long *l) {
    volatile int *flag = i + 1;
    int same = 0, v = REDUCED(add, i[0]) + REDUCED(min, i[0]) + REDUCED(max, i[0]);
    unsigned b = REDUCED(and, u[0]) ^ REDUCED(or, u[0]) ^ REDUCED(xor, u[0]) ^ REDUCED(add, u[0]);
    b += __reduce_add_sync(~0u, b) + __reduce_min_sync(~0u, b) + __reduce_max_sync(~0u, b) + __reduce_and_sync(~0u, b) + __reduce_or_sync(~0u, b) + __reduce_xor_sync(~0u, b);
    v = SHUFFLED(, v, 0) + SHUFFLED(_up, v, 1) + SHUFFLED(_down, v, 2) + SHUFFLED(_xor, v, 3) + __shfl_sync(~0u, v, 1, 8) + __shfl_up_sync(~0u, v, 1, 16) + __shfl_down_sync(~0u, v, 1, 4) + __shfl_xor_sync(~0u, v, 1, 2);
    f[0] = __shfl_sync(__activemask(), f[0], 0);
    if (__any_sync(~0u, v) && __all_sync(~0u, v) && __ballot_sync(~0u, v) == __match_any_sync(~0u, v) && __match_all_sync(~0u, l[0], &same) && same)
        __syncwarp(__activemask());
    while (*flag == 0 && clock64() < l[0])
        __nanosleep(100);
    if (__syncthreads_and(v) || __syncthreads_or(v) || __syncthreads_count(v) > 3)
        __threadfence(), __threadfence_block(), __threadfence_system();
    all_atomics(i, v), all_atomics(u, b);
    count<true>(u, i), count<false>(u, i);
    if (b == 77 && v == 77)
        __trap();
    else if (b == 78)
        __brkpt();
}
