/* Vector types as they are used for wide accesses. */
#include <cuda_fp16.h>

template <class T, int n> struct __align__(sizeof(T) * n) aligned_vector {
    T values[n];
};
union pack {
    uint4 raw;
    __half halves[8];
};
__host__ __device__ inline float4 operator+(const float4 &a, const float4 &b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ inline float2 operator*(float2 a, float k) {
    return {a.x * k, a.y * k};
}
__constant__ float4 weights[2] = {{1.0f, 2.0f, 3.0f, 4.0f}, {5.0f}};
static const int2 none = {0, 0};

__global__ void wide(float *out, const float *in, const __half *halves, float4 by_value, int3 where) {
    __shared__ float4 tile[64];
    __shared__ uint2 pairs[32];
    float4 v = reinterpret_cast<const float4 *>(in)[threadIdx.x];
    float4 w = ((const float4 *)in)[1], zero = {0}, empty{}, filled = {1.0f, 2.0f, 3.0f, 4.0f};
    float4 unset;
    unset.x = 1;
    v = v + w + zero + empty + filled + by_value + weights[0];
    v.x *= 2;
    (&v.x)[3] += 1;
    float *elements = reinterpret_cast<float *>(&v);
    for (int k = 0; k < 4; k++)
        elements[k] += k;
    tile[threadIdx.x] = v;
    pairs[threadIdx.x].x = none.x + where.z;
    __syncthreads();
    pack p;
    p.raw = *reinterpret_cast<const uint4 *>(halves);
    float2 f = __half22float2(*reinterpret_cast<__half2 *>(&p.halves[2])) * 2.0f;
    __half2 h[4];
    *reinterpret_cast<uint4 *>(h) = p.raw;
    aligned_vector<float, 4> mine = *reinterpret_cast<const aligned_vector<float, 4> *>(in);
    auto [a, b, c, d] = v;
    reinterpret_cast<float4 *>(out)[threadIdx.x] = make_float4(f.x, f.y, mine.values[0], __low2float(h[1]));
    __stcs(reinterpret_cast<float4 *>(out) + 1, __ldg(reinterpret_cast<const float4 *>(in) + 2));
    *(double2 *)out = make_double2(a + b, c + d);
    *(float2 *)(out + 2) = threadIdx.x ? f : float2{1, 2};
    ((char4 *)out)[9] = make_char4(1, 2, 3, 4);
}

static_assert(sizeof(float3) == 12 && alignof(float3) == 4 && alignof(float2) == 8 && alignof(float4) == 16,
              "");
static_assert(alignof(double4) == 16 && sizeof(double4) == 32 && alignof(uchar4) == 4 && alignof(short4) == 8,
              "");
static_assert(alignof(pack) == 16 && alignof(__half2) == 4 && sizeof(__half) == 2 && alignof(longlong2) == 16,
              "");
static_assert(alignof(aligned_vector<float, 4>) == 16, "");

extern "C" void vectors(float *out) {
    int3 where = {1, 2, 3};
    wide<<<1, 64>>>(out, out, (const __half *)out, make_float4(1, 2, 3, 4), where);
    wide<<<1, 64>>>(out, out, reinterpret_cast<const half *>(out), float4{1, 2, 3, 4}, make_int3(1, 2, 3));
}
