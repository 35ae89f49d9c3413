/* Calls of the functions of an exercise, each by itself, for what counts and what draws them. */
#ifndef BENCH_CALLS_H
#define BENCH_CALLS_H

#include "check/check.h"
#include "workload.h"

/* A shape, a type, and a value of the parameter. */
struct setting {
    struct shape shape;
    enum element_type type;
    int parameter;
};

/* The functions that launch kernels, in the order of the lesson; the operator last. Ends with a null exercise. */
struct operator_part {
    const char *exercise, *name;
    enum function function;
};
extern const struct operator_part operator_parts[];

/* Adds the buffers of a call, by the contract's names, with right contents: a stage gets what the one before it should
 * have left. Of the operator and of normalize y comes back (operand 1, or 3). */
struct arguments call_arguments(struct context *context, struct test_case *test_case,
                                const struct workload *workload, const struct setting *setting,
                                enum function function);

#endif
