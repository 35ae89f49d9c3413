#pragma once
namespace reduce {
struct maximum {
    static __device__ float identity() { return -INFINITY; }
    static __device__ float apply(float a, float b) { return fmaxf(a, b); }
};
struct sum {
    static __device__ float identity() { return 0; }
    static __device__ float apply(float a, float b) { return a + b; }
};
} // namespace reduce
