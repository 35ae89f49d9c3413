/* Order by atomics and fences, inside a block and between blocks: each idiom beside the twin that lacks a fence, or takes
 * one for more than it is. The last ones allocate in kernels. */
#include "program.h"

enum { WARP = 32, WARPS = 4, THREADS = WARP * WARPS, BLOCKS = 12 };

enum fence { FENCE_NONE, FENCE_BLOCK, FENCE_DEVICE, FENCE_SYSTEM };

template <fence kind> static __device__ void fence_of() {
    if (kind == FENCE_BLOCK)
        __threadfence_block();
    else if (kind == FENCE_DEVICE)
        __threadfence();
    else if (kind == FENCE_SYSTEM)
        __threadfence_system();
}

/* Launches a kernel of (int *out, int *cells, unsigned *counters), all zero, and gives out[0]. */
template <class Kernel> static int run(Kernel kernel, int blocks, int threads) {
    enum { CELLS = 1024, COUNTERS = 16 };
    int *out = device_array<int>(1), *cells = device_array<int>(CELLS);
    unsigned *counters = device_array<unsigned>(COUNTERS);
    cudaMemset(out, 0, sizeof *out);
    cudaMemset(cells, 0, CELLS * sizeof *cells);
    cudaMemset(counters, 0, COUNTERS * sizeof *counters);
    kernel<<<blocks, threads>>>(out, cells, counters);
    cudaDeviceSynchronize();
    cudaFree(cells);
    cudaFree(counters);
    return take(out, 0);
}

/* ---- a lock in shared memory ---- */

template <fence kind> __global__ void lock_in_block(int *out, int *, unsigned *) {
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    if (threadIdx.x % WARP == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        fence_of<kind>();
        sum += threadIdx.x / WARP + 1;
        fence_of<kind>();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = sum;
}

PROGRAM(lock_of_warps) {
    return run(lock_in_block<FENCE_BLOCK>, 1, THREADS) != 10;
}

PROGRAM(lock_of_warps_without_fences) {
    run(lock_in_block<FENCE_NONE>, 1, THREADS);
    return 0;
}

/* Every lane takes it in turn: the body stands inside the loop. */
__global__ void lock_of_each_lane(int *out, int *, unsigned *) {
    __shared__ int lock;
    __shared__ volatile int sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    for (bool done = false; !done;)
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            sum = sum + 1;
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = sum;
}

PROGRAM(lock_of_lanes) {
    return run(lock_of_each_lane, 1, THREADS) != THREADS;
}

/* Released by a volatile store, as it is written where no atomicExch was wanted. */
__global__ void lock_released_by_store(int *out, int *, unsigned *) {
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    if (threadIdx.x % WARP == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence_block();
        sum += 1;
        __threadfence_block();
        *(volatile int *)&lock = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = sum;
}

PROGRAM(lock_released_by_volatile) {
    return run(lock_released_by_store, 1, THREADS) != WARPS;
}

/* ---- the last warp by a counter ---- */

template <fence kind> __global__ void last_warp(int *out, int *, unsigned *) {
    __shared__ int sums[WARPS];
    __shared__ int arrived, total;
    if (threadIdx.x == 0)
        arrived = 0;
    __syncthreads();
    if (threadIdx.x % WARP == 0) {
        sums[threadIdx.x / WARP] = threadIdx.x / WARP + 1;
        fence_of<kind>();
        if (atomicAdd(&arrived, 1) == WARPS - 1) {
            fence_of<kind>();
            total = 0;
            for (int i = 0; i < WARPS; i++)
                total += sums[i];
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = total;
}

PROGRAM(last_warp_adds) {
    return run(last_warp<FENCE_BLOCK>, 1, THREADS) != 10;
}

PROGRAM(last_warp_adds_after_wider_fence) {
    return run(last_warp<FENCE_SYSTEM>, 1, THREADS) != 10;
}

PROGRAM(last_warp_adds_without_fence) {
    run(last_warp<FENCE_NONE>, 1, THREADS);
    return 0;
}

/* All lanes leave something; lane 0 speaks for its warp after __syncwarp. */
template <bool meet> __global__ void last_warp_of_lanes(int *out, int *, unsigned *) {
    __shared__ int values[THREADS];
    __shared__ unsigned arrived;
    if (threadIdx.x == 0)
        arrived = 0;
    __syncthreads();
    values[threadIdx.x] = 1;
    if (meet)
        __syncwarp();
    unsigned place = 0;
    if (threadIdx.x % WARP == 0) {
        __threadfence_block();
        place = atomicInc(&arrived, WARPS - 1);
        __threadfence_block();
    }
    if (threadIdx.x % WARP == 0 && place == WARPS - 1) {
        int total = 0;
        for (int i = 0; i < THREADS; i++)
            total += values[i];
        *out = total;
    }
}

PROGRAM(last_warp_speaks_for_lanes) {
    return run(last_warp_of_lanes<true>, 1, THREADS) != THREADS;
}

PROGRAM(last_warp_forgets_lanes) {
    run(last_warp_of_lanes<false>, 1, THREADS);
    return 0;
}

/* ---- a flag between two warps ---- */

template <fence kind> __global__ void flag_by_volatile(int *out, int *, unsigned *) {
    __shared__ volatile int flag;
    __shared__ int value;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == WARP) {
        value = 42;
        fence_of<kind>();
        flag = 1;
    } else if (threadIdx.x == 0) {
        while (flag == 0)
            ;
        fence_of<kind>();
        *out = value;
    }
}

PROGRAM(flag_of_a_warp) {
    return run(flag_by_volatile<FENCE_BLOCK>, 1, 2 * WARP) != 42;
}

PROGRAM(flag_of_a_warp_without_fence) {
    run(flag_by_volatile<FENCE_NONE>, 1, 2 * WARP);
    return 0;
}

/* ---- a maximum by atomicCAS: its first load may be any ---- */

static __device__ void max_by_plain_load(int *address, int value) {
    int old = *address, assumed;
    do {
        assumed = old;
        old = atomicCAS(address, assumed, assumed > value ? assumed : value);
    } while (old != assumed);
}

static __device__ void max_by_volatile_load(int *address, int value) {
    int old = *(volatile int *)address;
    while (old < value) {
        const int found = atomicCAS(address, old, value);
        if (found == old)
            break;
        old = found;
    }
}

/* Gives up before the loop where nothing is to be done: then no atomic follows the load. */
static __device__ void max_unless_smaller(int *address, int value) {
    int old = *address;
    while (value > old) {
        const int assumed = old;
        old = atomicCAS(address, assumed, value);
        if (old == assumed)
            break;
    }
}

/* Looks first, as an atomic operation is dear. */
static __device__ void max_after_a_look(int *address, int value) {
    if (value > *address)
        atomicMax(address, value);
}

static __device__ void max_without_atomics(int *address, int value) {
    if (value > *address)
        *address = value;
}

template <void (*raise)(int *, int)> __global__ void maximum(int *out, int *cells, unsigned *) {
    __shared__ int most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    raise(&most, (threadIdx.x * 37) % THREADS);
    raise(cells, (threadIdx.x * 37) % THREADS);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(out, most);
}

PROGRAM(maximum_by_cas) {
    return run(maximum<max_by_plain_load>, BLOCKS, THREADS) != THREADS - 1;
}

PROGRAM(maximum_by_cas_after_volatile) {
    return run(maximum<max_by_volatile_load>, BLOCKS, THREADS) != THREADS - 1;
}

PROGRAM(maximum_by_cas_unless_smaller) {
    return run(maximum<max_unless_smaller>, BLOCKS, THREADS) != THREADS - 1;
}

PROGRAM(maximum_after_a_look) {
    return run(maximum<max_after_a_look>, BLOCKS, THREADS) != THREADS - 1;
}

PROGRAM(maximum_without_atomics) {
    run(maximum<max_without_atomics>, 1, THREADS);
    return 0;
}

/* ---- the last block by a counter ---- */

template <fence kind, bool all_threads> __global__ void last_block(int *out, int *cells, unsigned *arrived) {
    __shared__ bool last;
    cells[blockIdx.x * WARP + threadIdx.x] = 1;
    if (all_threads)
        fence_of<kind>();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (!all_threads)
            fence_of<kind>();
        last = atomicAdd(arrived, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x)
        return;
    int total = 0;
    for (int i = 0; i < BLOCKS * WARP; i++)
        total += cells[i];
    *out = total;
}

PROGRAM(last_block_after_fence_of_all) {
    return run(last_block<FENCE_DEVICE, true>, BLOCKS, WARP) != BLOCKS * WARP;
}

PROGRAM(last_block_after_fence_of_one) {
    return run(last_block<FENCE_DEVICE, false>, BLOCKS, WARP) != BLOCKS * WARP;
}

PROGRAM(last_block_without_fence) {
    run(last_block<FENCE_NONE, true>, BLOCKS, WARP);
    return 0;
}

PROGRAM(last_block_after_fence_of_its_block) {
    run(last_block<FENCE_BLOCK, true>, BLOCKS, WARP);
    return 0;
}

/* A counter for four blocks, and one for the last of each four. */
template <fence first, fence second>
__global__ void last_of_the_last(int *out, int *cells, unsigned *arrived) {
    cells[blockIdx.x] = 1;
    fence_of<first>();
    if (atomicAdd(&arrived[1 + blockIdx.x / 4], 1) != 3)
        return;
    fence_of<second>();
    if (atomicAdd(&arrived[0], 1) != BLOCKS / 4 - 1)
        return;
    __threadfence();
    int total = 0;
    for (int i = 0; i < BLOCKS; i++)
        total += cells[i];
    *out = total;
}

PROGRAM(last_block_of_a_tree) {
    return run(last_of_the_last<FENCE_DEVICE, FENCE_DEVICE>, BLOCKS, 1) != BLOCKS;
}

PROGRAM(last_block_of_a_tree_without_fences) {
    run(last_of_the_last<FENCE_NONE, FENCE_DEVICE>, BLOCKS, 1);
    return 0;
}

/* ---- a lock between blocks ---- */

template <fence kind> __global__ void lock_between_blocks(int *out, int *, unsigned *lock) {
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(lock, 0u, 1u) != 0u)
        ;
    fence_of<kind>();
    *out += 1;
    fence_of<kind>();
    atomicExch(lock, 0u);
}

PROGRAM(lock_of_blocks) {
    return run(lock_between_blocks<FENCE_DEVICE>, BLOCKS, WARP) != BLOCKS;
}

PROGRAM(lock_of_blocks_without_fences) {
    run(lock_between_blocks<FENCE_NONE>, BLOCKS, WARP);
    return 0;
}

/* ---- what orders nothing ---- */

/* Blocks that only count in one word have no order, and a fence is no barrier of the grid. */
__global__ void fence_as_barrier(int *out, int *cells, unsigned *) {
    if (threadIdx.x == 0)
        atomicAdd(cells, 1);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(out, cells[0]);
}

PROGRAM(fence_taken_for_a_barrier) {
    run(fence_as_barrier, BLOCKS, WARP);
    return 0;
}

/* The sum is whole only when all have added their parts. */
__global__ void own_part(int *out, int *, unsigned *) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1);
    if (threadIdx.x == 5)
        *out = sum;
}

PROGRAM(sum_read_after_own_part) {
    run(own_part, 1, THREADS);
    return 0;
}
