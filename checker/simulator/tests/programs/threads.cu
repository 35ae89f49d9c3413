/* Barriers, shuffles, votes, atomics: right values, and each way to use them wrongly beside its right twin. */
#include "program.h"

/* ---- barriers ---- */

__global__ void reverse(int *out) {
    __shared__ int tile[256];
    int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    out[i] = tile[blockDim.x - 1 - i];
}

PROGRAM(barrier_reverses) {
    int *out = device_array<int>(256);
    reverse<<<1, 256>>>(out);
    return take(out, 10) != 245;
}

__global__ void reverse_without_barrier(int *out) {
    __shared__ int tile[256];
    int i = threadIdx.x;
    tile[i] = i;
    out[i] = tile[i ^ 1];
}

PROGRAM(barrier_missing) {
    int *out = device_array<int>(256);
    reverse_without_barrier<<<1, 256>>>(out);
    take(out, 0);
    return 0;
}

__global__ void count_even(int *out) {
    int even = __syncthreads_count(threadIdx.x % 2 == 0);
    int all = __syncthreads_and(threadIdx.x < 100);
    int any = __syncthreads_or(threadIdx.x == 77);
    if (threadIdx.x == 3)
        *out = even * 100 + all * 10 + any;
}

PROGRAM(barrier_reduces) {
    int *out = device_array<int>(1);
    count_even<<<1, 180>>>(out);
    return take(out, 0) != 90 * 100 + 1;
}

/* The compiler might give each branch a barrier of its own. */
__global__ void barrier_between(int *out) {
    __shared__ int of_warp[4];
    if (threadIdx.x == 0)
        of_warp[threadIdx.y] = threadIdx.y;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0)
        *out = of_warp[1] + of_warp[3];
}

PROGRAM(barrier_between_branches) {
    int *out = device_array<int>(1);
    barrier_between<<<1, dim3(32, 4)>>>(out);
    return take(out, 0) != 4;
}

__global__ void two_barriers(int *out) {
    if (threadIdx.x < 32) {
        __syncthreads();
        out[threadIdx.x] = 1;
    } else {
        out[threadIdx.x] = 2;
        __syncthreads();
    }
}

PROGRAM(barrier_diverged) {
    int *out = device_array<int>(64);
    two_barriers<<<1, 64>>>(out);
    take(out, 0);
    return 0;
}

__global__ void some_return_early(int *out) {
    if (threadIdx.x >= 40)
        return;
    __syncthreads();
    out[threadIdx.x] = 7;
    __syncthreads();
}

PROGRAM(barrier_after_return) {
    int *out = device_array<int>(40);
    some_return_early<<<1, 96>>>(out);
    return take(out, 39) != 7;
}

/* ---- the warp ---- */

__global__ void shuffles(int *out) {
    int lane = threadIdx.x;
    int x = __shfl_xor_sync(0xffffffff, lane, 5);
    int d = __shfl_down_sync(0xffffffff, lane, 3);
    int u = __shfl_up_sync(0xffffffff, lane, 2);
    int b = __shfl_sync(0xffffffff, lane, 9);
    int w = __shfl_xor_sync(0xffffffff, lane, 4, 8);
    out[lane] = x + 100 * d + 10000 * u + 1000000 * b + 100000000 * (w % 8);
}

PROGRAM(shuffle_values) {
    int *out = device_array<int>(32);
    shuffles<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    int host[32];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int lane = 0; lane < 32; lane++) {
        int d = lane + 3 > 31 ? lane : lane + 3, u = lane < 2 ? lane : lane - 2;
        int expected = (lane ^ 5) + 100 * d + 10000 * u + 1000000 * 9 + 100000000 * ((lane ^ 4) % 8);
        if (host[lane] != expected)
            return 1 + lane;
    }
    return 0;
}

__global__ void votes(unsigned *out) {
    unsigned lane = threadIdx.x % 32;
    unsigned odd = __ballot_sync(0xffffffff, lane & 1);
    int any = __any_sync(0xffffffff, lane == 31), all = __all_sync(0xffffffff, lane < 31);
    unsigned match = __match_any_sync(0xffffffff, lane / 8);
    unsigned sum = __reduce_add_sync(0xffffffff, lane);
    if (threadIdx.x == 40)
        out[0] = odd, out[1] = any * 10 + all, out[2] = match, out[3] = sum;
}

PROGRAM(vote_values) {
    unsigned *out = device_array<unsigned>(4);
    votes<<<1, 64>>>(out);
    unsigned host[4];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return host[0] != 0xaaaaaaaa || host[1] != 10 || host[2] != 0xff00 || host[3] != 496;
}

__global__ void half_a_warp(int *out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_xor_sync(0xffffffff, (int)threadIdx.x, 1);
    __syncwarp();
}

PROGRAM(shuffle_lanes_never_come) {
    int *out = device_array<int>(32);
    half_a_warp<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    return 0;
}

__global__ void half_a_warp_by_mask(int *out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_xor_sync(0xffff, (int)threadIdx.x, 1);
    __syncwarp();
}

PROGRAM(shuffle_with_its_mask) {
    int *out = device_array<int>(32);
    half_a_warp_by_mask<<<1, 32>>>(out);
    return take(out, 15) != 14;
}

__global__ void mask_without_caller(int *out) {
    out[threadIdx.x] = __shfl_sync(0xfffffffe, (int)threadIdx.x, 1);
}

PROGRAM(shuffle_mask_without_caller) {
    int *out = device_array<int>(32);
    mask_without_caller<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    return 0;
}

__global__ void reads_absent_lanes(float *out) {
    float value = 1;
    for (int step = 16; step; step /= 2)
        value += __shfl_xor_sync(0xffffffff, value, step);
    out[threadIdx.x] = value;
}

/* The value is undefined, and comes out as one that spoils a sum. */
PROGRAM(shuffle_reads_absent_lanes) {
    float *out = device_array<float>(20);
    reads_absent_lanes<<<1, 20>>>(out);
    return !isinf(take(out, 0));
}

template <bool synchronise> __global__ void warp_synchronous(int *out) {
    __shared__ int values[32];
    int lane = threadIdx.x;
    values[lane] = lane;
    for (int step = 16; step; step /= 2) {
        if (synchronise)
            __syncwarp();
        int other = lane < step ? values[lane + step] : 0;
        if (synchronise)
            __syncwarp();
        if (lane < step)
            values[lane] += other;
    }
    if (lane == 0)
        *out = values[0];
}

PROGRAM(warp_synchronous_sum) {
    int *out = device_array<int>(1);
    warp_synchronous<true><<<1, 32>>>(out);
    return take(out, 0) != 496;
}

PROGRAM(warp_synchronous_without_syncwarp) {
    int *out = device_array<int>(1);
    warp_synchronous<false><<<1, 32>>>(out);
    cudaDeviceSynchronize();
    return 0;
}

__global__ void active(unsigned *out) {
    if (threadIdx.x % 4 == 1)
        out[threadIdx.x] = __activemask();
}

PROGRAM(active_lanes) {
    unsigned *out = device_array<unsigned>(32);
    active<<<1, 32>>>(out);
    return take(out, 5) != 0x22222222;
}

/* ---- atomics ---- */

__global__ void count_all(int *counter, float *sum, unsigned *most) {
    atomicAdd(counter, 1);
    atomicAdd(sum, 0.5f);
    atomicMax(most, blockIdx.x * blockDim.x + threadIdx.x);
}

PROGRAM(atomic_values) {
    int zero = 0;
    float none = 0;
    unsigned least = 0;
    int *counter = device_copy(&zero, 1);
    float *sum = device_copy(&none, 1);
    unsigned *most = device_copy(&least, 1);
    count_all<<<7, 100>>>(counter, sum, most);
    int wrong = take(counter, 0) != 700;
    wrong += take(sum, 0) != 350.0f;
    return wrong + (take(most, 0) != 699);
}

__global__ void swap_until(int *lock, int *value) {
    int seen = *lock, expected;
    do {
        expected = seen;
        seen = atomicCAS(lock, expected, expected + 2);
    } while (seen != expected);
    *value = atomicExch(value + 1, 5);
}

PROGRAM(atomic_compare_and_swap) {
    int three = 3, pair[2] = {0, 9};
    int *lock = device_copy(&three, 1), *value = device_copy(pair, 2);
    swap_until<<<1, 1>>>(lock, value);
    int wrong = take(lock, 0) != 5;
    return wrong + (take(value, 0) != 9);
}

__global__ void count_without_atomics(int *counter) {
    *counter += 1;
}

PROGRAM(blocks_race) {
    int zero = 0;
    int *counter = device_copy(&zero, 1);
    count_without_atomics<<<4, 1>>>(counter);
    take(counter, 0);
    return 0;
}

__global__ void one_block_overwrites(int *cell, int *out) {
    out[blockIdx.x] = *cell;
    if (blockIdx.x == 2)
        *cell = 5;
}

PROGRAM(blocks_read_one_writes) {
    int zero = 0;
    int *cell = device_copy(&zero, 1), *out = device_array<int>(4);
    one_block_overwrites<<<4, 1>>>(cell, out);
    take(cell, 0);
    take(out, 0);
    return 0;
}

/* The last block to come adds up what all have left. */
__global__ void last_block_sums(int *partial, unsigned *arrived, int *sum) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicAdd(arrived, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x)
        return;
    int total = 0;
    for (int i = 0; i < gridDim.x; i++)
        total += partial[i];
    *sum = total;
}

PROGRAM(last_block_merges) {
    unsigned zero = 0;
    int *partial = device_array<int>(20), *sum = device_array<int>(1);
    unsigned *arrived = device_copy(&zero, 1);
    last_block_sums<<<20, 64>>>(partial, arrived, sum);
    cudaDeviceSynchronize();
    cudaFree(partial);
    cudaFree(arrived);
    return take(sum, 0) != 190;
}

__global__ void grid_barrier(unsigned *arrived) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x)
        ;
}

PROGRAM(block_waits_for_block) {
    unsigned zero = 0;
    unsigned *arrived = device_copy(&zero, 1);
    grid_barrier<<<2, 1>>>(arrived);
    cudaDeviceSynchronize();
    return 0;
}

/* A flag that another thread of the block sets is waited for rightly. */
__global__ void flag_in_block(int *out) {
    __shared__ int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 32)
        atomicExch(&flag, 1);
    if (threadIdx.x == 0) {
        while (atomicAdd(&flag, 0) == 0)
            ;
        *out = 1;
    }
}

PROGRAM(thread_waits_for_thread) {
    int *out = device_array<int>(1);
    flag_in_block<<<1, 64>>>(out);
    return take(out, 0) != 1;
}

/* ---- one value by many threads ---- */

__global__ void all_write_seven(int *out) {
    *out = 7;
}

PROGRAM(same_value) {
    int *out = device_array<int>(1);
    all_write_seven<<<2, 64>>>(out);
    return take(out, 0) != 7;
}

__global__ void all_write_their_number(int *out) {
    *out = threadIdx.x;
}

PROGRAM(different_values) {
    int *out = device_array<int>(1);
    all_write_their_number<<<1, 64>>>(out);
    take(out, 0);
    return 0;
}
