/* What the cluster kernel needs and CUDA C has no words for: the instructions of sm_90 in PTX, each in a function. */
#pragma once
#include <stdint.h>

/* An address in the block's shared memory, as the instructions below take it. */
static __device__ unsigned shared_address(const void *pointer) {
    return (unsigned)__cvta_generic_to_shared(pointer);
}

/* The same place in the shared memory of block `rank` of the cluster. */
static __device__ unsigned in_peer(unsigned address, unsigned rank) {
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

/* Sets up an mbarrier whose phase ends when `bytes` bytes have come by st.async. One thread calls it. */
static __device__ void expect_bytes(unsigned mbarrier, unsigned bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(mbarrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(mbarrier), "r"(bytes)
                 : "memory");
}

static __device__ void wait_for_bytes(unsigned mbarrier) {
    unsigned done = 0;
    while (!done)
        asm volatile("{\n .reg .pred p;\n"
                     " mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\n"
                     " selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(mbarrier)
                     : "memory");
}

/* Writes 8 bytes into a peer's shared memory and counts them on the mbarrier there. Nobody waits. */
static __device__ void push(uint64_t bits, unsigned slot, unsigned mbarrier) {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(slot),
                 "l"(bits), "r"(mbarrier)
                 : "memory");
}

/* The cluster's barrier. Relaxed: it says that the peers are there, and publishes nothing. All threads call both. */
static __device__ void cluster_arrive() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
static __device__ void cluster_wait() {
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* 2 to the power x; what is below 2^-126 is 0. */
static __device__ float power_of_two(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

/* 16 bytes, past the L1's coherence: nobody writes x meanwhile. */
static __device__ uint4 load_once(const uint4 *from) {
    uint4 v;
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from));
    return v;
}

/* The same, but in the L2 these bytes are the first to make room for others. */
static __device__ uint64_t evict_first() {
    uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}
static __device__ uint4 load_passing(const uint4 *from) {
    uint4 v;
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from), "l"(evict_first()));
    return v;
}
static __device__ void store_passing(uint4 *to, uint4 v) {
    asm volatile("st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(to), "r"(v.x), "r"(v.y),
                 "r"(v.z), "r"(v.w), "l"(evict_first())
                 : "memory");
}

/* No instruction. The compiler has to take the bits as new: or it would keep what it converted them to, which takes twice
 * the registers, rather than convert a second time. */
static __device__ void forget(uint4 *bits) {
    asm volatile("" : "+r"(bits->x), "+r"(bits->y), "+r"(bits->z), "+r"(bits->w));
}
