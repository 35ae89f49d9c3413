/* The checks of fused_softmax, by stage. */
#ifndef FUSED_CHECKS_H
#define FUSED_CHECKS_H

#include "check/check.h"

void row_by_hand(struct context *context);
void row_widths(struct context *context);
void row_far_from_zero(struct context *context);
void row_one_pass(struct context *context);

void rows_each_number(struct context *context);
void rows_last_block(struct context *context);
void rows_grid(struct context *context);
void rows_one_pass(struct context *context);
void rows_many(struct context *context);

void padding_adds_nothing(struct context *context);
void padding_left_alone(struct context *context);
void padding_tutorial(struct context *context);
void padding_far_apart(struct context *context);

void validation_rows_per_block(struct context *context);
void validation_type(struct context *context);
void validation_shape(struct context *context);
void validation_pitch(struct context *context);
void validation_pointers(struct context *context);
void validation_overlap(struct context *context);
void validation_no_rows(struct context *context);

void operator_types(struct context *context);
void operator_rounding(struct context *context);
void operator_constants(struct context *context);
void operator_masked(struct context *context);
void operator_not_finite(struct context *context);
void operator_stream(struct context *context);
void operator_two_calls(struct context *context);
void operator_launch_error(struct context *context);
void operator_repeated(struct context *context); /* repeated.c */

#endif
