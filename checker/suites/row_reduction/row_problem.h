/* What the checks of row_reduction share: a matrix, placed in memory, one call of row_scale, row_max or
 * row_sum on it, and the judgement of what came back. */
#ifndef ROW_PROBLEM_H
#define ROW_PROBLEM_H

#include "check/check.h"
#include "suites/shared/table.h"

#define ROW_LESSON "docs/a0_row_reduction.md"
#define ROW_SCALE "Stage 1: scale"
#define ROW_MAX "Stage 2: max"
#define ROW_SUM "Stage 3: sum"
#define ROW_PITCH "Rows and pitch"
#define ROW_NUMBERS "How far a sum is off"
#define ROW_LAUNCH "Launch, stream, error"
#define ROW_WRONG "What goes wrong"

enum { ROW_OUTPUT_BEFORE = 0x2A /* each byte of an output that is known before the call: 1.5e-13 */ };

struct row_problem {
    enum function function; /* FUNCTION_ROW_SCALE, FUNCTION_ROW_MAX or FUNCTION_ROW_SUM */
    struct table x;         /* FP32 */
    double factor;          /* of row_scale */
    double padding;         /* what x has in its padding */
    bool guarded;           /* memory that nobody may write lies on both sides of the output */
    bool output_known;      /* the output holds numbers before the call, and not memory never written */
    bool explained;         /* the check has said what a wrong result means: no guesses by its numbers */
};

/* A problem as it lies in a case. */
struct row_placed {
    int x, output, call;
    size_t guard; /* bytes before and behind the output */
};

const char *row_problem_function(const struct row_problem *problem); /* "row_max" */

/* Normal values, padding of NaN, factor -1.25. */
struct row_problem row_problem_new(struct context *context, enum function function, int64_t rows,
                                   int64_t cols, int64_t pitch);

/* x with its padding: the bytes, and how many. */
void *row_problem_layout(struct context *context, const struct row_problem *problem);
size_t row_problem_bytes(const struct row_problem *problem);

/* Adds x, the output and the call on a stream to a case; or what is left of it where the case has x, and
 * fills it before the call. */
struct row_placed row_problem_add(struct context *context, struct test_case *test_case,
                                  const struct row_problem *problem, int stream);
struct row_placed row_problem_add_output(struct context *context, struct test_case *test_case,
                                         const struct row_problem *problem, int stream, int x);

/* Right results: [rows, cols] for row_scale, else [rows]. */
double *row_problem_expected(struct context *context, const struct row_problem *problem);

/* Fails the check unless the call succeeded, its output is right, and all around it kept its bytes. */
void row_problem_check(struct context *context, const struct outcome *outcome,
                       const struct row_problem *problem, struct row_placed placed);

/* All of it: a case of its own on a non-blocking stream. */
const struct outcome *row_problem_run(struct context *context, const struct row_problem *problem);

/* The same of very many rows, a sample of which is walked through where that shows enough (see
 * suites/shared/sampled.h). */
void row_problem_run_sampled(struct context *context, const struct row_problem *problem);

#endif
