/* What the simulator's headers ask of its core: the device-side operations that need to know about other
 * threads. Usable from C and C++. The functions find the caller's source line by their return address, so
 * header functions that call them are always_inline and nodebug: the address is then the student's line. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

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
extern SIM_CONSTANT unsigned sim_thread_x, sim_thread_y, sim_thread_z;
extern SIM_CONSTANT unsigned sim_block_x, sim_block_y, sim_block_z;
extern SIM_CONSTANT unsigned sim_block_dim_x, sim_block_dim_y, sim_block_dim_z;
extern SIM_CONSTANT unsigned sim_grid_dim_x, sim_grid_dim_y, sim_grid_dim_z;
#undef SIM_CONSTANT

/* __syncthreads, and its forms that reduce a predicate. */
enum sim_barrier_kind { SIM_BARRIER_PLAIN, SIM_BARRIER_COUNT, SIM_BARRIER_AND, SIM_BARRIER_OR };
int sim_barrier(enum sim_barrier_kind kind, int predicate);

/* __syncwarp. */
void sim_warp_barrier(unsigned mask);

/* __shfl_sync and its kin: up to 8 bytes; returns the bits of the lane that is read. */
enum sim_shuffle_kind { SIM_SHUFFLE_INDEX, SIM_SHUFFLE_UP, SIM_SHUFFLE_DOWN, SIM_SHUFFLE_XOR };
uint64_t sim_shuffle(enum sim_shuffle_kind kind, unsigned mask, uint64_t bits, int argument, int width);

/* __any_sync, __all_sync, __ballot_sync. */
enum sim_vote_kind { SIM_VOTE_ANY, SIM_VOTE_ALL, SIM_VOTE_BALLOT };
unsigned sim_vote(enum sim_vote_kind kind, unsigned mask, int predicate);

/* __match_any_sync, __match_all_sync: the mask of the lanes that hold the same bits (all: or 0). */
enum sim_match_kind { SIM_MATCH_ANY, SIM_MATCH_ALL };
unsigned sim_match(enum sim_match_kind kind, unsigned mask, uint64_t bits);

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
uint32_t sim_reduce(enum sim_reduce_kind kind, unsigned mask, uint32_t value);

unsigned sim_activemask(void);

/* Says that an atomic read-modify-write of these bytes follows at once. The header then does it with plain
 * loads and stores in a function that is not instrumented: one CUDA thread runs at a time. */
void sim_atomic(const void *address, size_t bytes);

/* A chance for other threads to run: __nanosleep, and the body of a spin loop. */
void sim_yield(void);

/* __trap, and a failed assert. Does not return. */
void sim_trap(const char *text) __attribute__((noreturn));

/* Cycle counter: grows with the work the thread has done. */
uint64_t sim_clock(void);

/* ---- launches ---- */

struct sim_launch {
    unsigned grid[3], block[3];
    size_t dynamic_shared; /* bytes */
    void *stream;          /* cudaStream_t */
    const char *kernel;    /* as written at the launch, without template arguments and spaces */
    const void *function;  /* address of the kernel where it is known, else NULL */
};

/* Enqueues a launch. call(closure) runs the kernel's body for one thread; the closure, bytes long, is owned
 * by the simulator, which calls destroy(closure) and frees it. Returns a cudaError_t, and sets the last
 * error. */
int sim_launch(const struct sim_launch *launch, void (*call)(void *closure), void *closure,
               void (*destroy)(void *closure));

#ifdef __cplusplus
}
#endif
#endif
