#pragma once
#define HALF_HEADER <cuda_fp16.h>
#include HALF_HEADER
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#endif
#include "reduce/warp.cuh"
#include "../host/types.def" // declares nothing unless TYPE is defined

template <class T> __global__ void rows(const T *x, T *y, long long count, int cols, long long pitch) {
    const long long row = 1ll * blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= count)
        return;
    float v[32];
    const float m = reduce::all<reduce::maximum>([&](int i) {
        const int c = threadIdx.x + 32 * i;
        return v[i] = c < cols ? float(x[row * pitch + c]) : -INFINITY;
    });
    const float s = reduce::all<reduce::sum>([&](int i) { return v[i] = __expf(v[i] - m); });
    for (int i = 0, c = threadIdx.x; c < cols; c += 32)
        y[row * pitch + c] = T(v[i++] / s);
}
