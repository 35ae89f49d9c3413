/* The suite of row_reduction: its stages and checks, 100 points. */
#include "checks.h"
#include "row_problem.h"

static const struct stage stages[] = {
    {"scale", "stage 1: every element times a factor"},
    {"max", "stage 2: the maximum of each row"},
    {"sum", "stage 3: the sum of each row"},
};

static const struct check checks[] = {
    {"scale.by_hand", "2 x 3, factor 2.5", 5, scale_by_hand, ROW_LESSON, ROW_SCALE, 0, 0},
    {"scale.every_element", "12 shapes, and nothing beside them", 8, scale_every_element, ROW_LESSON,
     ROW_SCALE, 0, 0},
    {"scale.pitch", "a pitch larger than the row", 5, scale_pitch, ROW_LESSON, ROW_PITCH, 0, 0},
    {"scale.many_rows", "65,537 rows, and all there can be", 3, scale_many_rows, ROW_LESSON, ROW_LAUNCH, 10,
     0.5},
    {"scale.stream", "on the caller's stream, two calls in flight", 2, scale_stream, ROW_LESSON, ROW_LAUNCH,
     0, 0},
    {"scale.launch_error", "the launch's error is returned", 1, scale_launch_error, ROW_LESSON, ROW_LAUNCH, 0,
     0},
    {"scale.repeated", "120 calls in one process", 1, scale_repeated, ROW_LESSON, ROW_WRONG, 0, 0},

    {"max.by_hand", "4 and 8 columns", 5, max_by_hand, ROW_LESSON, ROW_MAX, 0, 0},
    {"max.widths", "23 widths, and the maximum in every column once", 10, max_widths, ROW_LESSON, ROW_MAX, 10,
     0.5},
    {"max.negatives", "rows of negative numbers", 6, max_negatives, ROW_LESSON, ROW_MAX, 0, 0},
    {"max.masked", "rows of -infinity", 5, max_masked, ROW_LESSON, ROW_MAX, 0, 0},
    {"max.pitch", "a pitch larger than the row", 5, max_pitch, ROW_LESSON, ROW_PITCH, 0, 0},
    {"max.many_rows", "65,537 rows, and all there can be", 4, max_many_rows, ROW_LESSON, ROW_LAUNCH, 10, 1},
    {"max.stream", "on the caller's stream, two calls in flight", 2, max_stream, ROW_LESSON, ROW_LAUNCH, 0,
     0},
    {"max.launch_error", "the launch's error is returned", 1, max_launch_error, ROW_LESSON, ROW_LAUNCH, 0, 0},
    {"max.repeated", "120 calls in one process", 2, max_repeated, ROW_LESSON, ROW_WRONG, 0, 0},

    {"sum.by_hand", "4 and 9 columns", 4, sum_by_hand, ROW_LESSON, ROW_SUM, 0, 0},
    {"sum.widths", "23 widths, and 300 rows", 8, sum_widths, ROW_LESSON, ROW_SUM, 0, 0.2},
    {"sum.cancelling", "positive and negative values", 4, sum_cancelling, ROW_LESSON, ROW_NUMBERS, 0, 0},
    {"sum.accuracy", "4096 columns, to 1e-5 of the magnitudes", 6, sum_accuracy, ROW_LESSON, ROW_NUMBERS, 0,
     0},
    {"sum.pitch", "a pitch larger than the row", 4, sum_pitch, ROW_LESSON, ROW_PITCH, 0, 0},
    {"sum.many_rows", "65,537 rows, and all there can be", 3, sum_many_rows, ROW_LESSON, ROW_LAUNCH, 10, 1},
    {"sum.stream", "on the caller's stream, two calls in flight", 3, sum_stream, ROW_LESSON, ROW_LAUNCH, 0,
     0},
    {"sum.launch_error", "the launch's error is returned", 1, sum_launch_error, ROW_LESSON, ROW_LAUNCH, 0, 0},
    {"sum.repeated", "120 calls in one process", 2, sum_repeated, ROW_LESSON, ROW_WRONG, 0, 0},
};

const struct suite row_reduction_suite = {
    .exercise = "row_reduction",
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .not_checked_simulator = "speed, and what only a GPU can show",
    .not_checked_cuda = "races, and reads of memory never written",
};
