/* Data and verdicts (see workload.h).
 *
 * Tolerances are the contract's. In a row of 131,072 columns most probabilities lie below the absolute one,
 * so the sum of each row is compared too, and the values are spread widely enough (a normal distribution with
 * deviation 4) that a few columns stand far above it: zeros pass nowhere. */
#include "workload.h"
#include "base/memory.h"
#include "numbers/oracle.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double deviation = 4;

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The sum of 4 uniform numbers, scaled to deviation 1: near enough to normal, and quick. */
static double next_normal(uint64_t *state) {
    const uint64_t bits = next_random(state);
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)((bits >> (16 * i)) & 0xffff) / 65536;
    return (sum - 2) * 1.7320508;
}

struct workload workload_new(const struct shape *shape, enum element_type type, uint64_t seed) {
    struct workload workload = {.shape = *shape, .type = type};
    workload.base_rows = shape->rows < MOST_BASE_ROWS ? shape->rows : MOST_BASE_ROWS;
    workload.bytes = (size_t)(shape->rows * shape->pitch) * element_bytes(type);
    const size_t elements = (size_t)(workload.base_rows * shape->cols);
    workload.base = get_memory(elements * element_bytes(type));
    workload.expected = get_memory(elements * sizeof(double));
    uint64_t state = seed * 0x2545f4914f6cdd1du + (uint64_t)type;
    for (int64_t row = 0; row < workload.base_rows; row++) {
        double *of_row = workload.expected + row * shape->cols;
        const double centre = 10 * next_normal(&state);
        for (int64_t col = 0; col < shape->cols; col++) {
            const size_t at = (size_t)(row * shape->cols + col);
            element_put(workload.base, at, type, centre + deviation * next_normal(&state));
            of_row[col] = element_get(workload.base, at, type);
        }
        const struct oracle_state whole = oracle_state_of(of_row, (size_t)shape->cols);
        for (int64_t col = 0; col < shape->cols; col++)
            of_row[col] = oracle_probability(of_row[col], whole);
    }
    return workload;
}

void workload_free(struct workload *workload) {
    free(workload->base);
    free(workload->expected);
}

static int64_t turn_of(const struct workload *workload, int64_t shift, int64_t row) {
    return (shift + ROW_TURN * (row / workload->base_rows)) % workload->shape.cols;
}

void *workload_matrix(const struct workload *workload, int64_t shift) {
    const struct shape *shape = &workload->shape;
    const size_t element = element_bytes(workload->type), row_bytes = (size_t)shape->cols * element;
    char *matrix = get_memory(workload->bytes);
    memset(matrix, 0xff, workload->bytes);
    for (int64_t row = 0; row < shape->rows; row++) {
        const char *base = (const char *)workload->base + (size_t)(row % workload->base_rows) * row_bytes;
        char *to = matrix + (size_t)(row * shape->pitch) * element;
        const size_t turn = (size_t)turn_of(workload, shift, row) * element;
        memcpy(to, base + turn, row_bytes - turn);
        memcpy(to + row_bytes - turn, base, turn);
    }
    return matrix;
}

struct tolerance {
    double relative, absolute, of_sum;
};

static struct tolerance tolerance_of(const struct workload *workload) {
    if (workload->type != TYPE_FP32)
        return (struct tolerance){1e-2, 2e-5, 2e-2};
    if (workload->shape.cols <= 1024)
        return (struct tolerance){1e-5, 1e-8, 1e-4};
    return (struct tolerance){3e-5, 2e-7, 1e-4};
}

static void note(struct agreement *agreement, double got, double expected, double allowed, int64_t row,
                 int64_t col) {
    const double error = fabs(got - expected);
    if (error <= allowed) {
        if (col >= 0 && error > agreement->worst_error)
            agreement->worst_error = error;
        if (error / allowed > agreement->worst_share)
            agreement->worst_share = error / allowed;
    } else if (agreement->right) { /* a NaN comes here too */
        *agreement = (struct agreement){.worst_error = error,
                                        .worst_share = error / allowed,
                                        .worst_ulp = agreement->worst_ulp,
                                        .row = row,
                                        .col = col,
                                        .got = got,
                                        .expected = expected};
    }
}

static void check_row(const struct workload *workload, const void *y, int64_t shift, int64_t row,
                      struct agreement *agreement) {
    const struct tolerance tolerance = tolerance_of(workload);
    const int64_t cols = workload->shape.cols;
    const double *expected = workload->expected + (row % workload->base_rows) * cols;
    int64_t at = turn_of(workload, shift, row);
    double sum = 0;
    for (int64_t col = 0; col < cols; col++) {
        const double got = element_get(y, (size_t)col, workload->type), wanted = expected[at];
        note(agreement, got, wanted, tolerance.absolute + tolerance.relative * wanted, row, col);
        agreement->worst_ulp =
            fmax(agreement->worst_ulp, fabs(got - wanted) / element_spacing(workload->type, wanted));
        sum += got;
        at = at + 1 < cols ? at + 1 : 0;
    }
    note(agreement, sum, 1, tolerance.of_sum, row, -1);
}

struct agreement workload_check_row(const struct workload *workload, const void *y, int64_t shift,
                                    int64_t row) {
    struct agreement agreement = {.right = true};
    check_row(workload, y, shift, row, &agreement);
    return agreement;
}

struct agreement workload_check(const struct workload *workload, const void *y, int64_t shift, int64_t most,
                                uint64_t seed) {
    const struct shape *shape = &workload->shape;
    const size_t row_bytes = (size_t)shape->pitch * element_bytes(workload->type);
    const int64_t affordable = most / shape->cols > 2 ? most / shape->cols : 2;
    const int64_t rows = shape->rows < affordable ? shape->rows : affordable;
    struct agreement agreement = {.right = true};
    for (int64_t i = 0; i < rows && agreement.right; i++) {
        int64_t row = i;
        if (rows < shape->rows && i > 0) /* the last, then any */
            row = i == 1 ? shape->rows - 1 : (int64_t)(next_random(&seed) % (uint64_t)shape->rows);
        check_row(workload, (const char *)y + (size_t)row * row_bytes, shift, row, &agreement);
    }
    return agreement;
}

/* "NaN" without the sign that printf gives it. */
static void number_words(char *text, size_t bytes, double number) {
    if (isnan(number))
        snprintf(text, bytes, "NaN");
    else
        snprintf(text, bytes, "%.6g", number);
}

char *agreement_words(const struct agreement *agreement) {
    char got[32];
    number_words(got, sizeof got, agreement->got);
    if (agreement->col < 0)
        return format_text("row %lld adds up to %s, and should to 1", (long long)agreement->row, got);
    return format_text("row %lld, column %lld is %s, and should be %.6g", (long long)agreement->row,
                       (long long)agreement->col, got, agreement->expected);
}
