/* What a finding usually means, where more is known of it than its kind. */
#ifndef CIRCUMSTANCES_H
#define CIRCUMSTANCES_H

#include "check/check.h"

/* Where a finding's place lies in the matrix that the call was given in that buffer. */
struct matrix_place {
    const struct operand *matrix; /* null: in none */
    int64_t row, col; /* row: rows or more behind the last one; col: cols or more in the padding */
    int64_t before;   /* bytes before the matrix, or 0 */
};

struct matrix_place place_in_matrix(const struct test_case *test_case, const struct finding *finding);

/* The meaning that the call's operands, its allocations and the other access leave, or null: that of the kind. */
const char *meaning_of(struct context *context, const struct outcome *outcome, const struct finding *finding);

#endif
