/* Placing a problem and judging its result (see problem.h). */
#include "problem.h"

#include "numbers/oracle.h"
#include "recognise.h"
#include "suites/shared/comparison.h"
#include "suites/shared/sampled.h"
#include "traffic.h"
#include <math.h>
#include <string.h>

enum { Y_BEFORE = 0x2A }; /* each byte of y where it is known: 1.5e-13 as FP32, 0.05 as FP16 */

int64_t least_pitch(int64_t cols) {
    return (cols + 3) / 4 * 4;
}

struct problem problem_new(struct context *context, enum element_type type, int64_t rows, int64_t cols,
                           int64_t pitch, int rows_per_block) {
    struct problem problem = {
        .x = table_new(context, type, rows, cols, pitch),
        .rows_per_block = rows_per_block,
        .padding = "NaN",
        .rtol = type == TYPE_FP32 ? 1e-5 : 1e-2,
        .atol = type == TYPE_FP32 ? 1e-8 : 2e-5,
    };
    table_fill_normal(context, &problem.x, 0, 2);
    return problem;
}

size_t problem_bytes(const struct problem *problem) {
    return (size_t)(problem->x.rows * problem->x.pitch) * element_bytes(problem->x.type);
}

static double padding_value(const struct problem *problem) {
    return strcmp(problem->padding, "NaN") == 0 ? NAN : strcmp(problem->padding, "zeros") == 0 ? 0 : 3e4;
}

void *problem_layout(struct context *context, const struct problem *problem) {
    const struct table *x = &problem->x;
    char *layout = check_memory(context, problem_bytes(problem));
    const double padding = padding_value(problem);
    for (int64_t row = 0; row < x->rows; row++)
        for (int64_t col = 0; col < x->pitch; col++)
            element_put(layout, (size_t)(row * x->pitch + col), x->type,
                        col < x->cols ? table_get(x, row, col) : padding);
    return layout;
}

struct placed problem_add_y(struct context *context, struct test_case *test_case,
                            const struct problem *problem) {
    const size_t row_bytes = (size_t)problem->x.pitch * element_bytes(problem->x.type);
    struct placed placed = {.guard = (row_bytes + 255) / 256 * 256};
    const size_t bytes = problem_bytes(problem) + 2 * placed.guard;
    void *before = check_memory(context, bytes);
    memset(before, Y_BEFORE, bytes);
    placed.y =
        case_buffer(test_case, "y", PLACE_DEVICE, BUFFER_RETURN, bytes, before, problem->y_known ? bytes : 0);
    return placed;
}

struct placed problem_add_output(struct context *context, struct test_case *test_case,
                                 const struct problem *problem, int stream, int x) {
    struct placed placed = problem_add_y(context, test_case, problem);
    placed.x = x;
    placed.call = case_call(
        test_case, FUNCTION_FUSED_SOFTMAX, stream,
        (struct arguments){.number = {problem->rows_per_block},
                           .operand = {table_operand(&problem->x, x, 0),
                                       table_operand(&problem->x, placed.y, (int64_t)placed.guard)}});
    return placed;
}

struct placed problem_add(struct context *context, struct test_case *test_case, const struct problem *problem,
                          int stream) {
    /* A spare row that was never written follows the last row: reading it is a fault that the simulator
     * names. */
    const size_t bytes = problem_bytes(problem);
    const size_t spare = (size_t)problem->x.pitch * element_bytes(problem->x.type);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, BUFFER_READ_ONLY | BUFFER_RETURN, bytes + spare,
                              problem_layout(context, problem), bytes);
    return problem_add_output(context, test_case, problem, stream, x);
}

/* ---- judging ---- */

/* The element when rows are taken at row * cols, though they lie at row * pitch. */
static double at_cols(const struct problem *problem, int64_t row, int64_t col) {
    const struct table *x = &problem->x;
    double state_max = -INFINITY, sum = 0, value = NAN;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < x->cols; i++) {
            const int64_t place = row * x->cols + i, in_row = place % x->pitch;
            const double found =
                in_row < x->cols ? table_get(x, place / x->pitch, in_row) : padding_value(problem);
            if (pass == 0)
                state_max = fmax(state_max, found);
            else
                sum += exp(found - state_max);
            value = i == col ? found : value;
        }
    return exp(value - state_max) / sum;
}

/* Whether all rows came out as that: not one number by chance. */
static bool rows_are_taken_at_cols(const struct judged *judged) {
    const struct table *x = &judged->problem->x;
    for (int64_t row = 0; row < x->rows; row++)
        for (int64_t col = 0; col < x->cols; col += 7) {
            const double got = element_get(judged->y, (size_t)(row * x->pitch + col), x->type),
                         taken = at_cols(judged->problem, row, col);
            if (!isnan(taken) && !(fabs(got - taken) <= 2e-5 + 1e-2 * taken))
                return false;
        }
    return true;
}

/* A 16-bit step of error in a result that is otherwise right. */
static void explain_rounding(struct context *context, const struct problem *problem, double got,
                             double right) {
    const double off = fabs(got - right) / right;
    if (off > (problem->x.type == TYPE_BF16 ? 0.03 : 0.004))
        return;
    const char *type = problem->x.type == TYPE_BF16 ? "bfloat16" : "half";
    if (problem->x.pitch > problem->x.cols && got < right) {
        explain(context,
                "It is nearly right, and %.1g of its value too small. The row has padding, from column %lld "
                "to %lld: "
                "whatever lies there may have been added to the sum. If it was not, a sum or value was "
                "rounded to %s "
                "on the way, or cut off instead of rounded.",
                off, (long long)problem->x.cols, (long long)problem->x.pitch - 1, type);
        read_next(context, FUSED_LESSON, "Stage 3: padding");
        return;
    }
    explain(
        context,
        "It is nearly right, %.1g of its value away: a sum or value was rounded to %s on the way, or cut off "
        "instead of rounded. Convert each value to float as it is loaded, stay in float, and round once, at "
        "the store.",
        off, type);
    read_next(context, FUSED_LESSON, "Numbers");
}

static void diagnose(struct context *context, const void *data, int64_t row, int64_t col, double got) {
    const struct judged *judged = data;
    const struct problem *problem = judged->problem;
    if (problem->explained)
        return;
    const int64_t cols = problem->x.cols;
    const double *values = table_row(&problem->x, row);
    const struct oracle_state state = oracle_state_of(values, (size_t)cols);
    const double value = values[col], right = oracle_probability(value, state);
    if (isnan(right)) {
        explain(
            context,
            "A row that is masked throughout, or holds a NaN or +INFINITY, is NaN throughout. fmaxf leaves a "
            "NaN out; the sum must carry it.");
        read_next(context, FUSED_LESSON, "Stage 5: the operator");
        return;
    }
    if (row > 0 && problem->x.pitch > cols && !isnan(got) && rows_are_taken_at_cols(judged)) {
        explain(
            context,
            "The rows before this one are right. That is what comes out when row r is taken at r * cols: it "
            "begins at row * pitch.");
        read_next(context, FUSED_LESSON, "Stage 3: padding");
        return;
    }
    if (state.max < -30000 && (isnan(got) || got == 0)) {
        explain(context,
                "All values of this row lie at %g or below, and its maximum came out as a larger number: was "
                "it started at "
                "one that stands for -INFINITY, such as -5e4 or -1e30, or at 0? This row is valid, and "
                "-INFINITY is the value that changes no maximum.",
                state.max);
        read_next(context, FUSED_LESSON, "Stage 1: one row");
        return;
    }
    if (state.max < -80 && (isnan(got) || got == 0)) {
        explain(context,
                "All values of this row are negative, and its maximum seems to have come out as 0: was it "
                "started "
                "at 0, or do lanes beyond the end of the row hold 0? exp(%g - 0) is 0, and so is the sum. "
                "-INFINITY "
                "is the value that changes no maximum.",
                state.max);
        read_next(context, FUSED_LESSON, "Stage 1: one row");
        return;
    }
    if (isnan(got))
        explain(context,
                "A NaN in a row of numbers: the padding (here %s) was used, or a maximum was not the row's, "
                "so that the "
                "sum is 0 or infinite, or -INFINITY - -INFINITY was computed.",
                problem->padding);
    else if (right > 1e-30)
        explain_rounding(context, problem, got, right);
}

static const double *expected_values(struct context *context, const struct table *x) {
    double *expected = check_memory(context, (size_t)(x->rows * x->cols) * sizeof *expected);
    for (int64_t row = 0; row < x->rows; row++) {
        const struct oracle_state state = oracle_state_of(table_row(x, row), (size_t)x->cols);
        for (int64_t col = 0; col < x->cols; col++)
            expected[row * x->cols + col] = oracle_probability(table_get(x, row, col), state);
    }
    return expected;
}

/* Padding and spare rows of y. */
static void check_surroundings(struct context *context, const unsigned char *y, const struct problem *problem,
                               size_t guard) {
    const struct table *x = &problem->x;
    const size_t element = element_bytes(x->type), row_bytes = (size_t)x->pitch * element;
    const size_t rows_end = guard + problem_bytes(problem);
    const unsigned char before = problem->y_known ? Y_BEFORE : 0xFF;
    for (size_t at = 0; at < rows_end + guard; at++) {
        const bool inside = at >= guard && at < rows_end;
        if (y[at] == before || (inside && (at - guard) % row_bytes < (size_t)x->cols * element))
            continue;
        point_at(context, y + at);
        if (!inside)
            check_fail(context, "fused_softmax wrote outside of y: %zu bytes %s.",
                       at < guard ? guard - at : at - rows_end,
                       at < guard ? "before its first row" : "past its last row");
        read_next(context, FUSED_LESSON, "Stage 3: padding");
        explain(context, "Something is stored behind the row's last column: a group of four that is stored "
                         "whole where the row "
                         "ends inside it, a loop that goes on to the pitch, or a fill of the whole matrix.");
        check_fail(
            context,
            "fused_softmax wrote to the padding of y: row %zu, column %zu, and the row has %lld columns.",
            (at - guard) / row_bytes, (at - guard) % row_bytes / element, (long long)x->cols);
    }
}

void explain_refusal(struct context *context, const struct outcome *outcome, int call, const struct table *x,
                     int64_t pitch) {
    enum { INVALID_VALUE = 1 };
    const struct returned *returned = outcome_return(outcome, call);
    if (returned == NULL || returned->value != INVALID_VALUE)
        return;
    explain(context,
            "These arguments are valid: up to 1024 columns, and any pitch that is a multiple of 4 and at "
            "least cols. x and y do not "
            "overlap either: a matrix ends with the last element of its last row, ((rows - 1) * pitch + "
            "cols) elements from its "
            "start, which are %lld bytes here; what lies behind it, up to the pitch, does not belong to it. "
            "Any stream is valid, 0 too.",
            (long long)((x->rows - 1) * pitch + x->cols) * (long long)element_bytes(x->type));
}

void problem_check(struct context *context, const struct outcome *outcome, const struct problem *problem,
                   struct placed placed) {
    const struct table *x = &problem->x;
    locate(context, "%lld x %lld, pitch %lld, %s, rows_per_block %d.", (long long)x->rows, (long long)x->cols,
           (long long)x->pitch, element_name(x->type), problem->rows_per_block);
    explain_refusal(context, outcome, placed.call, x, x->pitch);
    check_success(context, outcome, placed.call, "fused_softmax");
    const char *y = outcome_buffer(context, outcome, placed.y);
    const struct judged judged = {problem, y + placed.guard, mistakes_new(context)};
    compare(context, (struct comparison){
                         .array = "y",
                         .col_name = "column",
                         .type = x->type,
                         .rows = x->rows,
                         .cols = x->cols,
                         .pitch = x->pitch,
                         .expected = expected_values(context, x),
                         .got = y + placed.guard,
                         .rtol = problem->rtol,
                         .atol = problem->atol,
                         .suspects = fused_suspects,
                         .diagnose = diagnose,
                         .data = &judged,
                         .lesson = FUSED_LESSON,
                     });
    check_surroundings(context, (const unsigned char *)y, problem, placed.guard);
}

bool problem_y_is_untouched(struct context *context, const struct outcome *outcome,
                            const struct problem *problem, struct placed placed) {
    const unsigned char *y = outcome_buffer(context, outcome, placed.y);
    for (size_t at = 0; at < problem_bytes(problem) + 2 * placed.guard; at++)
        if (y[at] != Y_BEFORE)
            return false;
    return true;
}

void problem_check_stream(struct context *context, const struct outcome *outcome, int call, int stream) {
    for (size_t i = 0; i < outcome->kernel_count; i++) {
        const struct kernel_trace *kernel = &outcome->kernels[i];
        if (kernel->step != call || kernel->stream == stream)
            continue;
        explain(context, "The fourth launch argument is the stream: <<<grid, block, 0, stream>>>.");
        read_next(context, FUSED_LESSON, "Stage 5: the operator");
        check_fail(context, "Kernel %s ran on %s, and not on the caller's stream.", kernel->name,
                   kernel->stream == STREAM_INDEX_DEFAULT ? "the default stream" : "a stream of its own");
    }
}

bool problem_sample_is_right(struct context *context, const struct problem *problem) {
    struct test_case *test_case = case_new(context);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    case_sample(test_case, problem->x.rows);
    const struct placed placed = problem_add(context, test_case, problem, stream);
    const struct outcome *outcome = case_run(test_case);
    if (!sampled_ran_well(context, outcome, placed.call))
        return false;
    check_grid(context, outcome, problem);
    const char *y = outcome_buffer(context, outcome, placed.y);
    return sampled_shows_enough(&problem->x, y + placed.guard, problem->rtol, problem->atol);
}

const struct outcome *problem_run(struct context *context, const struct problem *problem) {
    struct test_case *test_case = case_new(context);
    if (problem->x.rows > 65536) /* every block of them: see sampled.h */
        case_limit(test_case, 120);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    const struct placed placed = problem_add(context, test_case, problem, stream);
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    problem_check(context, outcome, problem, placed);
    if (problem->on_stream)
        problem_check_stream(context, outcome, placed.call, stream);
    table_check_unchanged(context, outcome, &problem->x, placed.x, "fused_softmax");
    return outcome;
}
