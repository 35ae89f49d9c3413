/* What fences and atomics order, each idiom beside the twin that leaves its fence out; and the accesses of a kernel as they
 * are written, whatever an optimiser would make of them. */
#include "program.h"

/* ---- a lock in shared memory ---- */

template <bool fenced> __global__ void add_under_a_lock(int *out) {
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        if (fenced)
            __threadfence_block();
        sum += threadIdx.x + 1;
        if (fenced)
            __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = sum;
}

PROGRAM(lock_with_fences) {
    int *out = device_array<int>(1);
    add_under_a_lock<true><<<1, 128>>>(out);
    return take(out, 0) != 196;
}

PROGRAM(lock_without_fences) {
    int *out = device_array<int>(1);
    add_under_a_lock<false><<<1, 128>>>(out);
    take(out, 0);
    return 0;
}

/* ---- the last warp adds ---- */

template <bool fenced> __global__ void last_warp_adds(int *out) {
    __shared__ int part[4];
    __shared__ unsigned arrived;
    if (threadIdx.x == 0)
        arrived = 0;
    __syncthreads();
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0)
        part[warp] = warp + 1;
    unsigned before = 0;
    if (threadIdx.x % 32 == 0) {
        if (fenced)
            __threadfence_block();
        before = atomicAdd(&arrived, 1);
    }
    before = __shfl_sync(0xffffffff, before, 0);
    if (before == 3 && threadIdx.x % 32 == 0)
        *out = part[0] + part[1] + part[2] + part[3];
}

PROGRAM(last_warp_with_fence) {
    int *out = device_array<int>(1);
    last_warp_adds<true><<<1, 128>>>(out);
    return take(out, 0) != 10;
}

PROGRAM(last_warp_without_fence) {
    int *out = device_array<int>(1);
    last_warp_adds<false><<<1, 128>>>(out);
    take(out, 0);
    return 0;
}

/* ---- a flag between warps ---- */

template <bool fenced> __global__ void pass_by_flag(int *out) {
    __shared__ int value;
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        value = 7;
        if (fenced)
            __threadfence_block();
        flag = 1;
    }
    if (threadIdx.x == 0) {
        while (flag == 0)
            ;
        __threadfence_block();
        *out = value;
    }
}

PROGRAM(flag_with_fence) {
    int *out = device_array<int>(1);
    pass_by_flag<true><<<1, 64>>>(out);
    return take(out, 0) != 7;
}

PROGRAM(flag_without_fence) {
    int *out = device_array<int>(1);
    pass_by_flag<false><<<1, 64>>>(out);
    take(out, 0);
    return 0;
}

/* ---- a maximum by compare and swap ---- */

template <bool is_volatile> __device__ void raise(int *most, int value) {
    int old = is_volatile ? *(volatile int *)most : *most, assumed;
    while (old < value) {
        assumed = old;
        old = atomicCAS(most, assumed, value);
        if (old == assumed)
            break;
    }
}

template <bool is_volatile> __global__ void maximum_by_swap(int *out) {
    __shared__ int most;
    if (threadIdx.x == 0)
        most = -1;
    __syncthreads();
    raise<is_volatile>(&most, (threadIdx.x * 37) % 128);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = most;
}

PROGRAM(swap_after_volatile_read) {
    int *out = device_array<int>(1);
    maximum_by_swap<true><<<1, 128>>>(out);
    return take(out, 0) != 127;
}

/* The loop may be left without a swap where the old value is larger: the plain read alone then decided. */
__global__ void maximum_by_swap_always(int *out) {
    __shared__ int most;
    if (threadIdx.x == 0)
        most = -1;
    __syncthreads();
    int old = most, assumed;
    do {
        assumed = old;
        old = atomicCAS(&most, assumed, max(assumed, (int)(threadIdx.x * 37) % 128));
    } while (old != assumed);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = most;
}

PROGRAM(swap_after_plain_read) {
    int *out = device_array<int>(1);
    maximum_by_swap_always<<<1, 128>>>(out);
    return take(out, 0) != 127;
}

__global__ void sum_read_too_early(int *out) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1);
    out[threadIdx.x] = sum;
}

PROGRAM(atomic_sum_without_barrier) {
    int *out = device_array<int>(64);
    sum_read_too_early<<<1, 64>>>(out);
    take(out, 0);
    return 0;
}

/* ---- between blocks ---- */

enum order { FENCE_FIRST, FENCE_BY_ALL_THEN_BARRIER, BARRIER_THEN_FENCE, NO_FENCE, BLOCK_FENCE_ONLY };

template <int order> __global__ void last_block(int *partial, unsigned *arrived, int *sum) {
    __shared__ bool last;
    partial[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    if (order == FENCE_FIRST || order == FENCE_BY_ALL_THEN_BARRIER)
        __threadfence();
    if (order == BLOCK_FENCE_ONLY)
        __threadfence_block();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (order == BARRIER_THEN_FENCE)
            __threadfence();
        last = atomicAdd(arrived, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x)
        return;
    int total = 0;
    for (unsigned i = 0; i < gridDim.x * blockDim.x; i++)
        total += partial[i];
    *sum = total;
}

template <int order> static int run_last_block() {
    unsigned zero = 0;
    int *partial = device_array<int>(6 * 64), *sum = device_array<int>(1);
    unsigned *arrived = device_copy(&zero, 1);
    last_block<order><<<6, 64>>>(partial, arrived, sum);
    const int total = take(sum, 0);
    cudaFree(partial);
    cudaFree(arrived);
    return total != 384;
}

PROGRAM(last_block_fence_by_all) { return run_last_block<FENCE_BY_ALL_THEN_BARRIER>(); }
PROGRAM(last_block_barrier_then_fence) { return run_last_block<BARRIER_THEN_FENCE>(); }
PROGRAM(last_block_without_fence) { return run_last_block<NO_FENCE>(); }
PROGRAM(last_block_with_fence_of_block) { return run_last_block<BLOCK_FENCE_ONLY>(); }

/* A fence makes no block wait for another. */
__global__ void fence_for_barrier(int *sum, int *out) {
    if (threadIdx.x == 0)
        atomicAdd(sum, 1);
    __threadfence();
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = *sum;
}

PROGRAM(fence_taken_for_grid_barrier) {
    int zero = 0, *sum = device_copy(&zero, 1), *out = device_array<int>(4 * 32);
    fence_for_barrier<<<4, 32>>>(sum, out);
    take(out, 0);
    cudaFree(sum);
    return 0;
}

/* ---- malloc in a kernel ---- */

__global__ void allocate_and_use(int *out) {
    __shared__ int *piece;
    if (threadIdx.x == 0)
        piece = (int *)malloc(64 * sizeof(int));
    __syncthreads();
    piece[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = piece[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        free(piece);
}

PROGRAM(malloc_in_each_block) {
    int *out = device_array<int>(700 * 64);
    allocate_and_use<<<700, 64>>>(out);
    return take(out, 64 * 699 + 1) != 62;
}

__global__ void use_after_giving_back(int *out) {
    int *piece = new int[4];
    piece[0] = 1;
    delete[] piece;
    *out = piece[0];
}

PROGRAM(use_after_delete) {
    int *out = device_array<int>(1);
    use_after_giving_back<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    return 0;
}

/* ---- accesses as they are written ---- */

__global__ void reads_and_forgets(const float *in, float *out) {
    float unused = in[8];
    (void)unused;
    *out = in[0];
}

PROGRAM(unused_read_past_end) {
    float zeros[8] = {};
    float *in = device_copy(zeros, 8), *out = device_array<float>(1);
    reads_and_forgets<<<1, 1>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}

struct three_bytes {
    unsigned low : 24;
    unsigned high : 8;
};

typedef float eight __attribute__((vector_size(32)));

__global__ void odd_widths(three_bytes *fields, const volatile eight *in, float *out) {
    fields->low = 5;
    fields->high = 1;
    const eight all = *in;
    *out = all[7] + fields->low;
}

PROGRAM(odd_widths_seen) {
    float eights[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    unsigned zero = 0;
    float *in = device_copy(eights, 8), *out = device_array<float>(1);
    unsigned *fields = device_copy(&zero, 1);
    (void)in;
    float *aligned = device_array<float>(8);
    cudaMemcpy(aligned, eights, sizeof eights, cudaMemcpyHostToDevice);
    odd_widths<<<1, 1>>>((three_bytes *)fields, (const volatile eight *)aligned, out);
    const float got = take(out, 0);
    cudaFree(in);
    cudaFree(fields);
    cudaFree(aligned);
    return got != 12;
}

__global__ void wide_volatile_past_end(const volatile eight *in, float *out) {
    const eight all = in[1];
    *out = all[0];
}

PROGRAM(volatile_vector_past_end) {
    float *in = device_array<float>(8), *out = device_array<float>(1);
    wide_volatile_past_end<<<1, 1>>>((const volatile eight *)in, out);
    cudaDeviceSynchronize();
    return 0;
}
