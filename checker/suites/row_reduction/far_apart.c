/* Rows far apart (see far_apart.h): they are put in place, and fetched, by copies on the stream. */
#include "far_apart.h"

enum { ROWS = 3, COLS = 37, WIDTH = sizeof(float), ROW_BYTES = COLS * WIDTH };

/* The step of the call. y is where its rows of the output are to be copied from; max and sum are not far
 * apart, and are written where they belong. */
void run_far_apart(struct context *context, enum function function) {
    const int64_t pitch = (int64_t)1 << 30;
    const size_t far_bytes = (size_t)((ROWS - 1) * pitch + COLS) * WIDTH;
    if (!check_has_memory(context, 2 * far_bytes))
        return;
    struct row_problem problem = row_problem_new(context, function, ROWS, COLS, COLS);
    problem.explained = true;
    struct test_case *test_case = case_new(context);
    const int stream = case_stream(test_case, STREAM_NONBLOCKING);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, 0, far_bytes, NULL, 0);
    const int near = case_buffer(test_case, "rows of x", PLACE_DEVICE, BUFFER_READ_ONLY, ROWS * ROW_BYTES,
                                 row_problem_layout(context, &problem), ROWS * ROW_BYTES);
    for (int64_t row = 0; row < ROWS; row++)
        case_copy_part(test_case, stream, at_buffer(x, row * pitch * WIDTH), at_buffer(near, row * ROW_BYTES),
                       ROW_BYTES);

    const bool is_matrix = function == FUNCTION_ROW_SCALE;
    struct row_placed placed = {.x = x};
    placed.output = case_buffer(test_case, is_matrix ? "rows of y" : "output", PLACE_DEVICE, BUFFER_RETURN,
                                is_matrix ? (size_t)ROWS * ROW_BYTES : (size_t)ROWS * WIDTH, NULL, 0);
    const int y =
        is_matrix ? case_buffer(test_case, "y", PLACE_DEVICE, 0, far_bytes, NULL, 0) : placed.output;
    const struct operand output =
        is_matrix ? matrix_in(y, TYPE_FP32, ROWS, COLS, pitch) : at_buffer(placed.output, 0);
    placed.call =
        case_call(test_case, function, stream,
                  (struct arguments){.real = {problem.factor},
                                     .operand = {matrix_in(x, TYPE_FP32, ROWS, COLS, pitch), output}});
    for (int64_t row = 0; is_matrix && row < ROWS; row++)
        case_copy_part(test_case, stream, at_buffer(placed.output, row * ROW_BYTES),
                       at_buffer(y, row * pitch * WIDTH), ROW_BYTES);
    case_wait_stream(test_case, stream);

    const struct outcome *outcome = case_run(test_case);
    locate(context, "%s, %d rows of %d columns at pitch 1073741824.", row_problem_function(&problem),
           (int)ROWS, (int)COLS);
    explain_findings(context, "row * pitch is computed in an int, which ends at 2^31 - 1: from the third row "
                              "on it is another number. pitch is an int64_t; keep it one, also as a kernel's "
                              "parameter, and let the product be one.");
    read_next(context, ROW_LESSON, ROW_PITCH);
    check_clean(context, outcome);
    row_problem_check(context, outcome, &problem, placed);
}
