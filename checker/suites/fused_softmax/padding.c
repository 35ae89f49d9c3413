/* Stage padding: a pitch larger than cols. */
#include "checks.h"
#include "numbers/oracle.h"
#include "traffic.h"
#include <math.h>

void padding_adds_nothing(struct context *context) {
    const char *fillings[] = {"NaN", "large numbers", "zeros"};
    const int64_t shapes[][2] = {{781, 784}, {100, 128}, {1, 64}, {33, 1024}, {9, 12}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++) {
            struct problem problem = problem_new(context, TYPE_FP32, 5, shapes[j][0], shapes[j][1], 2);
            problem.padding = fillings[i];
            problem.on_stream = true;
            problem_run(context, &problem);
        }
}

void padding_left_alone(struct context *context) {
    const int64_t shapes[][2] = {{781, 784}, {5, 8}, {102, 128}, {1, 1024}, {127, 128}};
    for (int i = 0; i < 5; i++) {
        struct problem problem = problem_new(context, TYPE_FP32, 6, shapes[i][0], shapes[i][1], 4);
        problem.y_known = true;
        const struct outcome *outcome = problem_run(context, &problem);
        /* A kernel that writes back what it found leaves the bytes alone, and is found out by the counts.
         * Reads of x are not judged here: a pitch far above cols leaves room for padding that is read
         * besides. */
        uint64_t written = 0;
        for (size_t t = 0; t < outcome->traffic_count; t++)
            written += outcome->traffic[t].bytes_written;
        const uint64_t rows = (uint64_t)(problem.x.rows * problem.x.cols) * element_bytes(problem.x.type);
        if (written > rows)
            check_fail(context, "The kernel wrote %llu bytes; the rows of y hold %llu without their padding.",
                       (unsigned long long)written, (unsigned long long)rows);
    }
}

/* The case of tutorial 02. */
void padding_tutorial(struct context *context) {
    const struct problem problem = problem_new(context, TYPE_FP32, 1823, 781, 784, 4);
    check_grid(context, problem_run(context, &problem), &problem);
}

static const char in_an_int[] =
    "row * pitch is computed in an int, which ends at 2^31 - 1: from the third row on it is another number. "
    "pitch is an "
    "int64_t; keep it one, also as a kernel's parameter, and let the product be one.";

static bool row_is_right(struct context *context, const struct outcome *outcome,
                         const struct problem *problem, struct placed placed, int64_t row) {
    const struct table *x = &problem->x;
    const char *y = (const char *)outcome_buffer(context, outcome, placed.y) + placed.guard;
    const struct oracle_state state = oracle_state_of(table_row(x, row), (size_t)x->cols);
    for (int64_t col = 0; col < x->cols; col++) {
        const double right = oracle_probability(table_get(x, row, col), state);
        if (!(fabs(element_get(y, (size_t)(row * x->pitch + col), x->type) - right) <=
              problem->atol + problem->rtol * right))
            return false;
    }
    return true;
}

/* A pitch of 2^30 elements is a valid one: the rows lie 2 GiB apart, and only they are ever touched. They are
 * put in place, and fetched, by copies on the stream. row * pitch is more than an int holds from the third
 * row on. */
void padding_far_apart(struct context *context) {
    enum { ROWS = 4, COLS = 37 };
    const int64_t pitch = (int64_t)1 << 30;
    struct test_case *test_case = case_new(context);
    struct problem problem = problem_new(context, TYPE_FP16, ROWS, COLS, least_pitch(COLS), 2);
    problem.y_known = true;
    const size_t element = element_bytes(problem.x.type), row_bytes = COLS * element;
    const size_t far_bytes =
        (size_t)((ROWS - 1) * pitch + 4096) * element; /* a wide load may take padding along */
    if (!check_has_memory(context, 2 * far_bytes))
        check_skip(context, "It takes 13 GB of memory, and this GPU has less than twice that.");
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, 0, far_bytes, NULL, 0);
    const int y = case_buffer(test_case, "y", PLACE_DEVICE, 0, far_bytes, NULL, 0);
    const size_t bytes = problem_bytes(&problem);
    struct placed placed = problem_add_y(context, test_case, &problem);
    placed.x = case_buffer(test_case, "rows of x", PLACE_DEVICE, BUFFER_READ_ONLY | BUFFER_RETURN, bytes,
                           problem_layout(context, &problem), bytes);
    for (int64_t row = 0; row < ROWS; row++)
        case_copy_part(test_case, stream, at_buffer(x, row * pitch * (int64_t)element),
                       at_buffer(placed.x, row * problem.x.pitch * (int64_t)element), row_bytes);
    placed.call = case_call(test_case, FUNCTION_FUSED_SOFTMAX, stream,
                            (struct arguments){.number = {problem.rows_per_block},
                                               .operand = {matrix_in(x, TYPE_FP16, ROWS, COLS, pitch),
                                                           matrix_in(y, TYPE_FP16, ROWS, COLS, pitch)}});
    for (int64_t row = 0; row < ROWS; row++)
        case_copy_part(test_case, stream,
                       at_buffer(placed.y, (int64_t)placed.guard + row * problem.x.pitch * (int64_t)element),
                       at_buffer(y, row * pitch * (int64_t)element), row_bytes);
    case_wait_stream(test_case, stream);
    const struct outcome *outcome = case_run(test_case);
    locate(context, "%d rows of %d columns at pitch 1073741824, FP16.", (int)ROWS, (int)COLS);
    problem_check_stream(context, outcome, placed.call, stream);
    explain_refusal(context, outcome, placed.call, &problem.x, pitch);
    const struct returned *returned = outcome_return(outcome, placed.call);
    if (returned != NULL && returned->value != 0 && outcome->finding_count == 0)
        check_success(context, outcome, placed.call, "fused_softmax");
    explain_findings(context, "%s", in_an_int);
    read_next(context, FUSED_LESSON, "Stage 3: padding");
    check_clean(context, outcome);
    /* Rows 0 and 1 are where an int leads, too. */
    explain(context, "%s",
            row_is_right(context, outcome, &problem, placed, 0) &&
                    row_is_right(context, outcome, &problem, placed, 1)
                ? in_an_int
                : "");
    problem_check(context, outcome, &problem, placed);
}
