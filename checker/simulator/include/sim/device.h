/* What the simulator's headers ask of its core: the device-side operations that need to know about other
 * threads. Usable from C and C++. The functions find the caller's source line by their return address, so
 * header functions that call them are always_inline and nodebug: the address is then the student's line. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The running thread's place. Constant for as long as the thread lives, and declared so: the compiler
 * then neither instruments nor repeats the loads. The core (SIM_CORE) writes them at every switch. */
#ifdef SIM_CORE
#define SIM_CONSTANT
#else
#define SIM_CONSTANT const
#endif
SIM_ON_DEVICE extern SIM_CONSTANT unsigned sim_thread_x, sim_thread_y, sim_thread_z;
SIM_ON_DEVICE extern SIM_CONSTANT unsigned sim_block_x, sim_block_y, sim_block_z;
SIM_ON_DEVICE extern SIM_CONSTANT unsigned sim_block_dim_x, sim_block_dim_y, sim_block_dim_z;
SIM_ON_DEVICE extern SIM_CONSTANT unsigned sim_grid_dim_x, sim_grid_dim_y, sim_grid_dim_z;
#undef SIM_CONSTANT

/* __syncthreads, and its forms that reduce a predicate. */
enum sim_barrier_kind { SIM_BARRIER_PLAIN, SIM_BARRIER_COUNT, SIM_BARRIER_AND, SIM_BARRIER_OR };
SIM_ON_DEVICE int sim_barrier(enum sim_barrier_kind kind, int predicate);

/* __syncwarp. */
SIM_ON_DEVICE void sim_warp_barrier(unsigned mask);

/* __shfl_sync and its kin: up to 8 bytes; returns the bits of the lane that is read. */
enum sim_shuffle_kind { SIM_SHUFFLE_INDEX, SIM_SHUFFLE_UP, SIM_SHUFFLE_DOWN, SIM_SHUFFLE_XOR };
SIM_ON_DEVICE uint64_t sim_shuffle(enum sim_shuffle_kind kind, unsigned mask, uint64_t bits, int argument,
                                   int width);

/* __any_sync, __all_sync, __ballot_sync. */
enum sim_vote_kind { SIM_VOTE_ANY, SIM_VOTE_ALL, SIM_VOTE_BALLOT };
SIM_ON_DEVICE unsigned sim_vote(enum sim_vote_kind kind, unsigned mask, int predicate);

/* __match_any_sync, __match_all_sync: the mask of the lanes that hold the same bits (all: or 0). */
enum sim_match_kind { SIM_MATCH_ANY, SIM_MATCH_ALL };
SIM_ON_DEVICE unsigned sim_match(enum sim_match_kind kind, unsigned mask, uint64_t bits);

/* __reduce_add_sync and its kin, on 32-bit integers. */
enum sim_reduce_kind {
    SIM_REDUCE_ADD,
    SIM_REDUCE_MIN,
    SIM_REDUCE_MAX, /* unsigned */
    SIM_REDUCE_MIN_SIGNED,
    SIM_REDUCE_MAX_SIGNED,
    SIM_REDUCE_AND,
    SIM_REDUCE_OR,
    SIM_REDUCE_XOR
};
SIM_ON_DEVICE uint32_t sim_reduce(enum sim_reduce_kind kind, unsigned mask, uint32_t value);

SIM_ON_DEVICE unsigned sim_activemask(void);

/* An atomic operation, in two calls with nothing between them: the bits that were there, of up to 8 bytes, and those
 * that come instead. Both count as one access; an end without its beginning is an ordinary store. */
SIM_ON_DEVICE uint64_t sim_atomic_begin(const void *address, size_t bytes);
SIM_ON_DEVICE void sim_atomic_end(void *address, uint64_t bits, size_t bytes);

/* __threadfence and its kin. */
enum sim_fence_kind { SIM_FENCE_BLOCK, SIM_FENCE_DEVICE, SIM_FENCE_SYSTEM };
SIM_ON_DEVICE void sim_fence(enum sim_fence_kind kind);

/* malloc and free of device code: a heap of 8 MB. */
SIM_ON_DEVICE void *sim_malloc(size_t bytes);
SIM_ON_DEVICE void sim_free(void *pointer);

/* A chance for other threads to run: __nanosleep, and the body of a spin loop. */
SIM_ON_DEVICE void sim_yield(void);

/* __trap, and a failed assert. Does not return. */
SIM_ON_DEVICE void sim_trap(const char *text) __attribute__((noreturn));

/* Cycle counter: grows with the work the thread has done. */
SIM_ON_DEVICE uint64_t sim_clock(void);

#ifdef __cplusplus
}
#endif
#endif
