// Faulty (operator.types), a twin of the construct lambdas_everywhere. Shows: captureless lambdas that launch, in a static table; generic, mutable and immediately called lambdas inside kernels;
// a lambda that returns a lambda on the device; std::function-free dispatch by +[] ; a launch inside a nested lambda.
#include "fused_softmax.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __global__ void with_lambdas(const T *x, T *y, int64_t rows, int cols, int64_t pitch) {
    const int64_t row = [&] { return (int64_t)blockIdx.x * blockDim.y + threadIdx.y; }();
    if (row >= rows)
        return;
    const auto each = [cols](auto visit) {
        for (int i = 0, c = threadIdx.x; i < 32; i++, c += 32)
            visit(i, c, c < cols);
    };
    const auto across = [](auto op, float v) {
        for (int d = 16; d > 0; d >>= 1)
            v = op(v, __shfl_xor_sync(0xffffffffu, v, d));
        return v;
    };
    float v[32], m = -INFINITY, s = 0;
    each([&, from = x + row * pitch](int i, int c, bool inside) {
        v[i] = inside ? (float)from[c] : -INFINITY;
        m = fmaxf(m, v[i]);
    });
    m = across([](float a, float b) { return fmaxf(a, b); }, m);
    each([&](int i, auto...) { s += v[i] = __expf(v[i] - m); });
    s = across([](auto a, decltype(a) b) -> decltype(a) { return a + b; }, s);
    each([&v, s, to = y + row * pitch](int i, int c, bool inside) mutable {
        if (inside)
            to[c] = static_cast<T>(v[i] / s);
    });
}

struct Entry {
    cudaDataType_t type;
    size_t bytes;
    void (*launch)(const matrix &, const matrix &, int, cudaStream_t);
};
#define ENTRY(code, T)                                                                                       \
    {code, sizeof(T), [](const matrix &x, const matrix &y, int k, cudaStream_t stream) {                     \
         const auto go = [&](auto grid) {                                                                    \
             with_lambdas<<<grid, dim3(32, k), 0, stream>>>((const T *)x.data, (T *)y.data, x.rows, (int)x.cols, x.pitch); \
         };                                                                                                  \
         go((unsigned)((x.rows + k - 1) / k));                                                               \
     }}
static const Entry entries[] = {ENTRY(CUDA_R_32F, float), ENTRY(CUDA_R_16F, __nv_bfloat16), ENTRY(CUDA_R_16BF, __nv_bfloat16)};

cudaError_t fused_softmax(matrix x, matrix y, int k, cudaStream_t stream) {
    const Entry *entry = nullptr;
    for (const Entry &e : entries)
        if (e.type == x.type)
            entry = &e;
    const auto refused = [&]() -> bool {
        if (!entry || x.type != y.type || (k != 1 && k != 2 && k != 4 && k != 8))
            return true;
        if (x.rows != y.rows || x.cols != y.cols || x.pitch != y.pitch || x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS)
            return true;
        return x.rows < 0 || x.rows > INT32_MAX / x.cols || x.pitch < x.cols || x.pitch % 4 != 0;
    };
    if (refused())
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    auto known = +[](const void *p) {
        cudaPointerAttributes a;
        const auto error = cudaPointerGetAttributes(&a, p);
        if (error)
            cudaGetLastError();
        return !error && (a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged);
    };
    const auto distance = [](auto a, auto b) { return a < b ? b - a : a - b; };
    const size_t bytes = ((x.rows - 1) * x.pitch + x.cols) * entry->bytes;
    if (!known(x.data) || !known(y.data) || distance((uintptr_t)x.data, (uintptr_t)y.data) < bytes)
        return cudaErrorInvalidValue;
    entry->launch(x, y, k, stream);
    return cudaGetLastError();
}
