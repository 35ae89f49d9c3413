/* Barriers of a block and of a warp, memory fences, and what a thread may do to time. */
#ifndef SIM_BARRIERS_H
#define SIM_BARRIERS_H

#include "compiler.h"
#include "device.h"

SIM_INLINE void __syncthreads() {
    sim_barrier(SIM_BARRIER_PLAIN, 0);
}
SIM_INLINE int __syncthreads_count(int predicate) {
    return sim_barrier(SIM_BARRIER_COUNT, predicate);
}
SIM_INLINE int __syncthreads_and(int predicate) {
    return sim_barrier(SIM_BARRIER_AND, predicate);
}
SIM_INLINE int __syncthreads_or(int predicate) {
    return sim_barrier(SIM_BARRIER_OR, predicate);
}
SIM_INLINE void __syncwarp(unsigned mask = 0xffffffffu) {
    sim_warp_barrier(mask);
}

/* One thread runs at a time and its stores are seen at once: only the compiler has to be told. */
SIM_INLINE void __threadfence() {
    __asm__ volatile("" ::: "memory");
}
SIM_INLINE void __threadfence_block() {
    __asm__ volatile("" ::: "memory");
}
SIM_INLINE void __threadfence_system() {
    __asm__ volatile("" ::: "memory");
}

SIM_INLINE void __nanosleep(unsigned) {
    sim_yield();
}
SIM_INLINE long long clock64() {
    return static_cast<long long>(sim_clock());
}
SIM_INLINE void __trap() {
    sim_trap("__trap()");
}
SIM_INLINE void __brkpt() {
    sim_trap("__brkpt()");
}

#endif
