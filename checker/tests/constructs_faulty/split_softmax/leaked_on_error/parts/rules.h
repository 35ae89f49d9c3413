#ifndef RULES_H
#define RULES_H
#include "matrix.h"
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

#define RULES(RULE)                                                                                          \
    RULE(TYPE, (x->type == CUDA_R_32F || x->type == CUDA_R_16F || x->type == CUDA_R_16BF) && x->type == y->type) \
    RULE(COLS, x->cols >= 1 && x->cols <= 131072)                                                            \
    RULE(ROWS, x->rows >= 0 && x->rows <= INT32_MAX / x->cols)                                               \
    RULE(SHAPE, x->rows == y->rows && x->cols == y->cols && x->pitch == x->cols && y->pitch == y->cols)      \
    RULE(CHUNK, chunk == 256 || chunk == 1024 || chunk == 4096)                                              \
    RULE(EMPTY, x->rows != 0)                                                                                \
    RULE(MEMORY, in_device_memory(x->data) && in_device_memory(y->data))                                     \
    RULE(OVERLAP, apart(x->data, y->data, x->rows * x->cols * (x->type == CUDA_R_32F ? 4 : 2)))

#define NAME(rule, holds) RULE_##rule,
enum rule { RULE_NONE = -1, RULES(NAME) RULE_COUNT };
#undef NAME

static inline bool in_device_memory(const void *p) {
    struct cudaPointerAttributes a;
    bool known = cudaPointerGetAttributes(&a, p) == cudaSuccess;
    if (!known)
        cudaGetLastError();
    return known && (a.type == cudaMemoryTypeDevice || a.type == cudaMemoryTypeManaged);
}
static inline bool apart(const char *a, const char *b, int64_t bytes) { return a < b ? b - a >= bytes : a - b >= bytes; }

static inline enum rule first_broken_rule(const matrix *x, const matrix *y, int chunk) {
#define TEST(rule, holds)                                                                                    \
    if (!(holds))                                                                                            \
        return RULE_##rule;
    RULES(TEST)
#undef TEST
    return RULE_NONE;
}

#ifdef __cplusplus
}
#endif
#endif
