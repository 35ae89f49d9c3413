/* The table of every suite. A new exercise adds its suite here and nowhere else. */
#include "../suite.h"

const struct suite *const all_suites[] = {
    NULL,
};
