/* Faulty (rows.last_block), a twin of the construct functors_load_store. Shows: template template parameters for the reduction, functor objects as kernel arguments, a union as a pack of
 * aligned storage, a cascade of launchers with default template arguments, static_assert, cudaPeekAtLastError in front. */
#include "fused_softmax.h"

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>
#include <type_traits>

constexpr int kWarpSize = 32;
constexpr int kPack = 4;

template <typename T> struct SumOp {
    __device__ __forceinline__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <typename T> struct MaxOp {
    __device__ __forceinline__ T operator()(const T &a, const T &b) const { return max(a, b); }
};

template <template <typename> class ReductionOp, typename T, int width = kWarpSize>
__inline__ __device__ T WarpAllReduce(T val) {
    static_assert((width & (width - 1)) == 0, "width is a power of two");
    for (int mask = width / 2; mask > 0; mask /= 2)
        val = ReductionOp<T>()(val, __shfl_xor_sync(0xffffffff, val, mask));
    return val;
}

template <typename T> __inline__ __device__ T Inf();
template <> __inline__ __device__ float Inf<float>() {
    return CUDART_INF_F;
}

template <typename T, int N> struct GetPackType { using type = typename std::aligned_storage<N * sizeof(T), N * sizeof(T)>::type; };
template <typename T, int N> using PackType = typename GetPackType<T, N>::type;
template <typename T, int N> union Pack {
    static_assert(sizeof(PackType<T, N>) == sizeof(T) * N, "");
    __device__ Pack() {}
    PackType<T, N> storage;
    T elem[N];
};

template <typename SRC, typename DST> struct DirectLoad {
    DirectLoad(const void *src, int64_t row_size) : src(static_cast<const SRC *>(src)), row_size(row_size) {}
    template <int N> __device__ void load(DST *dst, int64_t row, int64_t col) const {
        Pack<SRC, N> pack;
        pack.storage = *(reinterpret_cast<const PackType<SRC, N> *>(src) + (row * row_size + col) / N);
#pragma unroll
        for (int i = 0; i < N; ++i)
            dst[i] = static_cast<DST>(pack.elem[i]);
    }
    const SRC *src;
    int64_t row_size;
};

template <typename SRC, typename DST> struct DirectStore {
    DirectStore(void *dst, int64_t row_size) : dst(static_cast<DST *>(dst)), row_size(row_size) {}
    template <int N> __device__ void store(const SRC *src, int64_t row, int64_t col, int valid) {
        if (valid >= N) {
            Pack<DST, N> pack;
#pragma unroll
            for (int i = 0; i < N; ++i)
                pack.elem[i] = static_cast<DST>(src[i]);
            *(reinterpret_cast<PackType<DST, N> *>(dst) + (row * row_size + col) / N) = pack.storage;
        } else {
            for (int i = 0; i < valid; ++i)
                dst[row * row_size + col + i] = static_cast<DST>(src[i]);
        }
    }
    DST *dst;
    int64_t row_size;
};

template <typename LOAD, typename STORE, typename ComputeType, int cols_per_thread>
__global__ void SoftmaxWarpImpl(LOAD load, STORE store, const int64_t rows, const int64_t cols) {
    constexpr int num_packs = cols_per_thread / kPack;
    ComputeType buf[cols_per_thread];
    const int64_t row = static_cast<int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
    if (row >= rows) { return; }
    ComputeType thread_max = -Inf<ComputeType>();
    for (int pack_id = 0; pack_id < num_packs; ++pack_id) {
        ComputeType *pack = buf + pack_id * kPack;
        const int col = (pack_id * kWarpSize + threadIdx.x) * kPack;
        if (col < cols)
            load.template load<kPack>(pack, row, col);
        for (int i = 0; i < kPack; ++i) {
            if (col + i >= cols)
                pack[i] = -Inf<ComputeType>();
            thread_max = max(thread_max, pack[i]);
        }
    }
    const ComputeType warp_max = WarpAllReduce<MaxOp, ComputeType>(thread_max);
    ComputeType thread_sum = 0;
    for (int i = 0; i < cols_per_thread; ++i) {
        buf[i] = __expf(buf[i] - warp_max);
        thread_sum += buf[i];
    }
    const ComputeType warp_sum = WarpAllReduce<SumOp, ComputeType>(thread_sum);
    for (int pack_id = 0; pack_id < num_packs; ++pack_id) {
        const int col = (pack_id * kWarpSize + threadIdx.x) * kPack;
        for (int i = 0; i < kPack; ++i)
            buf[pack_id * kPack + i] = __fdividef(buf[pack_id * kPack + i], warp_sum);
        if (col < cols)
            store.template store<kPack>(buf + pack_id * kPack, row, col, static_cast<int>(cols) - col);
    }
}

template <typename LOAD, typename STORE, typename ComputeType, int cols_per_thread = kPack>
inline cudaError_t DispatchSoftmaxWarp(cudaStream_t stream, LOAD load, STORE store, int64_t rows, int64_t cols, int per_block) {
    if constexpr (cols_per_thread * kWarpSize < FUSED_SOFTMAX_MAX_COLS) {
        if (cols > cols_per_thread * kWarpSize)
            return DispatchSoftmaxWarp<LOAD, STORE, ComputeType, cols_per_thread * 2>(stream, load, store, rows, cols, per_block);
    }
    const dim3 block_dim(kWarpSize, per_block);
    const int64_t num_blocks = rows < per_block ? 1 : rows / per_block;
    SoftmaxWarpImpl<LOAD, STORE, ComputeType, cols_per_thread>
        <<<num_blocks, block_dim, 0, stream>>>(load, store, rows, cols);
    return cudaPeekAtLastError() == cudaSuccess ? cudaSuccess : cudaGetLastError();
}

template <typename T> cudaError_t Run(const matrix &x, const matrix &y, int per_block, cudaStream_t stream) {
    return DispatchSoftmaxWarp<DirectLoad<T, float>, DirectStore<float, T>, float>(stream, {x.data, x.pitch}, {y.data, y.pitch}, x.rows,
                                                                                   x.cols, per_block);
}

namespace {
struct Range {
    uintptr_t begin, end;
    Range(const matrix &m) {
        const int64_t size = m.type == CUDA_R_32F ? 4 : 2;
        begin = reinterpret_cast<uintptr_t>(m.data);
        end = begin + ((m.rows - 1) * m.pitch + m.cols) * size;
    }
    bool Meets(const Range &other) const { return begin < other.end && other.begin < end; }
};

bool OnDevice(const void *ptr) {
    cudaPointerAttributes attr{};
    const bool known = cudaPointerGetAttributes(&attr, ptr) == cudaSuccess;
    if (!known)
        (void)cudaGetLastError();
    return known && (attr.type == cudaMemoryTypeDevice || attr.type == cudaMemoryTypeManaged);
}
} // namespace

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    const bool power = rows_per_block > 0 && rows_per_block <= 8 && (rows_per_block & (rows_per_block - 1)) == 0;
    const bool same = x.type == y.type && x.rows == y.rows && x.cols == y.cols && x.pitch == y.pitch;
    if (!power || !same || x.rows < 0 || x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS || x.rows > INT32_MAX / x.cols ||
        x.pitch < x.cols || x.pitch % kPack)
        return cudaErrorInvalidValue;
    if (x.type != CUDA_R_32F && x.type != CUDA_R_16F && x.type != CUDA_R_16BF)
        return cudaErrorInvalidValue;
    if (x.rows == 0)
        return cudaSuccess;
    if (!OnDevice(x.data) || !OnDevice(y.data) || Range(x).Meets(y))
        return cudaErrorInvalidValue;
    return x.type == CUDA_R_32F   ? Run<float>(x, y, rows_per_block, stream)
           : x.type == CUDA_R_16F ? Run<half>(x, y, rows_per_block, stream)
                                  : Run<nv_bfloat16>(x, y, rows_per_block, stream);
}
