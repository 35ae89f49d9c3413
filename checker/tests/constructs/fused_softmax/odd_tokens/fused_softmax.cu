// Shows: alternative tokens and digraphs, digit separators, binary literals, user-defined literals, raw strings, trailing
// return types, if with an initialiser, nested conditionals, attributes, alignof and sizeof..., using in place of typedef,
// a template that is closed by >>> before a launch.
#include "fused_softmax.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

[[maybe_unused]] static const char *const about = R"cuda(k<<<1, 1>>>("not a launch"); __syncthreads(); /* not a comment)cuda";

constexpr auto operator""_lanes(unsigned long long n) -> int { return static_cast<int>(n); }
constexpr int WARP = 32_lanes, MOST = 1'024, PER = MOST / WARP;
constexpr unsigned ALL = 0b1111'1111'1111'1111'1111'1111'1111'1111u;

template <class T> struct box { using type = T; };
template <class B> struct of { using type = typename B::type; };
template <class T> using unboxed = typename of<box<T>>::type;

template <class B, int N = PER>
__global__ auto digraphs(const typename B::type *x, typename B::type *y, int64_t rows, int cols, int64_t pitch) -> void <%
    using T = unboxed<typename B::type>;
    static_assert(alignof(T) <= 4 and sizeof(T) == alignof(T), "plain");
    if (auto row = int64_t{blockIdx.x} * blockDim.y + threadIdx.y; not(row >= rows)) <%
        float v<:N:>, m{-INFINITY}, s{};
        for (int i{}; i not_eq N; ++i) <%
            const int c = threadIdx.x + i * WARP;
            v<:i:> = c < cols ? c >= 0 ? static_cast<float>(x<:row * pitch + c:>) : 0.0f : -INFINITY;
            m = v<:i:> > m ? v<:i:> : m;
        %>
        for (int d = WARP >> 1; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(ALL, m, d));
        for (float &e : v) s += e = expf(e - m);
        for (int d = WARP >> 1; d; d >>= 1) s += __shfl_xor_sync(ALL, s, d);
        for (int i{}; i < N and int(threadIdx.x + i * WARP) < cols; ++i) y<:row * pitch + threadIdx.x + i * WARP:> = T(v<:i:> / s);
    %>
%>

template <class... Bad> static auto none(Bad... bad) -> bool { return sizeof...(Bad) == 0 or not(bad or ...); }

[[gnu::noinline]] static auto wrong_place(const void *p) -> bool {
    if (cudaPointerAttributes a; cudaPointerGetAttributes(&a, p) == cudaSuccess)
        return a.type not_eq cudaMemoryTypeDevice and a.type not_eq cudaMemoryTypeManaged;
    else
        return (void)cudaGetLastError(), true;
}

auto fused_softmax(matrix x, matrix y, int n, cudaStream_t stream) -> cudaError_t {
    const bool type = x.type == CUDA_R_32F or x.type == CUDA_R_16F or x.type == CUDA_R_16BF;
    if (not none(n < 1, n > 8, (n bitand (n - 1)) != 0, not type, x.type != y.type, x.rows != y.rows, x.cols != y.cols, x.pitch != y.pitch,
                 x.rows < 0, x.cols < 1, x.cols > MOST, x.pitch < x.cols, x.pitch % 4 != 0))
        return cudaErrorInvalidValue;
    if (x.rows > 2'147'483'647 / x.cols)
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    const auto p = reinterpret_cast<uintptr_t>(x.data), q = reinterpret_cast<uintptr_t>(y.data);
    const uintptr_t bytes = ((x.rows - 1) * x.pitch + x.cols) * (x.type == CUDA_R_32F ? sizeof(float) : sizeof(__half));
    if (wrong_place(x.data) or wrong_place(y.data) or (p < q ? q - p : p - q) < bytes)
        return cudaErrorInvalidValue;
    const dim3 grid((unsigned)((x.rows + n - 1) / n)), block(32, n);
    switch (x.type) {
    case CUDA_R_32F:
        digraphs<of<box<float>>><<<grid, block, 0, stream>>>(static_cast<const float *>(x.data), static_cast<float *>(y.data), x.rows, int(x.cols), x.pitch);
        break;
    case CUDA_R_16F:
        digraphs<of<box<__half>>, (PER > 16 ? PER : 16)> <<<grid, block, 0, stream>>>(static_cast<const __half *>(x.data), static_cast<__half *>(y.data), x.rows, int(x.cols), x.pitch);
        break;
    default:
        digraphs<box<__nv_bfloat16>, (1 << 5)> <<< grid , block
            // the stream comes last
            , 0, /* no dynamic shared memory */ stream >>> (static_cast<const __nv_bfloat16 *>(x.data), static_cast<__nv_bfloat16 *>(y.data), x.rows, int(x.cols), x.pitch);
    }
    return cudaGetLastError();
}
