// Faulty (operator.not_finite), a twin of the construct raii_and_namespaces. Shows: nested, inline and anonymous namespaces with kernels in each, using-declarations and aliases, enum class, a C++ class
// with a deleted copy as guard of the last error, std::optional, std::unique_ptr, noexcept, [[nodiscard]], ADL, friends.
#include "fused_softmax.h"

#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <memory>
#include <optional>
#include <stdexcept>

namespace course::device {
using index = std::int64_t;
inline namespace v2 {
struct state {
    float max = -INFINITY, sum = 0;
    __device__ friend state operator+(const state &a, const state &b) {
        state r;
        r.max = fmaxf(a.max, b.max);
        if (r.max != -INFINITY)
            r.sum = a.sum * __expf(a.max - r.max) + b.sum * __expf(b.max - r.max);
        
        return r;
    }
    __device__ state &operator+=(float v) { return *this = *this + state{v, v == -INFINITY ? 0.0f : 1.0f}; }
};
__device__ inline state across(state s) {
    for (int d = 1; d < 32; d *= 2) {
        state other;
        other.max = __shfl_xor_sync(0xffffffffu, s.max, d);
        other.sum = __shfl_xor_sync(0xffffffffu, s.sum, d);
        s = s + other;
    }
    return s;
}
} // namespace v2
namespace {
template <class T> __global__ void narrow(const T *x, T *y, index rows, int cols, index pitch) {
    if (const index row = index(blockIdx.x) * blockDim.y + threadIdx.y; row < rows) {
        const int c = threadIdx.x;
        const float v = c < cols ? float(x[row * pitch + c]) : -INFINITY;
        state s;
        s += v;
        s = across(s); // found by its argument
        if (c < cols)
            y[row * pitch + c] = T(s.sum == 0 ? NAN : __expf(v - s.max) / s.sum);
    }
}
} // namespace
template <class T> __global__ void wide(const T *x, T *y, index rows, int cols, index pitch) {
    if (const index row = index(blockIdx.x) * blockDim.y + threadIdx.y; row < rows) {
        float v[32];
        state s{};
        for (int i = 0; i < 32; ++i) {
            v[i] = int(threadIdx.x) + 32 * i < cols ? float(x[row * pitch + threadIdx.x + 32 * i]) : -INFINITY;
            s += v[i];
        }
        s = course::device::v2::across(s);
        for (int i = 0; i < 32; ++i)
            if (int(threadIdx.x) + 32 * i < cols)
                y[row * pitch + threadIdx.x + 32 * i] = T(s.sum == 0 ? NAN : __expf(v[i] - s.max) / s.sum);
    }
}
} // namespace course::device

namespace course::host {
enum class Element : std::uint8_t { Float = 4, Half = 2, BFloat = 3 };

class LastErrorGuard {
  public:
    LastErrorGuard() noexcept = default;
    LastErrorGuard(const LastErrorGuard &) = delete;
    LastErrorGuard &operator=(const LastErrorGuard &) = delete;
    ~LastErrorGuard() {
        if (armed)
            cudaGetLastError();
    }
    void arm() noexcept { armed = true; }

  private:
    bool armed = false;
};

[[nodiscard]] static std::optional<cudaMemoryType> home_of(const void *p) {
    LastErrorGuard guard;
    auto attributes = std::make_unique<cudaPointerAttributes>();
    if (cudaPointerGetAttributes(attributes.get(), p) != cudaSuccess) {
        guard.arm();
        return std::nullopt;
    }
    return attributes->type;
}

static Element element_of(cudaDataType_t t) {
    switch (t) {
    case CUDA_R_32F: return Element::Float;
    case CUDA_R_16F: return Element::Half;
    case CUDA_R_16BF: return Element::BFloat;
    default: throw std::invalid_argument("type");
    }
}

template <class T> void launch(const matrix &x, const matrix &y, unsigned k, cudaStream_t s) {
    using namespace course;
    const dim3 grid(static_cast<unsigned>((x.rows + k - 1) / k)), block{32, k};
    if (x.cols <= 32)
        device::narrow<T><<<grid, block, 0, s>>>(static_cast<const T *>(x.data), static_cast<T *>(y.data), x.rows, int(x.cols), x.pitch);
    else
        ::course::device::wide<<<grid, block, 0, s>>>(static_cast<const T *>(x.data), static_cast<T *>(y.data), x.rows, int(x.cols), x.pitch);
}

static void require(bool holds, const char *what) {
    if (!holds)
        throw std::invalid_argument(what);
}

static void validate(const matrix &x, const matrix &y, int k) {
    require(k == 1 || k == 2 || k == 4 || k == 8, "rows_per_block");
    require(x.type == y.type && x.rows == y.rows && x.cols == y.cols && x.pitch == y.pitch, "alike");
    require(x.cols >= 1 && x.cols <= FUSED_SOFTMAX_MAX_COLS && x.rows >= 0 && x.rows <= INT32_MAX / x.cols, "shape");
    require(x.pitch >= x.cols && x.pitch % 4 == 0, "pitch");
    const int size = element_of(x.type) == Element::Float ? 4 : 2;
    if (x.rows == 0)
        return;
    for (auto *m : {&x, &y})
        require(home_of(m->data).value_or(cudaMemoryTypeHost) >= cudaMemoryTypeDevice, "memory");
    const char *a = static_cast<char *>(x.data), *b = static_cast<char *>(y.data);
    const auto bytes = ((x.rows - 1) * x.pitch + x.cols) * size;
    require(a + bytes <= b || b + bytes <= a, "overlap");
}
} // namespace course::host

extern "C" cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    namespace h = course::host;
    try {
        h::validate(x, y, rows_per_block);
        if (x.rows)
            switch (h::element_of(x.type)) {
            case h::Element::Float: h::launch<float>(x, y, rows_per_block, stream); break;
            case h::Element::Half: h::launch<half>(x, y, rows_per_block, stream); break;
            case h::Element::BFloat: h::launch<nv_bfloat16>(x, y, rows_per_block, stream); break;
            }
    } catch (const std::exception &) {
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}
