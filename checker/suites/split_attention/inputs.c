/* Problems, and what is right for them in FP64 (see parts.h). */
#include "parts.h"

#include <math.h>

const int attention_chunk_sizes[3] = {64, 256, 1024};
const int attention_dims[2] = {64, 128};

struct problem attention_new(struct context *context, enum element_type type, int64_t heads, int64_t length,
                             int dim, int chunk) {
    return (struct problem){.type = type,
                            .heads = heads,
                            .length = length,
                            .chunks = (length + chunk - 1) / chunk,
                            .dim = dim,
                            .chunk = chunk,
                            .has_bias = true,
                            .q = table_new(context, type, heads, dim, dim),
                            .k = table_new(context, type, heads * length, dim, dim),
                            .v = table_new(context, type, heads * length, dim, dim),
                            .bias = table_new(context, TYPE_FP32, heads, length, length)};
}

struct problem attention_drawn(struct context *context, enum element_type type, int64_t heads, int64_t length,
                               int dim, int chunk) {
    struct problem problem = attention_new(context, type, heads, length, dim, chunk);
    table_fill_normal(context, &problem.q, 0, 1);
    table_fill_normal(context, &problem.k, 0, 1);
    table_fill_normal(context, &problem.v, 0, 1);
    table_fill_normal(context, &problem.bias, 0, 1);
    return problem;
}

void attention_without_bias(struct problem *problem) {
    problem->has_bias = false;
    problem->bias.rows = 0;
}

void attention_set_bias(struct problem *problem, int64_t head, int64_t key, double value) {
    table_set(&problem->bias, head, key, value);
}

void attention_fill_q(struct problem *problem, int64_t head, double value) {
    table_fill_row(&problem->q, head, value);
}

void attention_fill_row(struct table *rows, const struct problem *problem, int64_t head, int64_t key,
                        double value) {
    table_fill_row(rows, head * problem->length + key, value);
}

int64_t attention_chunk_length(const struct problem *problem, int64_t index) {
    const int64_t left = problem->length - index * problem->chunk;
    return left < problem->chunk ? left : problem->chunk;
}

double attention_dot(const struct problem *problem, int64_t head, int64_t key) {
    const double *q = table_row(&problem->q, head), *k = table_row(&problem->k, head * problem->length + key);
    double dot = 0;
    for (int j = 0; j < problem->dim; j++)
        dot += q[j] * k[j];
    return dot;
}

double attention_bias(const struct problem *problem, int64_t head, int64_t key) {
    return problem->has_bias ? table_get(&problem->bias, head, key) : 0;
}

/* The sum of |q_j * k_ij| / sqrt(dim) + |bias(i)|; 0 for a masked key, whose score nothing can change. */
static double size_of_score(const struct problem *problem, int64_t head, int64_t key) {
    const double *q = table_row(&problem->q, head), *k = table_row(&problem->k, head * problem->length + key);
    double size = 0;
    for (int j = 0; j < problem->dim; j++)
        size += fabs(q[j] * k[j]);
    size = size / sqrt(problem->dim) + fabs(attention_bias(problem, head, key));
    return isfinite(size) ? size : 0;
}

static void add_values(const struct problem *problem, const double *scores, double max, int64_t head,
                       int64_t first, int64_t count, double *values, double *sizes) {
    for (int64_t key = first; key < first + count; key++) {
        const double *v = table_row(&problem->v, head * problem->length + key);
        const double weight = exp(scores[head * problem->length + key] - max);
        for (int j = 0; j < problem->dim && weight > 0; j++) {
            values[j] += weight * v[j];
            sizes[j] += weight * fabs(v[j]);
        }
    }
}

struct truth attention_truth(struct context *context, const struct problem *problem) {
    const int64_t heads = problem->heads, length = problem->length, chunks = problem->chunks;
    const int dim = problem->dim;
    double *scores = check_memory(context, (size_t)(heads * length) * sizeof *scores);
    struct oracle_state *states = check_memory(context, (size_t)(heads * chunks) * sizeof *states);
    double *error = check_memory(context, (size_t)(heads * chunks) * sizeof *error);
    double *values = check_memory(context, (size_t)(heads * chunks * dim) * sizeof *values);
    double *sizes = check_memory(context, (size_t)(heads * chunks * dim) * sizeof *sizes);
    double *y = check_memory(context, (size_t)(heads * dim) * sizeof *y);
    double *largest = check_memory(context, (size_t)heads * sizeof *largest);
    for (int64_t head = 0; head < heads; head++) {
        for (int64_t key = 0; key < length; key++)
            scores[head * length + key] =
                attention_dot(problem, head, key) / sqrt(dim) + attention_bias(problem, head, key);
        for (int64_t i = 0; i < chunks; i++) {
            const int64_t first = i * problem->chunk, count = attention_chunk_length(problem, i),
                          at = head * chunks + i;
            states[at] = oracle_state_of(scores + head * length + first, (size_t)count);
            double size = 0;
            for (int64_t key = first; key < first + count; key++)
                size = fmax(size, size_of_score(problem, head, key));
            error[at] = (dim + 3) * 0x1p-24 * size;
            if (isfinite(states[at].max))
                add_values(problem, scores, states[at].max, head, first, count, values + at * dim,
                           sizes + at * dim);
            else if (isnan(states[at].max))
                for (int j = 0; j < dim; j++)
                    values[at * dim + j] = NAN;
        }
        const struct oracle_state whole = oracle_merge(states + head * chunks, (size_t)chunks);
        for (int j = 0; j < dim; j++) {
            double sum = isnan(whole.max) ? NAN : 0;
            for (int64_t i = 0; i < chunks; i++)
                if (states[head * chunks + i].max > -INFINITY)
                    sum += values[(head * chunks + i) * dim + j] *
                           exp(states[head * chunks + i].max - whole.max);
            y[head * dim + j] = sum / whole.sum; /* 0 / 0 where all is masked */
        }
        for (int64_t i = 0; i < length * dim; i++)
            largest[head] = fmax(largest[head], fabs(problem->v.values[head * length * dim + i]));
    }
    return (struct truth){scores, states, error, values, sizes, y, largest};
}

const double *attention_tolerance(struct context *context, enum element_type type, const double *y,
                                  const double *largest, int64_t heads, int dim) {
    double *allowed = check_memory(context, (size_t)(heads * dim) * sizeof *allowed);
    for (int64_t i = 0; i < heads * dim; i++)
        allowed[i] = type == TYPE_FP32 ? 2e-4 * fabs(y[i]) + 2e-6 * largest[i / dim]
                                       : 1e-2 * fabs(y[i]) + 1e-3 * largest[i / dim];
    return allowed;
}
