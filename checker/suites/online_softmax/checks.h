/* The checks of online_softmax, by stage. */
#ifndef ONLINE_CHECKS_H
#define ONLINE_CHECKS_H

#include "check/check.h"

void summarize_by_hand(struct context *context);
void summarize_empty(struct context *context);
void summarize_far_from_zero(struct context *context);
void summarize_masked(struct context *context);
void summarize_not_finite(struct context *context);
void summarize_long(struct context *context);

void merge_by_hand(struct context *context);
void merge_rescale(struct context *context);
void merge_identity(struct context *context);
void merge_trees(struct context *context);
void merge_not_finite(struct context *context);

void streaming_by_hand(struct context *context);
void streaming_chunks(struct context *context);
void streaming_far_from_zero(struct context *context);
void streaming_masked(struct context *context);
void streaming_not_finite(struct context *context);
void streaming_arguments(struct context *context);

#endif
