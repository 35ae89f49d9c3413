/* What the files of this suite share. suite.c lists the checks; the other files hold them, a stage in each. */
#ifndef SPLIT_SOFTMAX_PARTS_H
#define SPLIT_SOFTMAX_PARTS_H

#include "numbers/oracle.h"
#include "suites/shared/comparison.h"
#include "suites/shared/guarded.h"
#include "suites/shared/table.h"

#define SPLIT_LESSON "docs/a2_split_softmax.md"

enum { SPLIT_MAX_COLS = 131072 };

/* Values of cudaError_t. */
enum {
    RETURNED_SUCCESS = 0,
    RETURNED_INVALID_VALUE = 1,
    RETURNED_OUT_OF_MEMORY = 2,
    RETURNED_NOT_SUPPORTED = 801
};

extern const int split_chunk_sizes[3]; /* 256, 1024, 4096 */

/* ---- plan.c: rows cut into chunks, and the states that are right for them ---- */

int64_t split_chunks(int64_t cols, int chunk);
int64_t split_chunk_length(int64_t cols, int chunk, int64_t index);

/* [rows, chunks] and [rows]: states in FP64. */
struct oracle_state *split_chunk_states(struct context *context, const struct table *x, int chunk);
struct oracle_state *split_row_states(struct context *context, const struct table *x);

/* One field of an array of states. */
double *split_maxima(struct context *context, const struct oracle_state *states, int64_t count);
double *split_sums(struct context *context, const struct oracle_state *states, int64_t count);

/* exp(x - max) / sum with these row states, [rows, cols]. */
double *split_probabilities(struct context *context, const struct table *x, const struct oracle_state *rows);

/* ---- recognise_*.c: mistakes by their numbers ---- */

/* What a wrong element of an output is looked at together with. */
struct split_view {
    const struct table *x;
    int chunk; /* 0: unknown, in the merge */
    int64_t rows, chunks;
    const struct oracle_state *states; /* [rows, chunks] of chunks */
    const struct oracle_state *row;    /* [rows] */
    const void *y;                     /* what came back, in the type of x */
    const void *sums;                  /* and partial_sum, FP32 */
    struct split_mistaken *mistaken;   /* of y: from split_mistaken_new() */
};

diagnosis split_recognise_partial_max, split_recognise_partial_sum;
diagnosis split_recognise_row_max, split_recognise_row_sum;
diagnosis split_recognise_probability;
suspects_of split_suspects_of_max, split_suspects_of_sum, split_suspects_of_row_max,
    split_suspects_of_row_sum, split_suspects_of_probability;
diagnosis split_locate_chunk, split_locate_column;

struct split_mistaken *split_mistaken_new(struct context *context);

/* What the bits of a 16-bit value mean when they are taken for the other 16-bit type. Of FP32: NaN. */
double split_misread(enum element_type type, double value);

/* ---- operator_far.c ---- */

/* Fails the check unless a matrix of more than 4 GiB comes out right; a GPU with too little memory does without. */
void split_expect_far_rows(struct context *context);

/* ---- operator_case.c: a whole call and its verdict ---- */

/* Tolerance of y against FP64, by type. */
void split_tolerance(enum element_type type, double *rtol, double *atol);

/* Compares y, [rows, cols] in the type of x, with the oracle; and as nearly as one rounding to the type, to
 * nearest even, comes to it. */
void split_compare_y(struct context *context, const struct table *x, int chunk, const void *y);
void split_compare_rounding(struct context *context, const struct table *x, int chunk, const void *y);

/* Adds split_softmax(x, y, chunk) to a case. Returns the step. */
int split_call(struct test_case *test_case, int stream, struct operand x, struct operand y, int chunk);

/* A stream of the trace in words: "the default stream". */
const char *split_stream_text(struct context *context, int32_t stream);

/* Fails the check unless every kernel of this step was launched on this stream. Returns how many there were. */
size_t split_check_stream(struct context *context, const struct outcome *outcome, int step, int stream);

/* Fails the check where cudaMallocAsync or cudaFreeAsync was given another stream. */
void split_check_scratch_stream(struct context *context, const struct allocation_trace *allocation,
                                int stream);

/* Both of them for a call of the operator on x. To be made before check_clean: where a kernel ran past the
 * end of scratch that is too small, it says so. */
void split_check_call(struct context *context, const struct outcome *outcome, int step, int stream,
                      const struct table *x, int chunk);

/* Runs split_softmax on x for each of `count` chunk sizes, in one case on a non-blocking stream, and judges
 * findings, returns and numbers. Returns the outcome. */
const struct outcome *split_expect_softmax(struct context *context, const struct table *x, const int *chunks,
                                           int count, size_t guard);

/* ---- stage_case.c: a stage alone ---- */

/* Runs one call of a stage, with all its operands in the case, on a non-blocking stream of its own. The check
 * fails unless the call is clean and succeeds. streams: also unless it launches on that stream alone, and
 * returns the error of a launch that is made to fail; one check of each stage looks at that. */
const struct outcome *split_run_stage(struct context *context, struct test_case *test_case,
                                      enum function function, struct arguments arguments, bool streams,
                                      const char *name);

/* Runs one call of a stage for 2^31 - 1 rows of one column, and fails the check where the device would refuse
 * what is asked of it. The operands may lie in memory of any size. On a GPU it does nothing. */
void split_expect_launchable(struct context *context, struct test_case *test_case, enum function function,
                             struct arguments arguments, const char *name);

/* ---- refusal.c: calls that have to be refused ---- */

/* x and y lie in these buffers of a case, which are large enough for any of the operands; see refusal.c. */
struct refusal {
    const char *what; /* "cols is 0" */
    struct operand x, y;
    int chunk;
};

enum refusal_buffer {
    REFUSAL_X,
    REFUSAL_Y,
    REFUSAL_HOST,
    REFUSAL_MANAGED,
    REFUSAL_VALID_Y,
    REFUSAL_PINNED,
    REFUSAL_FAR
};

/* A valid call to make one rule of it wrong: 2 x 6 in FP32, chunk size 256. */
struct refusal split_valid_call(const char *what);

/* Has each call made, and after them a valid one. Fails the check unless each returned cudaErrorInvalidValue
 * and left everything alone, and the valid one was not refused. todo when
 * no rule is written yet. */
void split_expect_refusals(struct context *context, const struct refusal *refusals, int count);

/* Ends the check as todo where valid arguments still get cudaErrorNotSupported, and says what it waits for. */
void split_need_operator(struct context *context);

/* ---- the checks ---- */

typedef void split_check(struct context *context);

split_check split_partials_by_hand, split_partials_tail, split_partials_negatives, split_partials_half_sums,
    split_partials_masked, split_partials_random;
split_check split_merge_by_hand, split_merge_rescale, split_merge_identity, split_merge_widths,
    split_merge_rows;
split_check split_normalize_by_hand, split_normalize_columns, split_normalize_state, split_normalize_rounding,
    split_normalize_masked;
split_check split_validation_plan, split_validation_size, split_validation_type, split_validation_chunk,
    split_validation_pitch, split_validation_memory, split_validation_overlap, split_validation_empty,
    split_validation_many_rows;
split_check split_operator_shapes, split_operator_values, split_operator_row_sums, split_operator_special,
    split_operator_cap, split_operator_blocks;
split_check split_operator_stream, split_operator_two_calls, split_operator_scratch, split_operator_waits,
    split_operator_on_stream, split_operator_errors, split_operator_repeated;

#endif
