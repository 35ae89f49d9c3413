/* The suite of fused_softmax: its stages and checks, 100 points. */
#include "checks.h"
#include "problem.h"

#define ROW "Stage 1: one row"
#define ROWS "Stage 2: many rows"
#define PADDING "Stage 3: padding"
#define VALIDATION "Stage 4: validation"
#define OPERATOR "Stage 5: the operator"
#define ONE_PASS "One pass over memory"

static const struct stage stages[] = {
    {"row", "stage 1: one row of floats"},
    {"rows", "stage 2: many rows"},
    {"padding", "stage 3: a pitch larger than the row"},
    {"validation", "stage 4: what is refused"},
    {"operator", "stage 5: types, special values, streams"},
};

static const struct check checks[] = {
    {"row.by_hand", "4 and 9 columns", 6, row_by_hand, FUSED_LESSON, ROW, 0, 0},
    {"row.widths", "19 widths from 1 to 1024", 10, row_widths, FUSED_LESSON, ROW, 0, 0},
    {"row.far_from_zero", "values near -1000 and 1000", 6, row_far_from_zero, FUSED_LESSON, ROW, 0, 0},
    {"row.one_pass", "one pass over memory, by counted bytes", 8, row_one_pass, FUSED_LESSON, ONE_PASS, 0, 0},

    {"rows.each_number", "rows_per_block 1, 2, 4 and 8", 7, rows_each_number, FUSED_LESSON, ROWS, 0, 0},
    {"rows.last_block", "a last block that is not full", 6, rows_last_block, FUSED_LESSON, ROWS, 0, 0},
    {"rows.grid", "the number of blocks, their rows, and no scratch", 4, rows_grid, FUSED_LESSON, ROWS, 0, 0},
    {"rows.one_pass", "one pass over memory", 4, rows_one_pass, FUSED_LESSON, ONE_PASS, 0, 0},
    {"rows.many", "very many rows", 4, rows_many, FUSED_LESSON, ROWS, 10, 1},

    {"padding.adds_nothing", "NaN, large numbers and zeros in the padding of x", 5, padding_adds_nothing,
     FUSED_LESSON, PADDING, 0, 0},
    {"padding.left_alone", "the padding of y keeps its bytes", 5, padding_left_alone, FUSED_LESSON, PADDING,
     0, 0},
    {"padding.tutorial", "1823 x 781 at pitch 784", 4, padding_tutorial, FUSED_LESSON, PADDING, 20, 1},
    {"padding.far_apart", "rows 2^30 elements apart", 1, padding_far_apart, FUSED_LESSON, PADDING, 0, 0},

    {"validation.rows_per_block", "1, 2, 4 or 8", 2, validation_rows_per_block, FUSED_LESSON, VALIDATION, 10,
     0},
    {"validation.type", "FP32, FP16 or BF16, and one for both", 2, validation_type, FUSED_LESSON, VALIDATION,
     10, 0},
    {"validation.shape", "rows and cols", 3, validation_shape, FUSED_LESSON, VALIDATION, 10, 0},
    {"validation.pitch", "a multiple of 4, at least cols", 3, validation_pitch, FUSED_LESSON, VALIDATION, 10,
     0},
    {"validation.pointers", "device or managed memory", 2, validation_pointers, FUSED_LESSON, VALIDATION, 10,
     0},
    {"validation.overlap", "x and y apart", 2, validation_overlap, FUSED_LESSON, VALIDATION, 10, 0},
    {"validation.no_rows", "rows = 0", 1, validation_no_rows, FUSED_LESSON, VALIDATION, 10, 0},

    {"operator.types", "FP32, FP16 and BF16", 2, operator_types, FUSED_LESSON, OPERATOR, 0, 0},
    {"operator.rounding", "one rounding, to nearest even", 2, operator_rounding, FUSED_LESSON, "Numbers", 0,
     0},
    {"operator.constants", "large constants, one dominant logit", 2, operator_constants, FUSED_LESSON,
     "Numbers", 0, 0},
    {"operator.masked", "logits of -infinity", 2, operator_masked, FUSED_LESSON, OPERATOR, 0, 0},
    {"operator.not_finite", "NaN and +infinity", 2, operator_not_finite, FUSED_LESSON, OPERATOR, 0, 0},
    {"operator.stream", "behind a slow producer on the caller's stream", 2, operator_stream, FUSED_LESSON,
     OPERATOR, 0, 0},
    {"operator.two_calls", "two calls in flight", 1, operator_two_calls, FUSED_LESSON, OPERATOR, 0, 0},
    {"operator.launch_error", "the launch's error is returned", 1, operator_launch_error, FUSED_LESSON,
     OPERATOR, 0, 0},
    {"operator.repeated", "240 calls in one process", 1, operator_repeated, FUSED_LESSON, OPERATOR, 0, 0},
};

const struct suite fused_softmax_suite = {
    .exercise = "fused_softmax",
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .not_checked_simulator = "speed, and what only a GPU can show",
    .not_checked_cuda = "bytes moved, races and uninitialised memory",
};
