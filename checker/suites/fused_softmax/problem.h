/* What the checks of fused_softmax share: a matrix of logits, placed in memory with poison on all sides, one
 * call of fused_softmax on it, and the judgement of what came back. */
#ifndef FUSED_PROBLEM_H
#define FUSED_PROBLEM_H

#include "check/check.h"
#include "suites/shared/table.h"

#define FUSED_LESSON "docs/02_fused_softmax.md"

struct problem {
    struct table x; /* its pitch is that of y too */
    int rows_per_block;
    const char *padding; /* what x has there: "NaN", "large numbers" or "zeros" */
    bool y_known;        /* y holds numbers before the call, and not memory never written */
    bool on_stream;      /* problem_run judges which stream the kernels ran on */
    bool explained;      /* the check has said what a wrong result means: no guesses by its numbers */
    double rtol, atol;
};

/* A problem as it lies in a case. */
struct placed {
    int x, y, call;
    size_t guard; /* bytes before and behind y's rows: a spare row at least */
};

/* The pitch that cols needs at least: the next multiple of 4. */
int64_t least_pitch(int64_t cols);

/* Normal logits, padding of NaN, y never written, the tolerances of the type. */
struct problem problem_new(struct context *context, enum element_type type, int64_t rows, int64_t cols,
                           int64_t pitch, int rows_per_block);

/* Adds x and y to a case as buffers, and the call on a stream. */
struct placed problem_add(struct context *context, struct test_case *test_case, const struct problem *problem,
                          int stream);

/* Adds y alone. */
struct placed problem_add_y(struct context *context, struct test_case *test_case,
                            const struct problem *problem);

/* Adds y and the call; x is a buffer of the case that will hold problem_layout() when the call's turn comes. */
struct placed problem_add_output(struct context *context, struct test_case *test_case,
                                 const struct problem *problem, int stream, int x);

/* The bytes of x with its padding; as many as problem_bytes(). */
void *problem_layout(struct context *context, const struct problem *problem);
size_t problem_bytes(const struct problem *problem);

/* Fails the check unless the call succeeded, y is the softmax of x, and all that is not y's rows kept its
 * bytes. */
void problem_check(struct context *context, const struct outcome *outcome, const struct problem *problem,
                   struct placed placed);

/* Where the call refused its arguments, which are valid: what is valid about them that may have been taken for wrong. For check_success. */
void explain_refusal(struct context *context, const struct outcome *outcome, int call, const struct table *x,
                     int64_t pitch);

/* Whether y, which was known, and all around it kept its bytes. */
bool problem_y_is_untouched(struct context *context, const struct outcome *outcome,
                            const struct problem *problem, struct placed placed);

/* Fails the check when a kernel of the call ran on another stream of the case than this one. */
void problem_check_stream(struct context *context, const struct outcome *outcome, int call, int stream);

/* The same of very many rows, a sample of which is walked through (see sampled.h), and of its grid. False:
 * run all. */
bool problem_sample_is_right(struct context *context, const struct problem *problem);

/* All of it: a case of its own on a non-blocking stream. */
const struct outcome *problem_run(struct context *context, const struct problem *problem);

#endif
