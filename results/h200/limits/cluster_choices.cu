// clang-format off
// lab: the cluster kernel with its choices as parameters
#include <cuda_runtime.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdint.h>
enum { WARP = 32, MAX_BLOCKS = 16 };
#define ALL 0xffffffffu
typedef unsigned long long u64;
struct alignas(8) state { float max, sum; };
static __device__ __forceinline__ float shift_of(float m) { return m == -INFINITY ? 0.0f : m; }
static __device__ __forceinline__ float ex2(float x) { float r; asm("ex2.approx.ftz.f32 %0,%1;" : "=f"(r) : "f"(x)); return r; }
#define LOG2E 1.4426950408889634f
static __device__ __forceinline__ state merge(state s) {
    float m = s.max;
    int i = __float_as_int(m); i ^= (i >> 31) & 0x7fffffff; i = __reduce_max_sync(ALL, i); i ^= (i >> 31) & 0x7fffffff; m = __int_as_float(i);
    float v = s.sum * __expf(s.max - shift_of(m));
#pragma unroll
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(ALL, v, d);
    return state{m, v};
}
static __device__ __forceinline__ unsigned sa(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
static __device__ __forceinline__ unsigned peer(unsigned a, unsigned r) { unsigned o; asm("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(o) : "r"(a), "r"(r)); return o; }
template <typename T> struct two;
template <> struct two<float> { enum { N = 1 };
    static __device__ __forceinline__ void open(unsigned w, float *f) { f[0] = __uint_as_float(w); }
    static __device__ __forceinline__ unsigned close(const float *f) { return __float_as_uint(f[0]); }
    static __device__ __forceinline__ float max4(uint4 v, float m) { return fmaxf(fmaxf(fmaxf(m, __uint_as_float(v.x)), __uint_as_float(v.y)), fmaxf(__uint_as_float(v.z), __uint_as_float(v.w))); }
    static __device__ __forceinline__ float e(float v, float s) { return ex2((v - s) * LOG2E); }
    static __device__ __forceinline__ float sh(float m) { return shift_of(m); } };
template <> struct two<__half> { enum { N = 2 };
    static __device__ __forceinline__ void open(unsigned w, float *f) { float2 a = __half22float2(*reinterpret_cast<__half2 *>(&w)); f[0] = a.x; f[1] = a.y; }
    static __device__ __forceinline__ unsigned close(const float *f) { __half2 h = __floats2half2_rn(f[0], f[1]); return *reinterpret_cast<unsigned *>(&h); }
    static __device__ __forceinline__ float max4(uint4 v, float m) { __half2 *h = reinterpret_cast<__half2 *>(&v); float2 a = __half22float2(__hmax2(__hmax2(h[0], h[1]), __hmax2(h[2], h[3]))); return fmaxf(m, fmaxf(a.x, a.y)); }
    static __device__ __forceinline__ float e(float v, float s) { return ex2(fmaf(v, LOG2E, -s)); }
    static __device__ __forceinline__ float sh(float m) { return shift_of(m) * LOG2E; } };
template <> struct two<__nv_bfloat16> { enum { N = 2 };
    static __device__ __forceinline__ void open(unsigned w, float *f) { f[0] = __uint_as_float(w << 16); f[1] = __uint_as_float(w & 0xffff0000u); }
    static __device__ __forceinline__ unsigned close(const float *f) { __nv_bfloat162 h = __floats2bfloat162_rn(f[0], f[1]); return *reinterpret_cast<unsigned *>(&h); }
    static __device__ __forceinline__ float max4(uint4 v, float m) { __nv_bfloat162 *h = reinterpret_cast<__nv_bfloat162 *>(&v); __nv_bfloat162 a = __hmax2(__hmax2(h[0], h[1]), __hmax2(h[2], h[3])); return fmaxf(m, fmaxf(__bfloat162float(a.x), __bfloat162float(a.y))); }
    static __device__ __forceinline__ float e(float v, float s) { return ex2((v - s) * LOG2E); }
    static __device__ __forceinline__ float sh(float m) { return shift_of(m); } };

template <int LOAD> static __device__ __forceinline__ uint4 load(const void *p) {
    uint4 v;
    if (LOAD == 0) asm volatile("ld.global.nc.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    if (LOAD == 1) asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    if (LOAD == 2) { u64 pol; asm volatile("createpolicy.fractional.L2::evict_first.b64 %0,1.0;" : "=l"(pol));
        asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.u32 {%0,%1,%2,%3},[%4],%5;" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p), "l"(pol)); }
    if (LOAD == 3) v = __ldcs((const uint4 *)p);
    return v;
}
template <int STORE> static __device__ __forceinline__ void store(void *p, uint4 v) {
    if (STORE == 0) asm volatile("st.global.v4.u32 [%0],{%1,%2,%3,%4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
    if (STORE == 1) __stcs((uint4 *)p, v);
    if (STORE == 2) { u64 pol; asm volatile("createpolicy.fractional.L2::evict_first.b64 %0,1.0;" : "=l"(pol));
        asm volatile("st.global.L2::cache_hint.v4.u32 [%0],{%1,%2,%3,%4},%5;" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "l"(pol) : "memory"); }
}
template <typename T> static __device__ __forceinline__ uint4 written(uint4 v, float s, float scale) {
    typedef two<T> P; const unsigned in[4] = {v.x, v.y, v.z, v.w}; unsigned out[4];
#pragma unroll
    for (int w = 0; w < 4; w++) { float f[P::N]; P::open(in[w], f);
#pragma unroll
        for (int i = 0; i < P::N; i++) f[i] = P::e(f[i], s) * scale;
        out[w] = P::close(f); }
    return make_uint4(out[0], out[1], out[2], out[3]);
}
template <typename T> static __device__ __noinline__ uint4 cut_load(const T *x, int at, int low, int high) {
    enum { SIZE = 16 / sizeof(T) }; union { uint4 v; T e[SIZE]; } u;
    for (int i = 0; i < SIZE; i++) u.e[i] = at + i >= low && at + i < high ? x[at + i] : (T)-INFINITY;
    return u.v;
}
template <typename T> static __device__ __noinline__ void cut_store(T *y, int at, int low, int high, uint4 v) {
    enum { SIZE = 16 / sizeof(T) }; union { uint4 v; T e[SIZE]; } u; u.v = v;
    for (int i = 0; i < SIZE; i++) if (at + i >= low && at + i < high) y[at + i] = u.e[i];
}
// BLOCKS a cluster; part: groups of a block; a thread holds GROUPS, blockDim.x apart
template <typename T, int GROUPS, int LOAD, int STORE, int REGS>
static __global__ void __maxnreg__(REGS) row_kernel(const T *__restrict__ x, T *__restrict__ y, int cols, int blocks, int part) {
    typedef two<T> P; enum { SIZE = 16 / sizeof(T) };
    __shared__ state of_warp[32], of_block[MAX_BLOCKS]; __shared__ u64 arrived;
    const int rank = blockIdx.x & (blocks - 1), lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    const unsigned bar = sa(&arrived);
    if (blocks > 1) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0],1;" ::"r"(bar) : "memory");
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _,[%0],%1;" ::"r"(bar), "r"(blocks * 8) : "memory");
        }
        __syncwarp();
        asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    }
    const int64_t start = (int64_t)(blockIdx.x / (unsigned)blocks) * cols;
    const int low = (int)(start % SIZE), high = low + cols;
    const T *x_row = x + (start - low); T *y_row = y + (start - low);
    const int first = rank * part, whole_from = first == 0 && low > 0 ? 1 : first, whole_to = min(first + part, high / SIZE), end = min(first + part, (high + SIZE - 1) / SIZE);
    const bool whole = whole_from == first && whole_to >= first + GROUPS * (int)blockDim.x;
    uint4 held[GROUPS];
    const uint4 *from = reinterpret_cast<const uint4 *>(x_row) + first + threadIdx.x;
    uint4 *to = reinterpret_cast<uint4 *>(y_row) + first + threadIdx.x;
    const float none2[2] = {-INFINITY, -INFINITY}; const unsigned none = P::close(none2);
    if (whole) {
#pragma unroll
        for (int g = 0; g < GROUPS; g++) held[g] = load<LOAD>(from + g * blockDim.x);
    } else {
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            const int at = first + g * blockDim.x + threadIdx.x;
            held[g] = make_uint4(none, none, none, none);
            if (at >= whole_from && at < whole_to) held[g] = load<LOAD>(from + g * blockDim.x);
            else if (at < end) held[g] = cut_load(x_row, at * SIZE, low, high);
        }
    }
    float max = -INFINITY;
#pragma unroll
    for (int g = 0; g < GROUPS; g++) max = P::max4(held[g], max);
    const float s0 = P::sh(max);
    float sum[4] = {0, 0, 0, 0};
#pragma unroll
    for (int g = 0; g < GROUPS; g++) { const unsigned w[4] = {held[g].x, held[g].y, held[g].z, held[g].w};
#pragma unroll
        for (int i = 0; i < 4; i++) { float f[P::N]; P::open(w[i], f);
#pragma unroll
            for (int k = 0; k < P::N; k++) sum[i] += P::e(f[k], s0); } }
    state all = merge(state{max, (sum[0] + sum[1]) + (sum[2] + sum[3])});
    if (lane == 0) of_warp[threadIdx.x / WARP] = all;
    __syncthreads();
    if (blocks > 1) {
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
        if (threadIdx.x < WARP) {
            all = merge(lane < warps ? of_warp[lane] : state{-INFINITY, 0});
            if (lane < blocks)
                asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0],%1,[%2];" ::"r"(peer(sa(&of_block[rank]), lane)),
                             "l"((u64)__float_as_uint(all.sum) << 32 | __float_as_uint(all.max)), "r"(peer(bar, lane)) : "memory");
            __syncwarp();
        }
        unsigned done = 0;
        while (!done) asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p,[%1],0;\nselp.u32 %0,1,0,p;\n}" : "=r"(done) : "r"(bar) : "memory");
        all = merge(lane < blocks ? of_block[lane] : state{-INFINITY, 0});
    } else
        all = merge(lane < warps ? of_warp[lane] : state{-INFINITY, 0});
    const float s = P::sh(all.max); float scale; asm("rcp.approx.ftz.f32 %0,%1;" : "=f"(scale) : "f"(all.sum));
    if (whole) {
#pragma unroll
        for (int g = 0; g < GROUPS; g++) store<STORE>(to + g * blockDim.x, written<T>(held[g], s, scale));
    } else {
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            const int at = first + g * blockDim.x + threadIdx.x;
            if (at >= whole_from && at < whole_to) store<STORE>(to + g * blockDim.x, written<T>(held[g], s, scale));
            else if (at < end) cut_store(y_row, at * SIZE, low, high, written<T>(held[g], s, scale));
        }
    }
}
template <typename T, int G, int L, int S, int R> static int go(const void *x, void *y, int M, int N, int K, int NT, int part, cudaStream_t st) {
    auto k = row_kernel<T, G, L, S, R>;
    if (R * NT > 65536) return -3;
    static bool once = false;
    if (!once) { cudaFuncSetAttribute(k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1); once = true; }
    cudaLaunchAttribute a = {}; a.id = cudaLaunchAttributeClusterDimension; a.val.clusterDim.x = K; a.val.clusterDim.y = a.val.clusterDim.z = 1;
    cudaLaunchConfig_t c = {}; c.gridDim = dim3(M * K); c.blockDim = dim3(NT); c.stream = st; c.attrs = &a; c.numAttrs = 1;
    int e = cudaLaunchKernelEx(&c, k, (const T *)x, (T *)y, N, K, part); if (e) cudaGetLastError(); return e;
}
template <typename T, int L, int S, int R> static int groups(const void *x, void *y, int M, int N, int K, int NT, cudaStream_t st) {
    const int V = 16 / sizeof(T); int n = N % V ? (N + V - 1 + V - 1) / V : N / V, part = (n + K - 1) / K, g = (part + NT - 1) / NT;
#define G(i) if (g <= i) return go<T, i, L, S, R>(x, y, M, N, K, NT, part, st);
    G(1) G(2) G(3) G(4) G(8)
    return -2;
}
template <typename T> static int type(const void *x, void *y, int M, int N, int K, int NT, int L, int S, int R, cudaStream_t st) {
#define V(l, s, r) if (L == l && S == s && R == r) return groups<T, l, s, r>(x, y, M, N, K, NT, st);
    V(0, 0, 64) V(1, 0, 64) V(2, 0, 64) V(0, 1, 64) V(2, 2, 64) V(3, 1, 64) V(0, 0, 40) V(2, 0, 40) V(0, 0, 32) V(2, 0, 32)
    return -4;
}
extern "C" int lab_cluster(int dt, const void *x, void *y, int M, int N, int K, int NT, int L, int S, int R, void *st) {
    return dt == 0 ? type<float>(x, y, M, N, K, NT, L, S, R, (cudaStream_t)st) : dt == 1 ? type<__half>(x, y, M, N, K, NT, L, S, R, (cudaStream_t)st) : -9;
}
