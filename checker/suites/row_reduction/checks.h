/* The checks of row_reduction, by stage. */
#ifndef ROW_REDUCTION_CHECKS_H
#define ROW_REDUCTION_CHECKS_H

#include "check/check.h"

typedef void row_check(struct context *context);

row_check scale_by_hand, scale_every_element, scale_pitch;
row_check max_by_hand, max_widths, max_negatives, max_masked, max_pitch;
row_check sum_by_hand, sum_widths, sum_cancelling, sum_accuracy, sum_pitch;

/* conduct.c, repeated.c: the same of each stage. */
row_check scale_many_rows, scale_stream, scale_launch_error, scale_repeated;
row_check max_many_rows, max_stream, max_launch_error, max_repeated;
row_check sum_many_rows, sum_stream, sum_launch_error, sum_repeated;

#endif
