/* Barriers of a block and of a warp, memory fences, and what a thread may do to time. */
#ifndef SIM_BARRIERS_H
#define SIM_BARRIERS_H

#include "compiler.h"
#include "device.h"

/* To clang the name is an instruction of NVIDIA's, which no header may define. */
#define __syncthreads sim_syncthreads
SIM_DEVICE void __syncthreads() {
    sim_barrier(SIM_BARRIER_PLAIN, 0);
}
SIM_DEVICE int __syncthreads_count(int predicate) {
    return sim_barrier(SIM_BARRIER_COUNT, predicate);
}
SIM_DEVICE int __syncthreads_and(int predicate) {
    return sim_barrier(SIM_BARRIER_AND, predicate);
}
SIM_DEVICE int __syncthreads_or(int predicate) {
    return sim_barrier(SIM_BARRIER_OR, predicate);
}
SIM_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
    sim_warp_barrier(mask);
}

/* One thread runs at a time and its stores are seen at once; what a fence orders is for the record of races. */
SIM_DEVICE void __threadfence() {
    sim_fence(SIM_FENCE_DEVICE);
}
SIM_DEVICE void __threadfence_block() {
    sim_fence(SIM_FENCE_BLOCK);
}
SIM_DEVICE void __threadfence_system() {
    sim_fence(SIM_FENCE_SYSTEM);
}

SIM_DEVICE void __nanosleep(unsigned) {
    sim_yield();
}
SIM_DEVICE long long clock64() {
    return static_cast<long long>(sim_clock());
}
SIM_DEVICE void __trap() {
    sim_trap("__trap()");
}
SIM_DEVICE void __brkpt() {
    sim_trap("__brkpt()");
}

#endif
