/* Shows: __constant__ arrays with initialisers (of structs too), __device__ const tables, static __device__ variables,
 * constexpr and enum constants in kernels, static const arrays inside device functions, an array as a member. */
#include "fused_softmax.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define MAX_PER_LANE 32

struct limits { float lowest; int lanes[5]; };
__constant__ limits LIMITS = {-INFINITY, {16, 8, 4, 2, 1}};
__constant__ float zero_or_one[2] = {0.0f, 1.0f};
__device__ const unsigned every_lane = 0xffffffffu;
static __device__ int warp_width = 32;
__device__ unsigned char log2_of[33] = {0, 0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5};
constexpr int kWidth = 32;
const int kPerLane = FUSED_SOFTMAX_MAX_COLS / kWidth;
static const float kHalf = 0.5f;
enum class Op : unsigned char { Max, Sum };

__device__ int distance(int step) {
    static const int distances[] = {16, 8, 4, 2, 1};
    return step < 4 ? distances[step] : LIMITS.lanes[step];
}

template <Op op> __device__ float agreed(float v) {
    for (int step = 0; step < log2_of[warp_width]; step++) {
        const float other = __shfl_xor_sync(every_lane, v, distance(step));
        switch (op) {
        case Op::Max: v = v < other ? other : v; break;
        case Op::Sum: v += other; break;
        }
    }
    return v;
}

struct row_of_floats {
    float value[kPerLane];
    __device__ float &operator[](int i) { return value[i]; }
};

template <typename T> __global__ void constants_kernel(const T *x, T *y, int64_t rows, int64_t cols, int64_t pitch) {
    const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    row_of_floats v;
    float m = LIMITS.lowest, s = zero_or_one[0];
    for (int i = 0; i < kPerLane; i++) {
        int64_t c = threadIdx.x + kWidth * i;
        v[i] = c < cols ? (float)x[row * pitch + c] : LIMITS.lowest;
        if (v[i] > m) m = v[i];
    }
    m = agreed<Op::Max>(m);
    for (int i = 0; i < kPerLane; i++) s += v[i] = expf(v[i] - m);
    s = (kHalf + kHalf) * agreed<Op::Sum>(s);
    for (int i = 0; i < kPerLane; i++) {
        int64_t c = threadIdx.x + kWidth * i;
        if (c < cols) y[row * pitch + c] = (T)(zero_or_one[1] / s * v[i]);
    }
}

static bool reachable(const void *p) {
    cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, p) == cudaSuccess) return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged;
    (void)cudaGetLastError();
    return false;
}

cudaError_t fused_softmax(matrix x, matrix y, int r, cudaStream_t stream) {
    static const int allowed[] = {1, 2, 4, 8};
    static const struct { cudaDataType_t type; int bytes; } types[] = {{CUDA_R_32F, 4}, {CUDA_R_16F, 2}, {CUDA_R_16BF, 2}};
    int good = 0, bytes = 0;
    for (int a : allowed) good += a == r;
    for (auto t : types) if (t.type == x.type && t.type == y.type) bytes = t.bytes;
    if (!good || !bytes || x.rows != y.rows || x.cols != y.cols || x.pitch != y.pitch) return cudaErrorInvalidValue;
    if (x.rows < 0 || x.cols < 1 || x.cols > FUSED_SOFTMAX_MAX_COLS || x.rows > INT32_MAX / x.cols) return cudaErrorInvalidValue;
    if (x.pitch < x.cols || x.pitch % 4 != 0) return cudaErrorInvalidValue;
    if (x.rows == 0) return cudaSuccess;
    if (!reachable(x.data) || !reachable(y.data)) return cudaErrorInvalidValue;
    int64_t far = (intptr_t)y.data - (intptr_t)x.data, size = ((x.rows - 1) * x.pitch + x.cols) * bytes;
    if (far < size && far > -size) return cudaErrorInvalidValue;
    dim3 grid = dim3((unsigned)((x.rows + r - 1) / r)), block = dim3(kWidth, r);
    if (x.type == CUDA_R_32F) constants_kernel<float><<<grid, block, 0, stream>>>((float *)x.data, (float *)y.data, x.rows, x.cols, x.pitch);
    if (x.type == CUDA_R_16F) constants_kernel<half><<<grid, block, 0, stream>>>((half *)x.data, (half *)y.data, x.rows, x.cols, x.pitch);
    if (x.type == CUDA_R_16BF) constants_kernel<nv_bfloat16><<<grid, block, 0, stream>>>((nv_bfloat16 *)x.data, (nv_bfloat16 *)y.data, x.rows, x.cols, x.pitch);
    return cudaGetLastError();
}
