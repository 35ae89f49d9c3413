// A kernel that takes its time: what should have waited for it, and did not, is over before it ends.
// Declared in runtime.h, which is C.
#include <cuda_runtime_api.h>

// A launch on an idle stream starts within some 10 microseconds; this is longer by far, and short for a
// check.
static const unsigned long long nanoseconds = 5000000;

static __global__ void wait_for_a_while(unsigned long long duration) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < duration);
}

extern "C" cudaError_t runtime_slow_kernel(cudaStream_t stream) {
    wait_for_a_while<<<1, 1, 0, stream>>>(nanoseconds);
    return cudaGetLastError();
}
