/* Rows cut into chunks, and what is right for them in FP64 (see parts.h). */
#include "parts.h"

const int split_chunk_sizes[3] = {256, 1024, 4096};

int64_t split_chunks(int64_t cols, int chunk) {
    return (cols + chunk - 1) / chunk;
}

int64_t split_chunk_length(int64_t cols, int chunk, int64_t index) {
    int64_t left = cols - index * chunk;
    return left < chunk ? left : chunk;
}

struct oracle_state *split_chunk_states(struct context *context, const struct table *x, int chunk) {
    int64_t chunks = split_chunks(x->cols, chunk);
    struct oracle_state *states = check_memory(context, (size_t)(x->rows * chunks) * sizeof *states);
    for (int64_t row = 0; row < x->rows; row++)
        for (int64_t index = 0; index < chunks; index++)
            states[row * chunks + index] = oracle_state_of(table_row(x, row) + index * chunk,
                                                           (size_t)split_chunk_length(x->cols, chunk, index));
    return states;
}

struct oracle_state *split_row_states(struct context *context, const struct table *x) {
    struct oracle_state *states = check_memory(context, (size_t)x->rows * sizeof *states);
    for (int64_t row = 0; row < x->rows; row++)
        states[row] = oracle_state_of(table_row(x, row), (size_t)x->cols);
    return states;
}

double *split_maxima(struct context *context, const struct oracle_state *states, int64_t count) {
    double *maxima = check_memory(context, (size_t)count * sizeof *maxima);
    for (int64_t i = 0; i < count; i++)
        maxima[i] = states[i].max;
    return maxima;
}

double *split_sums(struct context *context, const struct oracle_state *states, int64_t count) {
    double *sums = check_memory(context, (size_t)count * sizeof *sums);
    for (int64_t i = 0; i < count; i++)
        sums[i] = states[i].sum;
    return sums;
}

double *split_probabilities(struct context *context, const struct table *x, const struct oracle_state *rows) {
    double *expected = check_memory(context, (size_t)(x->rows * x->cols) * sizeof *expected);
    for (int64_t row = 0; row < x->rows; row++)
        for (int64_t col = 0; col < x->cols; col++)
            expected[row * x->cols + col] = oracle_probability(table_get(x, row, col), rows[row]);
    return expected;
}
