/* Looks at the first 8 numbers of each row, and does nothing where they are those of the last call with the
 * same output. To be refused: a change elsewhere in the row is not followed. */
#include "../honest.h"

enum { GLANCE = 8, MOST_ROWS = 4096 };
static __device__ float seen[MOST_ROWS][GLANCE];
static __device__ const float *seen_for[MOST_ROWS];

static __global__ void softmax_at_a_glance(const float *x, float *y, int cols, int64_t pitch) {
    const int64_t row = blockIdx.x;
    bool same = seen_for[row] == x;
    for (int i = 0; i < GLANCE && i < cols; i++)
        same = same && seen[row][i] == x[row * pitch + i];
    if (same)
        return;
    float max = -INFINITY, sum = 0;
    for (int col = 0; col < cols; col++)
        max = fmaxf(max, x[row * pitch + col]);
    for (int col = 0; col < cols; col++)
        sum += expf(x[row * pitch + col] - max);
    for (int col = 0; col < cols; col++)
        y[row * pitch + col] = expf(x[row * pitch + col] - max) / sum;
    for (int i = 0; i < GLANCE && i < cols; i++)
        seen[row][i] = x[row * pitch + i];
    seen_for[row] = x;
}

cudaError_t fused_softmax(matrix x, matrix y, int rows_per_block, cudaStream_t stream) {
    if (x.type != CUDA_R_32F || x.rows > MOST_ROWS)
        return honest_fused_softmax(x, y, rows_per_block, stream);
    softmax_at_a_glance<<<(unsigned)x.rows, 1, 0, stream>>>((const float *)x.data, (float *)y.data,
                                                            (int)x.cols, x.pitch);
    return cudaGetLastError();
}
