/* Rows that lie 2^30 elements apart, which is a valid pitch. */
#ifndef ROW_REDUCTION_FAR_APART_H
#define ROW_REDUCTION_FAR_APART_H

#include "row_problem.h"

/* row * pitch is more than an int holds from the third row on. On a GPU with too little memory
 * for that it does nothing. */
void run_far_apart(struct context *context, enum function function);

#endif
