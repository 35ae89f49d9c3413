/* Correct programs on which tools that look at less, or at more than the rule, raise false alarms: silent
 * here, each beside a twin with the fault that such an alarm is meant for. docs/simulator.md lists them. */
#include "program.h"
#include <cuda_fp16.h>

/* ---- padding and guards ---- */

enum { COLS = 781, PITCH = 784 };

/* The sum of a row by loads of four; the last one reaches into the padding. used: how many columns are added. */
__global__ void sum_of_four(const float *x, float *out, int used) {
    float sum = 0;
    for (int col = 4 * threadIdx.x; col < COLS; col += 4 * blockDim.x) {
        float4 four = *(const float4 *)(x + (size_t)blockIdx.x * PITCH + col);
        sum += four.x + (col + 1 < used ? four.y : 0) + (col + 2 < used ? four.z : 0) +
               (col + 3 < used ? four.w : 0);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Two rows of ones whose padding no one has written; out[thread] of thread 3, whose second load is the last. */
static float sum_of_rows(int bytes_of_last_row, int used) {
    float ones[COLS], *x = nullptr;
    for (int i = 0; i < COLS; i++)
        ones[i] = 1;
    float *out = device_array<float>(2 * 192);
    cudaMalloc(&x, PITCH * sizeof(float) + bytes_of_last_row);
    for (int row = 0; row < 2; row++)
        cudaMemcpy(x + row * PITCH, ones, sizeof ones, cudaMemcpyHostToDevice);
    sum_of_four<<<2, 192>>>(x, out, used);
    cudaDeviceSynchronize();
    cudaFree(x);
    return take(out, 192 + 3);
}

PROGRAM(wide_load_of_unused_padding) {
    return sum_of_rows(PITCH * sizeof(float), COLS) != 5;
}

PROGRAM(wide_load_past_the_last_row) {
    sum_of_rows(COLS * sizeof(float), COLS);
    return cudaGetLastError() != cudaErrorIllegalAddress;
}

/* The padding is never asked for alone without need. */
__global__ void read_padding(const float *x, float *out) {
    out[threadIdx.x] = x[COLS + threadIdx.x];
}

PROGRAM(padding_read_by_itself) {
    float *x = device_array<float>(PITCH), *out = device_array<float>(3);
    cudaMemset(x, 0, COLS * sizeof(float));
    read_padding<<<1, 3>>>(x, out);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(out);
    return 0;
}

template <bool guard> __global__ void copy_guarded(const float *x, float *y, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = !guard || i < count ? x[i] : -INFINITY;
}

template <bool guard> static int copy_100(void) {
    float *x = device_array<float>(100), *y = device_array<float>(128);
    cudaMemset(x, 0, 100 * sizeof(float));
    copy_guarded<guard><<<2, 64>>>(x, y, 100);
    cudaDeviceSynchronize();
    cudaFree(x);
    return take(y, 127) != -INFINITY;
}

PROGRAM(guarded_load) {
    return copy_100<true>();
}

PROGRAM(load_without_its_guard) {
    copy_100<false>();
    return cudaGetLastError() != cudaErrorIllegalAddress;
}

/* ---- two halves of a word ---- */

__global__ void halves_of_a_word(unsigned short *out) {
    out[threadIdx.x] = threadIdx.x;
}

PROGRAM(neighbours_in_one_word) {
    unsigned short *out = device_array<unsigned short>(64);
    halves_of_a_word<<<1, 64>>>(out);
    return take(out, 63) != 63;
}

__global__ void write_halves(__half *out, int to_each) {
    out[threadIdx.x / to_each] = __float2half((float)threadIdx.x);
}

PROGRAM(half_neighbours_in_one_word) {
    __half *out = device_array<__half>(64);
    write_halves<<<1, 64>>>(out, 1);
    return __half2float(take(out, 63)) != 63;
}

PROGRAM(one_half_by_two_threads) {
    __half *out = device_array<__half>(64);
    write_halves<<<1, 64>>>(out, 2);
    take(out, 0);
    return 0;
}

/* ---- initial values that clang copies from a variable of its own ---- */

struct bank {
    double sum[3];
    int count;
    __device__ bank() : sum{0, 0, 0}, count(0) {}
};

__global__ void fill_bank(double *out) {
    bank local;
    local.sum[threadIdx.x % 3] += threadIdx.x;
    out[threadIdx.x] = local.sum[0] + local.sum[1] + local.sum[2] + local.count;
}

PROGRAM(array_member_in_initializer_list) {
    double *out = device_array<double>(64);
    fill_bank<<<1, 64>>>(out);
    return take(out, 63) != 63;
}

/* ---- masked lanes, votes and partial warps ---- */

/* 180 threads: the last warp has 20 lanes, which the full mask may name. */
__global__ void short_warp(unsigned *out) {
    unsigned ballot = __ballot_sync(0xffffffff, 1);
    __syncwarp();
    out[threadIdx.x] = ballot;
}

PROGRAM(vote_in_short_warp) {
    unsigned *out = device_array<unsigned>(180);
    short_warp<<<1, 180>>>(out);
    return take(out, 179) != 0xfffff;
}

/* Lanes with a value vote and sum among themselves, by the mask that the first vote gives. */
__global__ void sum_of_some(int *out, int count) {
    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < count);
    if (threadIdx.x >= count)
        return;
    int sum = __reduce_add_sync(mask, 1);
    if (__any_sync(mask, threadIdx.x == 5))
        out[threadIdx.x] = sum;
}

template <bool own_mask> __global__ void vote_of_some(int *out, int count) {
    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < count);
    if (threadIdx.x < count)
        out[threadIdx.x] = __popc(__ballot_sync(own_mask ? mask : 0xffffffff, 1));
    __syncwarp();
}

PROGRAM(masked_lanes_sum) {
    int *out = device_array<int>(20);
    sum_of_some<<<1, 32>>>(out, 20);
    return take(out, 19) != 20;
}

PROGRAM(masked_lanes_vote) {
    int *out = device_array<int>(20);
    vote_of_some<true><<<1, 32>>>(out, 20);
    return take(out, 19) != 20;
}

PROGRAM(vote_names_lanes_elsewhere) {
    int *out = device_array<int>(20);
    vote_of_some<false><<<1, 32>>>(out, 20);
    cudaDeviceSynchronize();
    return 0;
}

/* A tree over 180 values: the upper part is folded in first. From 256 down, without looking, reads behind the
 * end. */
template <bool folded> __global__ void sum_180(int *out) {
    __shared__ int tile[180];
    int i = threadIdx.x;
    tile[i] = 1;
    __syncthreads();
    for (int step = 128; step; step /= 2) {
        if (i < step && (!folded || i + step < 180))
            tile[i] += tile[i + step];
        __syncthreads();
    }
    if (i == 0)
        *out = tile[0];
}

PROGRAM(block_of_180_sums) {
    int *out = device_array<int>(1);
    sum_180<true><<<1, 180>>>(out);
    return take(out, 0) != 180;
}

PROGRAM(block_of_180_as_if_256) {
    int *out = device_array<int>(1);
    sum_180<false><<<1, 180>>>(out);
    cudaDeviceSynchronize();
    return 0;
}

/* ---- two reductions in a row ---- */

/* Two reductions through one array: the second may overwrite it only after everyone has read. */
template <bool second_barrier> __device__ int block_sum(int value, int *sums) {
    for (int step = 16; step; step /= 2)
        value += __shfl_xor_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    int total = 0;
    for (int i = 0; i < blockDim.x / 32; i++)
        total += sums[i];
    if (second_barrier)
        __syncthreads();
    return total;
}

template <bool second_barrier> __global__ void sum_twice(int *out) {
    __shared__ int sums[32];
    int first = block_sum<second_barrier>(1, sums);
    int second = block_sum<second_barrier>(2, sums);
    out[threadIdx.x] = first * 1000 + second;
}

PROGRAM(helper_with_both_barriers) {
    int *out = device_array<int>(128);
    sum_twice<true><<<1, 128>>>(out);
    return take(out, 77) != 128 * 1000 + 256;
}

PROGRAM(helper_with_one_barrier) {
    int *out = device_array<int>(128);
    sum_twice<false><<<1, 128>>>(out);
    take(out, 77);
    return 0;
}
