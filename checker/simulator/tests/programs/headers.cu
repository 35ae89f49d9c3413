/* What the headers make of CUDA C, with the real simulator behind them: groups, launches by address, types of
 * 16 bits, wide and cached accesses. Each returns 0 when the numbers came out right, and none has a fault. */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

/* ---- cooperative groups ---- */

__global__ void tiles(int *out) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(warp);
    int me = block.thread_rank();
    int right =
        warp.thread_rank() == me % 32 && warp.meta_group_rank() == me / 32 && warp.meta_group_size() == 4;
    right &=
        quad.thread_rank() == me % 4 && quad.meta_group_rank() == me % 32 / 4 && quad.meta_group_size() == 8;
    right &= cg::reduce(warp, me, cg::plus<int>()) == me / 32 * 1024 + 496;
    right &= cg::reduce(quad, me, cg::greater<int>()) == me / 4 * 4 + 3;
    right &= cg::reduce(quad, me, cg::less<int>()) == me / 4 * 4;
    right &= warp.shfl(me, 5) == me / 32 * 32 + 5 && quad.shfl(me, 5) == me / 4 * 4 + 1;
    right &= quad.shfl_down(me, 1) == (me % 4 == 3 ? me : me + 1) &&
             quad.shfl_up(me, 2) == (me % 4 < 2 ? me : me - 2);
    right &= quad.shfl_xor(me, 3) == (me ^ 3);
    right &= quad.ballot(me % 2) == 0xa && warp.any(me == 37) == (me / 32 == 1) &&
             quad.all(me < 126) == (me / 4 < 31);
    unsigned threes = warp.ballot(me % 3 == 0);
    right &= warp.match_any(me % 3 == 0) == (me % 3 == 0 ? threes : ~threes);
    out[me] = right;
}

PROGRAM(group_tiles) {
    int right[128], *out = device_array<int>(128);
    tiles<<<1, dim3(16, 8)>>>(out);
    cudaMemcpy(right, out, sizeof right, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int i = 0; i < 128; i++)
        if (right[i] != 1)
            return i + 1;
    return 0;
}

__device__ int sum_through_memory(cg::thread_group group, int *scratch, int value) {
    int rank = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < i)
            value += scratch[rank + i];
        group.sync();
    }
    return value;
}

__global__ void group_as_parameter(int *out) {
    __shared__ int scratch[64], parts[4][16];
    cg::thread_block block = cg::this_thread_block();
    int sum = sum_through_memory(block, scratch, threadIdx.x);
    cg::thread_group part = cg::tiled_partition(block, 16);
    int partial = sum_through_memory(part, parts[threadIdx.x / 16], 1);
    if (threadIdx.x == 0)
        *out = sum * 100 + partial;
}

PROGRAM(group_parameter) {
    int *out = device_array<int>(1);
    group_as_parameter<<<1, 64>>>(out);
    return take(out, 0) != 2016 * 100 + 16;
}

/* Every thread marks its own place: 2 x 3 x 2 blocks of 4 x 2 x 2 threads. */
__global__ void rank_in_grid(int *out) {
    cg::grid_group grid = cg::this_grid();
    const unsigned block = (blockIdx.z * 3 + blockIdx.y) * 2 + blockIdx.x;
    const unsigned thread = (threadIdx.z * 2 + threadIdx.y) * 4 + threadIdx.x;
    const dim3 at = grid.thread_index(), threads = grid.dim_threads();
    out[grid.thread_rank()] = grid.thread_rank() == block * 16 + thread && grid.block_rank() == block &&
                              grid.size() == 192 && grid.num_blocks() == 12 && !grid.is_valid() &&
                              grid.group_dim().y == 3 && at.y == blockIdx.y * 2 + threadIdx.y &&
                              threads.x == 8 && threads.y == 6 && threads.z == 4;
}

PROGRAM(group_grid) {
    int right[192], *out = device_array<int>(192);
    rank_in_grid<<<dim3(2, 3, 2), dim3(4, 2, 2)>>>(out);
    cudaMemcpy(right, out, sizeof right, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int i = 0; i < 192; i++)
        if (right[i] != 1)
            return i + 1;
    return 0;
}

struct triple {
    float max, sum;
    int count;
};

__global__ void lanes_together(int *out) {
    int right = 1;
    if (threadIdx.x % 3 == 1) {
        auto together = cg::coalesced_threads();
        right &= together.size() == 11 && together.thread_rank() == threadIdx.x / 3;
        right &= cg::reduce(together, 2, cg::plus<int>()) == 22;
        right &= together.shfl((int)threadIdx.x, 4) == 13 && together.ballot(threadIdx.x > 15) == 0x7e0;
    }
    __syncwarp();
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    triple moved = warp.shfl(triple{0.5f, (float)threadIdx.x, (int)threadIdx.x * 2}, 7);
    out[threadIdx.x] = right && moved.max == 0.5f && moved.sum == 7 && moved.count == 14;
}

PROGRAM(group_coalesced) {
    int right[32], *out = device_array<int>(32);
    lanes_together<<<1, 32>>>(out);
    cudaMemcpy(right, out, sizeof right, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int i = 0; i < 32; i++)
        if (right[i] != 1)
            return i + 1;
    return 0;
}

/* ---- launches ---- */

struct numbers {
    double a;
    char b;
    float c[5];
};

template <class T> __global__ void add_up(T *out, numbers n, const short *optional, long long scale) {
    *out = (T)((n.a + n.b + n.c[4] + (optional ? *optional : 0)) * scale);
}

PROGRAM(launch_by_address) {
    float *out = device_array<float>(6);
    numbers n = {1.5, 2, {0, 0, 0, 0, 8}};
    const short *none = nullptr;
    long long two = 2;
    float *second = out + 1;
    void *arguments[] = {&second, &n, &none, &two};
    add_up<<<1, 1>>>(out, n, NULL, 2);
    if (cudaLaunchKernel(add_up<float>, dim3(1), dim3(1), arguments, 0, 0) != cudaSuccess)
        return 1;
    second = out + 4;
    if (cudaLaunchKernel((const void *)add_up<float>, dim3(1), dim3(1), arguments, 0, 0) != cudaSuccess)
        return 4;
    cudaLaunchConfig_t one_thread = {};
    one_thread.gridDim = one_thread.blockDim = 1;
    second = out + 5;
    if (cudaLaunchKernelExC(&one_thread, (const void *)&add_up<float>, arguments) != cudaSuccess)
        return 5;
    n.a = 1000; /* the launch has its copies */
    two = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 1;
    if (cudaLaunchKernelEx(&config, add_up<float>, out + 2, numbers{1.5, 2, {0, 0, 0, 0, 8}}, nullptr, 2) !=
        cudaSuccess)
        return 2;
    cudaLaunchAttribute cluster;
    cluster.id = (cudaLaunchAttributeID)4; /* its name is a compile error */
    config.attrs = &cluster;
    config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, add_up<float>, out + 2, n, none, 1) != cudaErrorNotSupported)
        return 3;
    add_up<<<1, 1>>>(out + 3, n, 0, 0);
    float sums[6];
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return sums[0] != 23 || sums[1] != 23 || sums[2] != 23 || sums[3] != 0 || sums[4] != 23 || sums[5] != 23;
}

__global__ void places(unsigned *out) {
    dim3 block = blockDim, grid(gridDim), here = threadIdx;
    uint3 where = blockIdx;
    unsigned i = ((where.z * grid.y + where.y) * grid.x + where.x) * block.x * block.y * block.z +
                 (here.z * block.y + here.y) * block.x + here.x;
    out[i] = i + 1;
}

PROGRAM(places_as_values) {
    unsigned *out = device_array<unsigned>(720);
    places<<<dim3(2, 3, 4), dim3(5, 3, 2)>>>(out);
    return take(out, 719) != 720;
}

/* ---- types of 16 bits, wide and cached accesses ---- */

__global__ void half_sums(__half *h, __nv_bfloat16 *b, __half2 *pairs) {
    __half x = h[threadIdx.x];
    __nv_bfloat16 y = __float2bfloat16(__half2float(x));
    __half2 pair = __halves2half2(x, __hneg(x));
    for (int step = 16; step; step /= 2) {
        x += __shfl_xor_sync(0xffffffff, x, step);
        y = __hmax(y, __shfl_down_sync(0xffffffff, y, step));
        pair = __hadd2(pair, __shfl_xor_sync(0xffffffff, pair, step));
    }
    atomicAdd(&h[32], __float2half(0.5f));
    if (threadIdx.x == 0) {
        h[33] = x;
        b[0] = y;
        *pairs = pair;
    }
}

PROGRAM(half_values) {
    __half values[34];
    for (int i = 0; i < 34; i++)
        values[i] = __half(i < 32 ? i : 0);
    __half *h = device_copy(values, 34);
    __nv_bfloat16 *b = device_array<__nv_bfloat16>(1);
    __half2 *pairs = device_array<__half2>(1);
    half_sums<<<1, 32>>>(h, b, pairs);
    cudaMemcpy(values, h, sizeof values, cudaMemcpyDeviceToHost);
    cudaFree(h);
    float largest = __bfloat162float(take(b, 0));
    float2 both = __half22float2(take(pairs, 0));
    return (float)values[32] != 16 || (float)values[33] != 496 || largest != 31 || both.x != 496 ||
           both.y != -496;
}

__global__ void wide_copy(float *to, const float *from) {
    float4 v = __ldg(reinterpret_cast<const float4 *>(from) + threadIdx.x);
    v.x += 1;
    __stcs(reinterpret_cast<float4 *>(to) + threadIdx.x, v);
}

PROGRAM(wide_values) {
    float values[128];
    for (int i = 0; i < 128; i++)
        values[i] = i;
    float *from = device_copy(values, 128), *to = device_array<float>(128);
    wide_copy<<<1, 32>>>(to, from);
    cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    return values[124] != 125 || values[127] != 127;
}

__global__ void three_dimensions(int *out) {
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

PROGRAM(grids_of_three_dimensions) {
    int *out = device_array<int>(24 * 30);
    three_dimensions<<<dim3(2, 3, 4), dim3(5, 3, 2)>>>(out);
    return take(out, 23 * 30 + 29) != 23029;
}
