/* Placing a problem and judging its result (see row_problem.h). */
#include "row_problem.h"

#include "judged.h"
#include "recognise.h"
#include "suites/shared/comparison.h"
#include "suites/shared/sampled.h"
#include <math.h>
#include <string.h>

enum {
    ALIGNMENT = 256, /* that the contract promises of every pointer */
    SPARE = 1024     /* guarded bytes at least */
};

const char *row_problem_function(const struct row_problem *problem) {
    switch (problem->function) {
    case FUNCTION_ROW_SCALE:
        return "row_scale";
    case FUNCTION_ROW_MAX:
        return "row_max";
    default:
        return "row_sum";
    }
}

static bool is_matrix(const struct row_problem *problem) {
    return problem->function == FUNCTION_ROW_SCALE;
}

struct row_problem row_problem_new(struct context *context, enum function function, int64_t rows,
                                   int64_t cols, int64_t pitch) {
    struct row_problem problem = {
        .function = function,
        .x = table_new(context, TYPE_FP32, rows, cols, pitch),
        .factor = -1.25,
        .padding = NAN,
    };
    table_fill_normal(context, &problem.x, 0, 2);
    return problem;
}

/* ---- placing ---- */

size_t row_problem_bytes(const struct row_problem *problem) {
    return (size_t)(problem->x.rows * problem->x.pitch) * element_bytes(problem->x.type);
}

void *row_problem_layout(struct context *context, const struct row_problem *problem) {
    const struct table *x = &problem->x;
    void *layout = check_memory(context, row_problem_bytes(problem));
    for (int64_t row = 0; row < x->rows; row++)
        for (int64_t col = 0; col < x->pitch; col++)
            element_put(layout, (size_t)(row * x->pitch + col), x->type,
                        col < x->cols ? table_get(x, row, col) : problem->padding);
    return layout;
}

static size_t output_bytes(const struct row_problem *problem) {
    return is_matrix(problem) ? row_problem_bytes(problem) : (size_t)problem->x.rows * sizeof(float);
}

struct row_placed row_problem_add_output(struct context *context, struct test_case *test_case,
                                         const struct row_problem *problem, int stream, int x) {
    const size_t row_bytes = is_matrix(problem) ? (size_t)problem->x.pitch * sizeof(float) : 0;
    struct row_placed placed = {.x = x};
    if (problem->guarded)
        placed.guard = (row_bytes + SPARE) / ALIGNMENT * ALIGNMENT;
    const size_t bytes = output_bytes(problem) + 2 * placed.guard;
    void *before = check_memory(context, bytes);
    memset(before, ROW_OUTPUT_BEFORE, bytes);
    const char *name = is_matrix(problem) ? "y" : problem->function == FUNCTION_ROW_MAX ? "max" : "sum";
    placed.output = case_buffer(test_case, name, PLACE_DEVICE, BUFFER_RETURN, bytes, before,
                                problem->output_known ? bytes : 0);
    const struct operand output = is_matrix(problem)
                                      ? table_operand(&problem->x, placed.output, (int64_t)placed.guard)
                                      : at_buffer(placed.output, (int64_t)placed.guard);
    placed.call = case_call(
        test_case, problem->function, stream,
        (struct arguments){.real = {problem->factor}, .operand = {table_operand(&problem->x, x, 0), output}});
    return placed;
}

struct row_placed row_problem_add(struct context *context, struct test_case *test_case,
                                  const struct row_problem *problem, int stream) {
    const size_t bytes = row_problem_bytes(problem);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, BUFFER_READ_ONLY | BUFFER_RETURN, bytes,
                              row_problem_layout(context, problem), bytes);
    return row_problem_add_output(context, test_case, problem, stream, x);
}

/* ---- judging ---- */

static double max_of(const struct table *x, int64_t row) {
    double max = -INFINITY;
    for (int64_t col = 0; col < x->cols; col++)
        max = fmax(max, table_get(x, row, col));
    return max;
}

static double sum_of(const struct table *x, int64_t row, bool of_magnitudes) {
    long double sum = 0;
    for (int64_t col = 0; col < x->cols; col++)
        sum += of_magnitudes ? fabs(table_get(x, row, col)) : table_get(x, row, col);
    return (double)sum;
}

double *row_problem_expected(struct context *context, const struct row_problem *problem) {
    const struct table *x = &problem->x;
    const int64_t cols = is_matrix(problem) ? x->cols : 1;
    double *expected = check_memory(context, (size_t)(x->rows * cols) * sizeof *expected);
    for (int64_t row = 0; row < x->rows; row++)
        for (int64_t col = 0; col < cols; col++)
            expected[row * cols + col] = problem->function == FUNCTION_ROW_SCALE
                                             ? problem->factor * table_get(x, row, col)
                                         : problem->function == FUNCTION_ROW_MAX ? max_of(x, row)
                                                                                 : sum_of(x, row, false);
    return expected;
}

/* How far a row's results may be off, where that is no part of the result itself. */
static double *allowances(struct context *context, const struct row_problem *problem) {
    const struct table *x = &problem->x;
    double *allowed = check_memory(context, (size_t)x->rows * sizeof *allowed);
    for (int64_t row = 0; row < x->rows && problem->function == FUNCTION_ROW_SUM; row++)
        allowed[row] = 1e-5 * sum_of(x, row, true);
    return allowed;
}

/* Padding of the output, and what lies around it. */
static void check_surroundings(struct context *context, const struct outcome *outcome,
                               const struct row_problem *problem, struct row_placed placed) {
    const unsigned char *output = outcome_buffer(context, outcome, placed.output);
    const struct table *x = &problem->x;
    const size_t bytes = output_bytes(problem), end = placed.guard + bytes;
    const size_t row_bytes = is_matrix(problem) ? (size_t)x->pitch * sizeof(float) : bytes;
    const size_t used = is_matrix(problem) ? (size_t)x->cols * sizeof(float) : bytes;
    const unsigned char before = problem->output_known ? ROW_OUTPUT_BEFORE : 0xFF;
    for (size_t at = 0; at < end + placed.guard; at++) {
        const bool inside = at >= placed.guard && at < end;
        if (output[at] == before || (inside && (at - placed.guard) % row_bytes < used))
            continue;
        if (inside) {
            explain(context, "The columns of a row end at cols, not at the pitch: what lies between is not "
                             "this function's to write.");
            check_fail(context, "row_scale wrote to the padding of y: row %zu, column %zu of %lld.",
                       (at - placed.guard) / row_bytes, (at - placed.guard) % row_bytes / sizeof(float),
                       (long long)x->cols);
        }
        explain(context, "A thread that has no element of its own stores all the same: the last block has "
                         "threads to spare.");
        read_next(context, ROW_LESSON, ROW_SCALE);
        check_fail(context, "%s wrote outside its output: %zu bytes %s.", row_problem_function(problem),
                   at < placed.guard ? placed.guard - at : at - end,
                   at < placed.guard ? "before its first element" : "past its last element");
    }
}

static struct comparison comparison_of(struct context *context, const struct judged *judged,
                                       const char *output) {
    const struct row_problem *problem = judged->problem;
    const struct table *x = &problem->x;
    struct comparison comparison = {
        .array = is_matrix(problem)                      ? "y"
                 : problem->function == FUNCTION_ROW_MAX ? "max"
                                                         : "sum",
        .type = TYPE_FP32,
        .rows = x->rows,
        .cols = 1,
        .pitch = 1,
        .expected = judged->expected,
        .got = output,
        .allowed = allowances(context, problem),
        .diagnose = problem->function == FUNCTION_ROW_MAX ? recognise_max : recognise_sum,
        .data = judged,
    };
    if (is_matrix(problem)) {
        comparison.col_name = "column";
        comparison.cols = x->cols;
        comparison.pitch = x->pitch;
        comparison.rtol = 1e-6; /* one product, rounded: 6e-8 */
        comparison.diagnose = recognise_scaled;
    }
    return comparison;
}

static const char *row_problem_text(struct context *context, const struct row_problem *problem) {
    const struct table *x = &problem->x;
    return check_text(context, "%s, %lld x %lld%s%s.", row_problem_function(problem), (long long)x->rows,
                      (long long)x->cols,
                      x->pitch > x->cols ? check_text(context, ", pitch %lld", (long long)x->pitch) : "",
                      is_matrix(problem) ? check_text(context, ", factor %g", problem->factor) : "");
}

void row_problem_check(struct context *context, const struct outcome *outcome,
                       const struct row_problem *problem, struct row_placed placed) {
    check_success(context, outcome, placed.call, row_problem_function(problem));
    const char *output = outcome_buffer(context, outcome, placed.output);
    const struct judged judged = {problem, outcome, row_problem_expected(context, problem), placed};
    locate(context, "%s", row_problem_text(context, problem));
    compare(context, comparison_of(context, &judged, output + placed.guard));
    check_surroundings(context, outcome, problem, placed);
}

static struct test_case *new_case(struct context *context, const struct row_problem *problem, int *stream,
                                  struct row_placed *placed, bool sampled) {
    struct test_case *test_case = case_new(context);
    if (problem->x.rows > 65536 && !sampled) /* every block of them */
        case_limit(test_case, 120);
    *stream = case_stream(test_case, STREAM_NONBLOCKING);
    if (sampled)
        case_sample(test_case, problem->x.rows);
    *placed = row_problem_add(context, test_case, problem, *stream);
    return test_case;
}

const struct outcome *row_problem_run(struct context *context, const struct row_problem *problem) {
    int stream;
    struct row_placed placed;
    const struct outcome *outcome = case_run(new_case(context, problem, &stream, &placed, false));
    check_clean(context, outcome);
    row_problem_check(context, outcome, problem, placed);
    table_check_unchanged(context, outcome, &problem->x, placed.x, row_problem_function(problem));
    return outcome;
}

/* ---- a sample of very many rows ---- */

enum { ENOUGH_ROWS = 32 };

/* The row's results are there, as far as the sample goes. */
static bool is_known(const struct comparison *c, int64_t row) {
    for (int64_t col = 0; col < c->cols; col++)
        if (element_is_poison(c->got, (size_t)(row * c->pitch + col), c->type))
            return false;
    return true;
}

static bool is_row_right(const struct comparison *c, int64_t row) {
    for (int64_t col = 0; col < c->cols; col++) {
        const double expected = c->expected[row * c->cols + col],
                     got = element_get(c->got, (size_t)(row * c->pitch + col), c->type);
        if (!(fabs(got - expected) <= c->allowed[row] + c->rtol * fabs(expected)))
            return false;
    }
    return true;
}

/* The ends and both sides of 65,536 are known, and enough others, and all that is known is right. */
static bool shows_enough(const struct comparison *c) {
    const int64_t demanded[] = {0, 65535, 65536, c->rows - 1};
    int64_t known = 0;
    for (size_t i = 0; i < sizeof demanded / sizeof *demanded; i++)
        if (!is_known(c, demanded[i]))
            return false;
    for (int64_t row = 0; row < c->rows; row++) {
        if (!is_known(c, row))
            continue;
        if (!is_row_right(c, row))
            return false;
        known++;
    }
    return known >= ENOUGH_ROWS;
}

void row_problem_run_sampled(struct context *context, const struct row_problem *problem) {
    int stream;
    struct row_placed placed;
    const struct outcome *outcome = case_run(new_case(context, problem, &stream, &placed, true));
    if (sampled_ran_well(context, outcome, placed.call)) {
        const struct judged judged = {problem, outcome, row_problem_expected(context, problem), placed};
        const char *output = outcome_buffer(context, outcome, placed.output);
        const struct comparison comparison = comparison_of(context, &judged, output + placed.guard);
        if (shows_enough(&comparison))
            return;
    }
    row_problem_run(context, problem);
}
