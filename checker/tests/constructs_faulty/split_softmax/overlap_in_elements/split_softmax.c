/* Faulty (validation.overlap), a twin of the construct c_old_and_new. Shows: K&R definitions, a declaration without parameters, register and auto, compound literals, designated initialisers, a VLA and a
 * pointer to one, _Generic, _Static_assert, restrict, static in an array parameter, a flexible array, bit-fields, a union. */
#include "split_softmax.h"
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(float) == 4 && (int)CUDA_R_32F == 0, "as the toolkit has it");
#define BYTES(m) (_Generic((m), matrix: (m).type) == CUDA_R_32F ? 4 : 2)
#define COUNT(a) (sizeof(a) / sizeof *(a))

static size_t scratch_for();
static int member();

int64_t split_softmax_chunks(int64_t cols, int chunk) {
    div_t d = div((int)cols, chunk);
    return d.quot + !!d.rem;
}

size_t split_softmax_scratch_bytes(int64_t rows, int64_t cols, int chunk) { return scratch_for(rows, split_softmax_chunks(cols, chunk)); }

static size_t scratch_for(rows, chunks)
    int64_t rows, chunks;
{
    return 8 * (size_t)rows * (size_t)(chunks + 1);
}

static int member(value, list, n)
    int value;
    const int *list;
    register int n;
{
    auto int i;
    for (i = 0; i < n; i++)
        if (list[i] == value)
            return 1;
    return 0;
}

union address { const void *pointer; uintptr_t number; };
struct verdict { unsigned type : 1, shape : 1, size : 1, chunk : 1; };

static bool reachable(const matrix *restrict m) {
    struct cudaPointerAttributes *a = &(struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered};
    if (cudaPointerGetAttributes(a, m->data) != cudaSuccess)
        return cudaGetLastError(), false;
    return (const bool[]){[cudaMemoryTypeDevice] = true, [cudaMemoryTypeManaged] = true}[a->type];
}

static void cut(int64_t rows, int64_t chunks, float *scratch, float *parts[static 4]) {
    size_t length[2 * (chunks > 0) + 2]; /* a VLA */
    memcpy(length, (size_t[]){rows * chunks, rows * chunks, rows, rows}, 4 * sizeof *length);
    for (size_t i = 0, at = 0; i < COUNT(length); at += length[i++])
        parts[i] = scratch + at;
}

struct plan { int64_t chunks; int count; float *part[]; };

cudaError_t split_softmax(matrix x, matrix y, int chunk, cudaStream_t stream) {
    static const int types[] = {CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF}, chunks[] = {256, 1024, 4096};
    struct verdict bad = {
        .type = !member((int)x.type, types, 3) || x.type != y.type,
        .shape = x.rows != y.rows || x.cols != y.cols || x.pitch != x.cols || y.pitch != y.cols,
        .size = x.cols < 1 || x.cols > SPLIT_SOFTMAX_MAX_COLS || x.rows < 0 || (x.cols > 0 && x.rows > INT32_MAX / x.cols),
        .chunk = !member(chunk, chunks, (int)COUNT(chunks)),
    };
    if (bad.type | bad.shape | bad.size | bad.chunk)
        return cudaErrorInvalidValue;
    if (!x.rows)
        return cudaSuccess;
    union address a = {x.data}, b = {.pointer = y.data};
    const int64_t bytes = x.rows * x.cols;
    if (!reachable(&x) || !reachable(&y) || (int64_t)(a.number > b.number ? a.number - b.number : b.number - a.number) < bytes)
        return cudaErrorInvalidValue;

    struct plan *plan = malloc(sizeof *plan + 4 * sizeof(float *));
    if (!plan)
        return cudaErrorMemoryAllocation;
    *plan = (struct plan){split_softmax_chunks(x.cols, chunk), 4};
    void *scratch;
    cudaError_t error = cudaMallocAsync(&scratch, split_softmax_scratch_bytes(x.rows, x.cols, chunk), stream), freed;
    if (error == cudaSuccess) {
        cut(x.rows, plan->chunks, scratch, plan->part);
        float *const(*p)[4] = (void *)plan->part;
        (error = split_softmax_partials(x, chunk, (*p)[0], (*p)[1], stream)) ||
            (error = split_softmax_merge((*p)[0], (*p)[1], x.rows, plan->chunks, (*p)[2], (*p)[3], stream)) ||
            (error = split_softmax_normalize(x, chunk, (*p)[2], (*p)[3], y, stream));
        freed = cudaFreeAsync(scratch, stream);
        if (!error)
            error = freed;
    }
    assert(plan->count == 4);
    free(plan);
    return error;
}
