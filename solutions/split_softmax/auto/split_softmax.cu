/* split_softmax by whatever is quickest for the shape: a cluster a row, or two kernels. What each does is told in the
 * variants of that name, `cluster` and `two_kernel`; which is taken, in split_softmax.c. The files here are theirs. */
#include "stages.cuh"

#include "merge_and_normalize.cuh"

#include "row.cuh"
