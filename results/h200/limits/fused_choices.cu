// clang-format off
// lab: softmax of rows up to 1024 columns, choices as parameters
#include <cuda_runtime.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#define ALL 0xffffffffu
template <typename T, int SIZE> struct alignas(SIZE * sizeof(T)) pack { T e[SIZE]; };
static __device__ float to_float(float v) { return v; }
static __device__ float to_float(__half v) { return __half2float(v); }
static __device__ void round_to(float *o, float v) { *o = v; }
static __device__ void round_to(__half *o, float v) { *o = __float2half_rn(v); }
static __device__ __forceinline__ float shift_of(float m) { return m == -INFINITY ? 0.0f : m; }
template <bool REDUX> static __device__ __forceinline__ float wmax(float v) {
    if (REDUX) { int i = __float_as_int(v); i ^= (i >> 31) & 0x7fffffff; i = __reduce_max_sync(ALL, i); i ^= (i >> 31) & 0x7fffffff; return __int_as_float(i); }
#pragma unroll
    for (int d = 16; d; d /= 2) v = fmaxf(v, __shfl_xor_sync(ALL, v, d));
    return v;
}
static __device__ __forceinline__ float wsum(float v) {
#pragma unroll
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(ALL, v, d);
    return v;
}
// LOAD 0 plain, 1 nc no_allocate, 2 evict first policy; bit 2 (4): all rows in one __syncthreads instead of a named barrier a row
// redux: REDUX; DIV: 0 division, 1 rcp
template <typename T, int SIZE> static __device__ __forceinline__ pack<T, SIZE> load(const T *p, int how) {
    pack<T, SIZE> r;
    if (how == 0) return *reinterpret_cast<const pack<T, SIZE> *>(p);
    if (sizeof(r) == 16) { uint4 v; asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p)); r = *reinterpret_cast<pack<T, SIZE> *>(&v); }
    else { uint2 v; asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0,%1},[%2];" : "=r"(v.x), "=r"(v.y) : "l"(p)); r = *reinterpret_cast<pack<T, SIZE> *>(&v); }
    return r;
}
template <typename T, int SIZE, int WARPS, int PACKS, int LOAD, bool REDUX, bool NAMED, bool RCP>
static __global__ void __launch_bounds__(512) rows_kernel(const T *__restrict__ x, T *__restrict__ y, int64_t rows, int cols, int64_t pitch) {
    const int64_t row = (int64_t)blockIdx.x * blockDim.z + threadIdx.z;
    const int first = (threadIdx.y * 32 + threadIdx.x) * SIZE, step = WARPS * 32 * SIZE;
    if (NAMED && row >= rows) return;
    const int columns = row < rows ? cols : 0;
    const T *x_row = x + row * pitch + first; T *y_row = y + row * pitch + first;
    pack<T, SIZE> in[PACKS];
#pragma unroll
    for (int p = 0; p < PACKS; p++)
        if ((NAMED && p < PACKS - 1) || first + p * step < columns) in[p] = load<T, SIZE>(x_row + p * step, LOAD);
    float value[PACKS][SIZE], max = -INFINITY;
#pragma unroll
    for (int p = 0; p < PACKS; p++)
#pragma unroll
        for (int i = 0; i < SIZE; i++) {
            value[p][i] = (NAMED && p < PACKS - 1) || first + p * step + i < columns ? to_float(in[p].e[i]) : -INFINITY;
            max = fmaxf(max, value[p][i]);
        }
    max = wmax<REDUX>(max);
    const float s = shift_of(max);
    float sum = 0, sum2 = 0;
#pragma unroll
    for (int p = 0; p < PACKS; p++)
#pragma unroll
        for (int i = 0; i < SIZE; i += 2) {
            value[p][i] = __expf(value[p][i] - s); value[p][i + 1] = __expf(value[p][i + 1] - s);
            sum += value[p][i]; sum2 += value[p][i + 1];
        }
    sum = wsum(sum + sum2);
    float scale;
    if (WARPS == 1) { if (RCP) scale = __fdividef(1.0f, sum); else scale = 1 / sum; }
    else {
        __shared__ float2 of[8][WARPS];
        if (threadIdx.x == 0) of[threadIdx.z][threadIdx.y] = make_float2(max, sum);
        if (NAMED) asm volatile("bar.sync %0,%1;" ::"r"(threadIdx.z + 1), "n"(WARPS * 32) : "memory"); else __syncthreads();
        float M = -INFINITY, L = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++) M = fmaxf(M, of[threadIdx.z][w].x);
#pragma unroll
        for (int w = 0; w < WARPS; w++) L += of[threadIdx.z][w].y * __expf(of[threadIdx.z][w].x - shift_of(M));
        scale = __expf(max - shift_of(M)); scale = RCP ? scale * __fdividef(1.0f, L) : scale / L;
    }
#pragma unroll
    for (int p = 0; p < PACKS; p++) {
        const int col = first + p * step;
        pack<T, SIZE> out;
#pragma unroll
        for (int i = 0; i < SIZE; i++) round_to(&out.e[i], value[p][i] * scale);
        if ((NAMED && p < PACKS - 1) || col + SIZE <= columns) *reinterpret_cast<pack<T, SIZE> *>(y_row + p * step) = out;
        else
#pragma unroll
            for (int i = 0; i < SIZE; i++) if (col + i < columns) y_row[p * step + i] = out.e[i];
    }
}
template <typename T, int SIZE, int W, int P, int L, bool X, bool N, bool D> static int go(const void *x, void *y, int64_t M, int n, int64_t pitch, int R, cudaStream_t st) {
    rows_kernel<T, SIZE, W, P, L, X, N, D><<<(unsigned)((M + R - 1) / R), dim3(32, W, R), 0, st>>>((const T *)x, (T *)y, M, n, pitch);
    return cudaGetLastError();
}
template <typename T, int SIZE, int W, int L, bool X, bool N, bool D> static int packs(const void *x, void *y, int64_t M, int n, int64_t pitch, int R, cudaStream_t st) {
    const int p = (n + W * 32 * SIZE - 1) / (W * 32 * SIZE);
    if (W * R > 16) return -5;
#define P(i) if constexpr (i * W * 32 * SIZE <= 1024) if (p == i) return go<T, SIZE, W, i, L, X, N, D>(x, y, M, n, pitch, R, st);
    P(1) P(2) P(3) P(4) P(5) P(6) P(7) P(8)
    return -2;
}
template <typename T, int SIZE> static int all(const void *x, void *y, int64_t M, int n, int64_t pitch, int W, int R, int f, cudaStream_t st) {
#define F(w, l, a, b, c) if (W == w && f == (l) + 10 * (a) + 100 * (b) + 1000 * (c)) return packs<T, SIZE, w, l, a, b, c>(x, y, M, n, pitch, R, st);
#define WS(w) F(w, 0, 0, 0, 0) F(w, 0, 1, 0, 0) F(w, 0, 0, 1, 0) F(w, 0, 1, 1, 1) F(w, 1, 1, 1, 1) F(w, 0, 1, 0, 1) F(w, 0, 0, 1, 1)
    WS(1) WS(2) WS(4)
    return -3;
}
// dt 0 FP32, 1 FP16. SIZE elements a load; W warps a row; R rows a block; f = load + 10 redux + 100 named barrier + 1000 reciprocal
extern "C" int lab_fused(int dt, const void *x, void *y, int M, int n, int pitch, int SIZE, int W, int R, int f, void *st) {
    if (pitch % SIZE) return -1;
    if (dt == 0) return SIZE == 4 ? all<float, 4>(x, y, M, n, pitch, W, R, f, (cudaStream_t)st) : -6;
    return SIZE == 8 ? all<__half, 8>(x, y, M, n, pitch, W, R, f, (cudaStream_t)st) : all<__half, 4>(x, y, M, n, pitch, W, R, f, (cudaStream_t)st);
}
