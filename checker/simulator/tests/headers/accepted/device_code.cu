/* What kernels use: qualifiers, builtin variables, barriers, warp operations, atomics, cached accesses,
 * mathematics. */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <math_constants.h>
#include <stdint.h>
#include <stdio.h>

#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include <algorithm>
#include <device_atomic_functions.h>
#include <memory>
#include <string>
#include <type_traits>

#define FULL_MASK 0xffffffff
#define WARPS 8

typedef struct __align__(8) {
    float max, sum;
}
state;

__device__ __forceinline__ state merge(state a, state b) {
    state r;
    r.max = fmaxf(a.max, b.max);
    r.sum = r.max == -INFINITY ? 0.0f : a.sum * __expf(a.max - r.max) + b.sum * __expf(b.max - r.max);
    return r;
}
__host__ __device__ constexpr int ceil_div(int a, int b) {
    return (a + b - 1) / b;
}
__noinline__ __device__ float slow(float x) {
    return expf(x) + exp2f(x) + logf(x) + log1pf(x) + powf(x, 2) + rsqrtf(x);
}
static __device__ __inline__ float clamp01(float x) {
    return __saturatef(x);
}

template <int width> __device__ float warp_max(float value) {
#pragma unroll
    for (int offset = width / 2; offset > 0; offset >>= 1)
        value = fmaxf(value, __shfl_xor_sync(FULL_MASK, value, offset, width));
    return value;
}

__global__ void everything(float *__restrict__ out, const float *__restrict__ in, int *count, unsigned *bins,
                           unsigned long long *total, double *sum, int64_t n) {
    __shared__ float row[32][33];
    __shared__ state states[WARPS];
    __shared__ __align__(16) unsigned char bytes[256];
    __shared__ union {
        float f[4];
        int i[4];
    } both;
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / 32;
    const unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    uint3 place = threadIdx;
    dim3 size = blockDim, grid = gridDim;
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? __ldg(&in[i]) : -CUDART_INF_F;
    row[lane][warp] = x;
    bytes[tid % 256] = (unsigned char)tid;
    if (tid < 4)
        both.i[tid] = __float_as_int(x);
    if (lane == 0)
        states[warp] = state{x, 1.0f};
    __syncthreads();
    state s = merge(states[0], states[warp % WARPS]);
    x = warp_max<32>(x) + warp_max<8>(s.sum);
    x += __shfl_sync(FULL_MASK, x, 0) + __shfl_up_sync(FULL_MASK, x, 1) + __shfl_down_sync(FULL_MASK, x, 16);
    unsigned votes = __ballot_sync(FULL_MASK, x > 0) + __any_sync(FULL_MASK, 1) + __all_sync(~0u, lane < 32);
    votes += __popc(__activemask()) + __ffs(votes) + __clz((int)votes) + __brev(votes);
    votes += __match_any_sync(FULL_MASK, lane / 4) + __reduce_add_sync(FULL_MASK, 1u) +
             __reduce_max_sync(~0u, lane);
    long long wide = __shfl_down_sync(FULL_MASK, (long long)i, 1);
    double precise = __shfl_xor_sync(FULL_MASK, (double)x, 1);
    __syncwarp();
    __syncwarp(FULL_MASK);
    if (__syncthreads_count(x > 0) > 3 && __syncthreads_or(lane == 1) && __syncthreads_and(1))
        atomicAdd(count, 1);
    atomicMax(count, lane);
    atomicMin(&count[1], (int)wide);
    atomicAdd(&bins[lane], 1u);
    atomicInc(bins, 7u);
    atomicAdd(total, (unsigned long long)votes);
    atomicAdd(out, x);
    atomicAdd_block(sum, precise);
    atomicExch(out, 0.0f);
    unsigned long long seen = *total;
    while (atomicCAS(total, seen, seen + 1) != seen)
        seen = *total;
    int *bits = (int *)out;
    int old = *bits;
    old = atomicCAS(bits, old, __float_as_int(fmaxf(__int_as_float(old), x)));
    __threadfence();
    __threadfence_block();
    x = min(x, 3.0f) + max(1, old) + max(2u, votes) + min(n, (int64_t)7) + abs(-3) + fabsf(x) + clamp01(x) +
        slow(x);
    x += __fdividef(x, 2.0f) + __frcp_rn(x) + __fmaf_rn(x, x, x) + __fadd_rn(x, 1.0f) + __logf(x) +
         __powf(x, 2.0f) + __sinf(x) + fmaf(x, x, x) + sqrtf(x) + floorf(x) + rintf(x) + tanhf(x) + erff(x) +
         exp(x) + log(x) + max(x, 0.f);
    if (isnan(x) || isinf(x) || !isfinite(x) || x < -FLT_MAX || signbit(x))
        x = __int_as_float(0xff800000) + CUDART_NAN_F + __double2float_rn(precise) + __float2int_rn(x);
    __stcs(&out[i], x);
    __stcg(out + i, __ldcs(in + i) + __ldcg(in + i) + __ldca(&in[i]));
    long long begin = clock64();
    __nanosleep(100);
    if (clock64() < begin)
        __trap();
    assert(size.x * grid.x > place.x);
    if (i == 0)
        printf("block %d thread %d: %f\n", blockIdx.x, threadIdx.x, x);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#error "an old device"
#endif
#ifndef __CUDACC__
#error "not CUDA"
#endif

extern "C" void device_code(float *out) {
    std::string name = "a student may use the standard library on the host";
    auto owned = std::make_unique<int>(std::max(ceil_div(7, 2), 3));
    static_assert(std::is_same<decltype(name.size()), size_t>::value, "");
    everything<<<*owned, 256>>>(out, out, (int *)out, nullptr, 0, NULL, (int64_t)name.size());
}
