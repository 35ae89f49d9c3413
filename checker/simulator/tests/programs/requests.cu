/* What a warp asks of memory at once: one request of known shape in each program. */
#include "program.h"

static float zeros[32 * 40];

template <class Element> __global__ void read_each(const Element *x, int first, int stride, int *sink) {
    Element value = x[first + threadIdx.x * stride];
    if (value.x != 0)
        *sink = 1;
}

struct one {
    float x;
};

template <class Element> static int read(int first, int stride, int lanes) {
    float *x = device_copy(zeros, 32 * 40);
    int *sink = device_array<int>(1);
    read_each<<<1, lanes>>>((const Element *)x, first, stride, sink);
    cudaFree(x);
    cudaFree(sink);
    return 0;
}

PROGRAM(read_neighbours) {
    return read<one>(0, 1, 32);
}

PROGRAM(read_neighbours_misaligned) {
    return read<one>(1, 1, 32);
}

PROGRAM(read_one_value) {
    return read<one>(5, 0, 32);
}

PROGRAM(read_apart) {
    return read<one>(0, 8, 32);
}

PROGRAM(read_vectors) {
    return read<float4>(0, 1, 32);
}

PROGRAM(read_few_lanes) {
    return read<one>(0, 1, 8);
}

__global__ void write_shared(int stride) {
    __shared__ volatile float tile[32 * 33]; /* or the compiler drops what no one reads */
    tile[threadIdx.x * stride] = 1;
}

static int write(int stride) {
    write_shared<<<1, 32>>>(stride);
    return 0;
}

PROGRAM(shared_neighbours) {
    return write(1);
}

PROGRAM(shared_one_bank) {
    return write(32);
}

PROGRAM(shared_padded) {
    return write(33);
}

PROGRAM(shared_every_other) {
    return write(2);
}
