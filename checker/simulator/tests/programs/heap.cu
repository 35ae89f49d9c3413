/* malloc and free in kernels: right uses, and each way to use them wrongly. */
#include "program.h"

enum { WARP = 32 };

__global__ void list_of_each_block(int *out) {
    int *list = (int *)malloc(WARP * sizeof *list);
    if (!list)
        return;
    for (int i = 0; i < WARP; i++)
        list[i] = 1;
    int sum = 0;
    for (int i = 0; i < WARP; i++)
        sum += list[i];
    free(list);
    atomicAdd(out, sum);
}

PROGRAM(heap_of_many_blocks) {
    const int blocks = 5000, zero = 0; /* far more than may rest, or live, at once */
    int *out = device_copy(&zero, 1);
    list_of_each_block<<<blocks, 1>>>(out);
    return take(out, 0) != blocks * WARP;
}

__global__ void too_much(int *out) {
    void *all = malloc((size_t)9 << 20), *half = malloc((size_t)5 << 20), *other = malloc((size_t)5 << 20);
    *out = !all && half && !other;
    free(other);
    free(half);
    half = malloc((size_t)8 << 20);
    *out += half != nullptr;
    free(half);
}

PROGRAM(heap_is_limited) {
    int *out = device_array<int>(1);
    too_much<<<1, 1>>>(out);
    return take(out, 0) != 2;
}

__global__ void read_unwritten_of_heap(int *out, int others) {
    for (int i = 0; i < others; i++) { /* so that memory comes that was another's */
        int *list = (int *)malloc(4 * sizeof *list);
        list[0] = list[1] = list[2] = list[3] = 1;
        free(list);
    }
    int *list = (int *)malloc(4 * sizeof *list);
    *out = list[1];
    free(list);
}

PROGRAM(heap_read_unwritten) {
    int *out = device_array<int>(1);
    read_unwritten_of_heap<<<1, 1>>>(out, 600);
    return take(out, 0) != -1; /* poison */
}

__global__ void read_freed_of_heap(int *out) {
    int *list = (int *)malloc(4 * sizeof *list);
    list[0] = 1;
    free(list);
    int *next = (int *)malloc(4 * sizeof *next);
    *out = list[0];
    free(next);
}

PROGRAM(heap_use_after_free) {
    int *out = device_array<int>(1);
    read_freed_of_heap<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    return 0;
}

__global__ void free_twice(int *) {
    int *list = (int *)malloc(4 * sizeof *list);
    free(list);
    free(list);
}

PROGRAM(heap_freed_twice) {
    free_twice<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();
    return 0;
}

__global__ void past_the_end_of_heap(int *) {
    int *list = (int *)malloc(4 * sizeof *list);
    list[4] = 1;
    free(list);
}

PROGRAM(heap_write_past_end) {
    past_the_end_of_heap<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();
    return 0;
}

__global__ void free_of_another(int *list) {
    free(list);
}

PROGRAM(heap_frees_what_the_host_allocated) {
    int *list = device_array<int>(4);
    free_of_another<<<1, 1>>>(list);
    cudaDeviceSynchronize();
    cudaFree(list);
    return 0;
}

__global__ void give_away(int **out) {
    *out = (int *)malloc(4 * sizeof(int));
}

PROGRAM(host_frees_what_the_heap_gave) {
    int **out = device_array<int *>(1);
    give_away<<<1, 1>>>(out);
    return cudaFree(take(out, 0)) != cudaErrorInvalidValue;
}
