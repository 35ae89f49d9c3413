/* The accesses of a kernel as they are written, whatever an optimiser would make of them, and of any width. */
#include "program.h"

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
