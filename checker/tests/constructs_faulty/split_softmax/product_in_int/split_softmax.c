/* Faulty (validation.size), a twin of the construct c_gnu17. Shows: gnu17 as gcc takes it without options: typeof, statement expressions, __auto_type, min and max macros, M_LN2,
 * __attribute__((cleanup)), __builtin_expect, case ranges, the conditional without a middle, labels as values, nested arrays of zero length. */
#include "split_softmax.h"
#include <math.h>

#define min(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a < _b ? _a : _b; })
#define max(a, b) ({ __auto_type _a = (a); __auto_type _b = (b); _a > _b ? _a : _b; })
#define unlikely(c) __builtin_expect(!!(c), 0)

static const double bits_of_e = 1 / M_LN2;

struct scratch { float *base; cudaStream_t stream; cudaError_t *error; float at[0]; };

static void give_back(struct scratch *s) {
    if (s->base) {
        cudaError_t error = cudaFreeAsync(s->base, s->stream);
        *s->error = *s->error ?: error;
    }
}

int64_t split_softmax_chunks(int64_t cols, int chunk) { return max((cols + chunk - 1) / chunk, (int64_t)(bits_of_e > 1)); }

size_t split_softmax_scratch_bytes(int64_t rows, int64_t cols, int chunk) {
    return ({ size_t states = rows * (split_softmax_chunks(cols, chunk) + 1); states * sizeof(float[2]); });
}

static int size_of(cudaDataType_t type) {
    switch (type) {
    case CUDA_R_32F ... CUDA_R_32F: return 4;
    case CUDA_R_16F: case CUDA_R_16BF: return 2;
    default: return 0;
    }
}

static _Bool usable(const void *p) {
    struct cudaPointerAttributes a;
    if (unlikely(cudaPointerGetAttributes(&a, p) != cudaSuccess)) { cudaGetLastError(); return 0; }
    return a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged;
}

static void *end_of(const matrix *m) { return m->data + m->rows * m->cols * size_of(m->type); }

static cudaError_t stages(matrix x, matrix y, int chunk, cudaStream_t stream) {
    cudaError_t error = cudaSuccess;
    const typeof(x.rows) rows = x.rows, chunks = split_softmax_chunks(x.cols, chunk);
    {
        __attribute__((cleanup(give_back))) struct scratch s = {.stream = stream, .error = &error};
        error = cudaMallocAsync((void **)&s.base, split_softmax_scratch_bytes(rows, x.cols, chunk), stream);
        if (unlikely(error)) { s.base = 0; return error; }
        float *part[] = {[0] = s.base, [1] = s.base + rows * chunks}, *row[] = {s.base + 2 * rows * chunks, s.base + rows * (2 * chunks + 1)};
        int step = 0;
        static const void *const steps[] = {&&first, &&second, &&third, &&done};
        goto *steps[step];
    first:
        error = split_softmax_partials(x, chunk, part[0], part[1], stream);
        goto *steps[error ? 3 : ++step];
    second:
        error = split_softmax_merge(part[0], part[1], rows, chunks, row[0], row[1], stream);
        goto *steps[error ? 3 : ++step];
    third:
        error = split_softmax_normalize(x, chunk, row[0], row[1], y, stream);
    done:;
    }
    return error;
}

cudaError_t split_softmax(matrix x, matrix y, int chunk, cudaStream_t stream) {
    if (chunk != 256 && chunk != 1024 && chunk != 4096) return cudaErrorInvalidValue;
    if (!size_of(x.type) || x.type != y.type || x.rows != y.rows || x.cols != y.cols || x.pitch != x.cols || y.pitch != y.cols)
        return cudaErrorInvalidValue;
    if (x.rows < 0 || x.cols < 1 || x.cols > SPLIT_SOFTMAX_MAX_COLS || (int)(x.rows * x.cols) < 0) return cudaErrorInvalidValue;
    if (x.rows == 0) return cudaSuccess;
    if (!usable(x.data) || !usable(y.data)) return cudaErrorInvalidValue;
    if (min(end_of(&x), end_of(&y)) > max(x.data, y.data)) return cudaErrorInvalidValue;
    return stages(x, y, chunk, stream);
}
