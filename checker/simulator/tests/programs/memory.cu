/* Device and shared memory: each rule broken, beside a twin that keeps it. */
#include "program.h"
#include <string.h>

__global__ void copy(const float *x, float *y, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = x[i];
}

PROGRAM(copy_inside) {
    float values[100] = {0};
    values[99] = 3;
    float *x = device_copy(values, 100), *y = device_array<float>(100);
    copy<<<1, 128>>>(x, y, 100);
    cudaDeviceSynchronize();
    cudaFree(x);
    return take(y, 99) != 3;
}

PROGRAM(read_past_end) {
    float values[100] = {0};
    float *x = device_copy(values, 100), *y = device_array<float>(128);
    copy<<<1, 128>>>(x, y, 128);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

PROGRAM(write_past_end) {
    float values[128] = {0};
    float *x = device_copy(values, 128), *y = device_array<float>(100);
    copy<<<1, 128>>>(x, y, 128);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

PROGRAM(read_before_start) {
    float values[128] = {0};
    float *x = device_copy(values, 128), *y = device_array<float>(128);
    copy<<<1, 128>>>(x - 1, y, 128);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

PROGRAM(read_unwritten) {
    float *x = device_array<float>(128), *y = device_array<float>(128);
    cudaMemset(x, 0, 127 * sizeof(float));
    copy<<<1, 128>>>(x, y, 128);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return 0;
}

PROGRAM(read_after_fill) {
    float *x = device_array<float>(128), *y = device_array<float>(128);
    cudaMemset(x, 0, 128 * sizeof(float));
    copy<<<1, 128>>>(x, y, 128);
    cudaDeviceSynchronize();
    cudaFree(x);
    return take(y, 127) != 0;
}

__global__ void copy_bytes(const unsigned char *x, unsigned char *y) {
    y[threadIdx.x] = x[threadIdx.x];
}

PROGRAM(read_one_byte_unwritten) {
    unsigned char *x = device_array<unsigned char>(8), *y = device_array<unsigned char>(8);
    cudaMemset(x, 0, 5);
    cudaMemset(x + 6, 0, 2);
    copy_bytes<<<1, 8>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return 0;
}

PROGRAM(use_after_free) {
    float *x = device_array<float>(128), *y = device_array<float>(128);
    cudaMemset(x, 0, 128 * sizeof(float));
    cudaFree(x);
    copy<<<1, 128>>>(x, y, 128);
    cudaDeviceSynchronize();
    return 0;
}

PROGRAM(freed_before_use_in_stream) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    float *x, *y = device_array<float>(128);
    cudaMallocAsync((void **)&x, 512, stream);
    cudaMemsetAsync(x, 0, 512, stream);
    cudaFreeAsync(x, stream);
    copy<<<1, 128, 0, stream>>>(x, y, 128);
    cudaDeviceSynchronize();
    return 0;
}

PROGRAM(freed_after_use_in_stream) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    float *x, *y = device_array<float>(128);
    cudaMallocAsync((void **)&x, 512, stream);
    cudaMemsetAsync(x, 0, 512, stream);
    copy<<<1, 128, 0, stream>>>(x, y, 128);
    cudaFreeAsync(x, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return take(y, 127) != 0;
}

PROGRAM(freed_on_another_stream) {
    cudaStream_t stream, other;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    float *x, *y = device_array<float>(128);
    cudaMallocAsync((void **)&x, 512, stream);
    cudaStreamSynchronize(stream);
    cudaMemsetAsync(x, 0, 512, stream);
    copy<<<1, 128, 0, stream>>>(x, y, 128);
    cudaFreeAsync(x, other);
    cudaDeviceSynchronize();
    return 0;
}

PROGRAM(freed_on_unordered_stream) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    float *x, *y = device_array<float>(128);
    cudaMallocAsync((void **)&x, 512, stream);
    cudaMemsetAsync(x, 0, 512, stream);
    copy<<<1, 128, 0, stream>>>(x, y, 128);
    cudaFreeAsync(x, 0);
    cudaDeviceSynchronize();
    return 0;
}

PROGRAM(freed_twice) {
    float *x = device_array<float>(4);
    cudaFree(x);
    return cudaFree(x) != cudaErrorInvalidValue;
}

PROGRAM(leak) {
    device_array<float>(4);
    return 0;
}

PROGRAM(host_reads_device_memory) {
    float *x = device_array<float>(4);
    float value = x[1];
    cudaFree(x);
    return value == 12345.0f;
}

PROGRAM(host_uses_managed_memory) {
    float *x;
    cudaMallocManaged(&x, 16);
    x[1] = 5;
    float value = x[1];
    cudaFree(x);
    return value != 5;
}

PROGRAM(kernel_reads_host_memory) {
    static float values[128];
    float *y = device_array<float>(128);
    values[1] = 2;
    copy<<<1, 128>>>(values, y, 128);
    cudaDeviceSynchronize();
    return 0;
}

struct table {
    float values[16];
};

__global__ void use_argument(table given, float *y) {
    y[threadIdx.x] = given.values[threadIdx.x];
}

PROGRAM(kernel_reads_its_argument) {
    table given = {{0, 1, 2, 3}};
    float *y = device_array<float>(16);
    use_argument<<<1, 16>>>(given, y);
    given.values[3] = 9;
    return take(y, 3) != 3;
}

/* ---- vectors ---- */

__global__ void copy_four(const float *x, float *y) {
    ((float4 *)y)[threadIdx.x] = ((const float4 *)x)[threadIdx.x];
}

PROGRAM(vectors_aligned) {
    float values[68] = {0};
    values[63] = 4;
    float *x = device_copy(values, 68), *y = device_array<float>(68);
    copy_four<<<1, 16>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    return take(y, 63) != 4;
}

PROGRAM(vector_read_misaligned) {
    float values[68] = {0};
    float *x = device_copy(values, 68), *y = device_array<float>(68);
    copy_four<<<1, 16>>>(x + 1, y);
    return cudaDeviceSynchronize() != cudaErrorMisalignedAddress;
}

PROGRAM(vector_write_misaligned) {
    float values[68] = {0};
    float *x = device_copy(values, 68), *y = device_array<float>(68);
    copy_four<<<1, 16>>>(x, y + 2);
    return cudaDeviceSynchronize() != cudaErrorMisalignedAddress;
}

PROGRAM(vector_past_end) {
    float values[66] = {0};
    float *x = device_copy(values, 66), *y = device_array<float>(68);
    copy_four<<<1, 17>>>(x, y);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

/* ---- shared memory ---- */

__global__ void shared_by_index(int *out, int last) {
    __shared__ int before[32], values[32], after[32];
    before[threadIdx.x] = after[threadIdx.x] = values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = values[last] + before[0] + after[0];
}

PROGRAM(shared_inside) {
    int *out = device_array<int>(1);
    shared_by_index<<<1, 32>>>(out, 31);
    return take(out, 0) != 31;
}

PROGRAM(shared_past_end) {
    int *out = device_array<int>(1);
    shared_by_index<<<1, 32>>>(out, 32);
    cudaDeviceSynchronize();
    return 0;
}

__global__ void shared_unwritten(int *out) {
    __shared__ int values[32];
    if (threadIdx.x < 31)
        values[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x];
}

PROGRAM(shared_read_unwritten) {
    int *out = device_array<int>(32);
    shared_unwritten<<<1, 32>>>(out);
    take(out, 0);
    return 0;
}

/* What one block leaves in shared memory is not there for the next. */
__global__ void shared_from_last_block(int *out, int writer) {
    __shared__ int value;
    if (blockIdx.x == writer)
        value = 1;
    out[blockIdx.x] = value;
}

PROGRAM(shared_of_another_block) {
    int *out = device_array<int>(2);
    shared_from_last_block<<<2, 1>>>(out, 0);
    take(out, 0);
    return 0;
}

__global__ void dynamic_reverse(int *out) {
    extern __shared__ int values[];
    values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

PROGRAM(dynamic_shared) {
    int *out = device_array<int>(64);
    dynamic_reverse<<<1, 64, 64 * sizeof(int)>>>(out);
    return take(out, 0) != 63;
}

PROGRAM(dynamic_shared_too_small) {
    int *out = device_array<int>(64);
    dynamic_reverse<<<1, 64, 63 * sizeof(int)>>>(out);
    cudaDeviceSynchronize();
    return 0;
}

/* ---- variables ---- */

__device__ int counter = 5;
__constant__ float factor[2] = {2, 3};

__global__ void use_variables(float *out) {
    atomicAdd(&counter, 1);
    out[threadIdx.x] = factor[1] * counter;
}

PROGRAM(variables) {
    int five = 5;
    float scaled[2] = {2, 4};
    float *out = device_array<float>(1);
    cudaMemcpyToSymbol(counter, &five, sizeof five);
    cudaMemcpyToSymbol(factor, scaled, sizeof scaled);
    use_variables<<<1, 1>>>(out);
    int after = 0;
    cudaMemcpyFromSymbol(&after, counter, sizeof after);
    return take(out, 0) != 24 || after != 6;
}

/* ---- struct copies and memcpy ---- */

struct state {
    float max, sum;
    float history[6];
};

__global__ void copy_states(const state *from, state *to) {
    to[threadIdx.x] = from[threadIdx.x];
    memcpy(&to[threadIdx.x].history[2], &from[0].history[0], 8);
}

PROGRAM(struct_copies) {
    state host[4] = {};
    host[3].sum = 8;
    state *from = device_copy(host, 4), *to = device_array<state>(4);
    copy_states<<<1, 4>>>(from, to);
    cudaDeviceSynchronize();
    cudaFree(from);
    return take(to, 3).sum != 8;
}

PROGRAM(struct_copy_past_end) {
    state host[4] = {};
    state *from = device_copy(host, 4), *to = device_array<state>(4);
    copy_states<<<1, 5>>>(from, to);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}

/* ---- arguments that are not in memory as they are passed ---- */

__global__ void choose(bool first, char small, float *y, bool last) {
    *y = first && !last ? small : 0.5f;
}

PROGRAM(kernel_takes_bools) {
    float *y = device_array<float>(1);
    choose<<<1, 1>>>(true, -7, y, false);
    return take(y, 0) != -7;
}
