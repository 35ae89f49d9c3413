/* The table of every suite. A new exercise adds its suite here and nowhere else. */
#include "check/check.h"

extern const struct suite online_softmax_suite, fused_softmax_suite, split_softmax_suite;

const struct suite *const all_suites[] = {
    &online_softmax_suite,
    &fused_softmax_suite,
    &split_softmax_suite,
    NULL,
};
