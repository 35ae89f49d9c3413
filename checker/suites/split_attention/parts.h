/* What the files of this suite share. suite.c lists the checks; the other files hold them, a stage in each. */
#ifndef SPLIT_ATTENTION_PARTS_H
#define SPLIT_ATTENTION_PARTS_H

#include "numbers/oracle.h"
#include "suites/shared/comparison.h"
#include "suites/shared/guarded.h"
#include "suites/shared/suspects.h"
#include "suites/shared/table.h"

#define ATTENTION_LESSON "docs/a3_split_attention.md"

/* Sections of the lesson. */
#define SECTION_PLAN "The plan: chunks and scratch bytes"
#define SECTION_OWNERSHIP "Ownership"
#define SECTION_SCORES "Scores"
#define SECTION_PARTIALS "Stage 1: partials"
#define SECTION_MERGE "Stage 2: merge"
#define SECTION_VALIDATION "Validation"
#define SECTION_STREAMS "Scratch and streams"
#define SECTION_NUMBERS "Numbers"
#define SECTION_MEMORY "What is never written"
#define SECTION_WRONG "What goes wrong"

enum { ATTENTION_MAX_LENGTH = 131072, MOST_DIM = 128 };

/* Values of cudaError_t. */
enum {
    RETURNED_SUCCESS = 0,
    RETURNED_INVALID_VALUE = 1,
    RETURNED_OUT_OF_MEMORY = 2,
    RETURNED_NOT_SUPPORTED = 801
};

extern const int attention_chunk_sizes[3]; /* 64, 256, 1024 */
extern const int attention_dims[2];        /* 64, 128 */

/* ---- inputs.c: inputs, and what is right for them in FP64 ---- */

struct problem {
    enum element_type type;
    int64_t heads, length, chunks;
    int dim, chunk;
    bool has_bias;
    struct table q;    /* [heads, dim] */
    struct table k, v; /* [heads * length, dim] */
    struct table bias; /* [heads, length], FP32; no elements where there is none */
};

/* All zeros, but for bias, which is there and 0. */
struct problem attention_new(struct context *context, enum element_type type, int64_t heads, int64_t length,
                             int dim, int chunk);
/* The same, with normal values in all four. */
struct problem attention_drawn(struct context *context, enum element_type type, int64_t heads, int64_t length,
                               int dim, int chunk);
void attention_without_bias(struct problem *problem);

void attention_set_bias(struct problem *problem, int64_t head, int64_t key, double value);
/* Every element of a head's query, or of one row of k or v. */
void attention_fill_q(struct problem *problem, int64_t head, double value);
void attention_fill_row(struct table *rows, const struct problem *problem, int64_t head, int64_t key,
                        double value);

int64_t attention_chunk_length(const struct problem *problem, int64_t index);
double attention_dot(const struct problem *problem, int64_t head, int64_t key);
double attention_bias(const struct problem *problem, int64_t head, int64_t key);

struct truth {
    const double *scores;              /* [heads, length] */
    const struct oracle_state *states; /* [heads, chunks] */
    const double *error;          /* [heads, chunks]: what a score may be off by in FP32, E of the header */
    const double *values, *sizes; /* [heads, chunks, dim]: sum of exp(score - max) * v, and of * |v| */
    const double *y;              /* [heads, dim] */
    const double *largest;        /* [heads]: max |v| */
};

struct truth attention_truth(struct context *context, const struct problem *problem);

/* What y may be off by, [heads, dim]. once: no more than one rounding to the type, and what FP32 adds to it. */
const double *attention_tolerance(struct context *context, enum element_type type, const double *y,
                                  const double *largest, int64_t heads, int dim);

/* ---- recognise_*.c: mistakes by their numbers ---- */

/* What a wrong element of an output is looked at together with. */
struct view {
    const struct problem *problem; /* null in the merge */
    const struct truth *truth;     /* null in the merge */
    int64_t heads, chunks;
    int dim, chunk; /* chunk 0: unknown, in the merge */
    enum element_type type;
    const struct oracle_state *states; /* [heads, chunks] */
    const double *values;              /* [heads, chunks, dim] */
    const void *maxima;                /* what came back of stage 1 */
};

diagnosis attention_recognise_partial_max, attention_recognise_partial_sum, attention_recognise_partial_value,
    attention_recognise_y;
diagnosis attention_locate_chunk, attention_locate_value, attention_locate_y;

/* Explains one number by the first suspect whose value it has. Suspects that would give the right value too are passed over,
 * since they explain nothing. Returns false where none matches. */
bool attention_recognise(struct context *context, double got, double right, const struct suspect *suspects,
                         size_t count);

/* Explains y by what the states of its chunks give when they are merged wrongly. Returns false where none does. */
bool attention_recognise_merge(struct context *context, const struct view *view, int64_t head, int64_t col,
                               double got, double right);

/* ---- operator_case.c: a whole call and its verdict ---- */

/* Buffers of a case that hold a problem; bias is a null pointer where there is none. */
struct inputs {
    struct operand k, v, q, bias;
};

struct inputs attention_inputs_add(struct context *context, struct test_case *test_case,
                                   const struct problem *problem, const char *number);
void attention_inputs_check_unchanged(struct context *context, const struct outcome *outcome,
                                      const struct problem *problem, const struct inputs *inputs,
                                      const char *function);

/* Adds split_attention to a case. Returns the step. */
int attention_call(struct test_case *test_case, int stream, const struct problem *problem,
                   const struct inputs *inputs, struct operand y);
struct arguments attention_arguments(const struct problem *problem, const struct inputs *inputs,
                                     struct operand y);

void attention_compare_y(struct context *context, const struct problem *problem, const void *y);

/* "2 heads of 65 keys, dim 64, chunk 256, FP16" */
const char *attention_text(struct context *context, const struct problem *problem);

/* Fails the check unless every kernel of this step was launched on this stream. Returns how many there were. */
size_t attention_check_stream(struct context *context, const struct outcome *outcome, int step, int stream);

/* Fails the check where cudaMallocAsync or cudaFreeAsync was given another stream. */
void attention_check_scratch_stream(struct context *context, const struct allocation_trace *allocation,
                                    int stream);

/* Both of them for a call of the operator. To be made before check_clean: where a kernel ran past the end of
 * scratch that is too small, it says so. */
void attention_check_call(struct context *context, const struct outcome *outcome, int step, int stream,
                          const struct problem *problem);

/* Bytes of scratch that the contract plans for. */
uint64_t attention_planned(const struct problem *problem);

/* Runs split_attention in a case of its own on a non-blocking stream, and judges findings, return and numbers. */
const struct outcome *attention_expect(struct context *context, const struct problem *problem, size_t guard);

/* ---- stage_case.c: a stage alone ---- */

/* Runs one call of a stage, with all its operands in the case, on a non-blocking stream of its own. The check
 * fails unless the call is clean and succeeds. streams: also unless it launches on that stream alone, and
 * returns the error of a launch that is made to fail; one check of each stage looks at that. */
const struct outcome *attention_run_stage(struct context *context, struct test_case *test_case,
                                          enum function function, struct arguments arguments, bool streams,
                                          const char *name);

/* Runs one call of a stage for as many heads as there can be, and fails the check where the device would refuse
 * what is asked of it. The operands may lie in memory of any size. On a GPU it does nothing. */
void attention_expect_launchable(struct context *context, struct test_case *test_case, enum function function,
                                 struct arguments arguments, const char *name);

/* ---- refusal.c: calls that have to be refused ---- */

/* Everything that split_attention is called with. The operands' buffers are of enum refusal_buffer. */
struct refusal {
    const char *what; /* "length is 0" */
    struct inputs inputs;
    struct operand y;
    int type;
    int64_t heads, length, dim, chunk;
};

enum refusal_buffer {
    REFUSAL_Q,
    REFUSAL_K,
    REFUSAL_V,
    REFUSAL_BIAS,
    REFUSAL_Y,
    REFUSAL_HOST,
    REFUSAL_PINNED,
    REFUSAL_MANAGED,
    REFUSAL_VALID_Y,
    REFUSAL_FAR
};

/* A valid call to make one rule of it wrong: 2 heads of 3 keys, dim 64, FP32, chunk 64, with a bias. */
struct refusal attention_valid_call(const char *what);
struct refusal attention_valid_call_of(const char *what, int type, int64_t heads, int64_t length,
                                       int64_t dim);

int attention_refusal_call(struct test_case *test_case, int stream, const struct refusal *refusal);

/* Adds the buffers of enum refusal_buffer to a case, in its order. */
void attention_refusal_buffers(struct context *context, struct test_case *test_case);

/* Has each call made, and after them a valid one. Fails the check unless each returned cudaErrorInvalidValue
 * and left everything alone, and the valid one was not refused. todo when no rule is written yet. */
void attention_expect_refusals(struct context *context, const struct refusal *refusals, int count);

/* Ends the check as todo where valid arguments still get cudaErrorNotSupported, and says what it waits for. */
void attention_need_operator(struct context *context);

/* ---- the checks ---- */

typedef void attention_check(struct context *context);

attention_check attention_partials_by_hand, attention_partials_scores, attention_partials_tail,
    attention_partials_dominant, attention_partials_masked, attention_partials_sums,
    attention_partials_random;
attention_check attention_merge_by_hand, attention_merge_rescale, attention_merge_identity,
    attention_merge_widths, attention_merge_heads, attention_merge_rounding;
attention_check attention_validation_plan, attention_validation_type, attention_validation_chunk,
    attention_validation_size, attention_validation_memory, attention_validation_overlap,
    attention_validation_empty, attention_validation_many_heads;
attention_check attention_operator_shapes, attention_operator_values, attention_operator_special,
    attention_operator_traffic, attention_operator_blocks, attention_operator_stream,
    attention_operator_two_calls, attention_operator_scratch, attention_operator_waits,
    attention_operator_on_stream, attention_operator_errors, attention_operator_repeated;

#endif
