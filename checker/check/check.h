/* What a suite of checks is, and what a check may do.
 *
 * A check is a function. It builds a case (buffers, streams, steps), has the runner carry it out, and
 * judges the outcome: by returning, when all is well, or by check_fail, check_todo or check_skip, which
 * do not return. Everything a check gets from these functions belongs to its context and is freed when
 * the check ends, so a check frees nothing.
 *
 * Data flows one way: suite -> case -> runner -> trace and output -> verdict -> report. */
#ifndef SUITE_H
#define SUITE_H

#include "link/protocol.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One running check: its case memory, random numbers and verdict. See context.h for what is in it. */
struct context;

/* ---- what a suite is ---- */

struct check {
    const char *id;    /* "merge.rescale": the stage, a dot, a name */
    const char *title; /* what is looked at, for the report: "maxima 2000 apart" */
    int points;
    void (*run)(struct context *context);
    const char *lesson;  /* file to read when it fails: "docs/a2_split_softmax.md" */
    const char *section; /* heading in that file: "Merging two states" */
    double seconds;      /* time limit for each case; 0: the default of 10 */
    double cost;         /* about how many seconds it takes: the longest are started first; 0: 0.1 */
};

/* Its points are those of its checks. */
struct stage {
    const char *name;  /* "merge" */
    const char *title; /* "stage 2: merge the partial states of a row" */
};

struct suite {
    const char *exercise;
    const struct stage *stages; /* in the order in which a student fills them in */
    size_t stage_count;
    const struct check *checks; /* in the order of the report, stage after stage */
    size_t check_count;
    const char
        *first; /* id of the check that others build on: where it fails, that is told first; null: none */
    const char *not_checked_simulator; /* last line of the report: what the simulator cannot check, */
    const char *not_checked_cuda;      /* and what a GPU run cannot: "memory traffic, races" */
};

/* Every suite there is (suites/suites.c); ends with a null pointer. */
extern const struct suite *const all_suites[];

/* ---- building a case ---- */

struct test_case;

struct test_case *case_new(struct context *context);

/* Another time limit for this case than the check's. */
void case_limit(struct test_case *test_case, double seconds);

/* Adds a buffer of the given size whose first content_bytes bytes are a copy of content and whose rest is
 * poison (0xFF). flags: enum buffer_flag. Returns its index. */
int case_buffer(struct test_case *test_case, const char *name, enum place place, unsigned flags, size_t bytes,
                const void *content, size_t content_bytes);

/* Adds a stream. Returns its index. */
int case_stream(struct test_case *test_case, enum stream_kind kind);

/* What a function is called with. Unused places stay zero: (struct arguments){.number = {chunk}}. An
 * operand that is left zero points at buffer 0; say no_operand() for a null pointer. */
struct arguments {
    int64_t number[4];
    double real[4];
    struct operand operand[4];
};

/* Adds a call of the submission on a stream of the case. Returns the step's index, by which the trace and
 * outcome_return() know it. */
int case_call(struct test_case *test_case, enum function function, int stream, struct arguments arguments);

/* A copy between parts of buffers, on a stream. */
int case_copy_part(struct test_case *test_case, int stream, struct operand to, struct operand from,
                   size_t bytes);

/* The other steps (enum step_kind). Each returns the step's index. Offsets count from the buffers' start. */
int case_fill_slowly(struct test_case *test_case, int stream, int to, int from, size_t bytes);
int case_copy(struct test_case *test_case, int stream, int to, int from, size_t bytes);
int case_wait_stream(struct test_case *test_case, int stream);
int case_wait_device(struct test_case *test_case);
/* Lets the countdown-th (from 1) allocation or launch that follows fail. */
int case_fail(struct test_case *test_case, enum fail_kind kind, int countdown);

/* From here on, of a launch of very many blocks only those run that a sample of so many rows needs (the
 * first, the last, those around 65,536, and drawn ones). What the others would have written is poison. See
 * suites/sampled.h. */
int case_sample(struct test_case *test_case, int64_t rows);

/* In this case, what each instruction asks of memory is noted, or every access too (enum watch); in the simulator alone. */
void case_watch(struct test_case *test_case, unsigned what);

/* Operands: a dense vector or plain pointer; a matrix (type: cudaDataType_t); a null pointer. */
struct operand at_buffer(int buffer, int64_t byte_offset);
struct operand matrix_in(int buffer, int type, int64_t rows, int64_t cols, int64_t pitch);
struct operand vector_in(int buffer, int type, int64_t count, int64_t byte_offset);
struct operand no_operand(void);

/* ---- running it ---- */

enum outcome_status {
    OUTCOME_OK,      /* every step was carried out */
    OUTCOME_CRASH,   /* a signal ended the program */
    OUTCOME_TIMEOUT, /* the time limit passed */
    OUTCOME_ENDED,   /* the submission ended the program itself: exit(0), abort() */
    OUTCOME_DAMAGED, /* the answer made no sense: something wrote over the runner's memory or its socket */
    OUTCOME_UNLOADED /* the submission could not be loaded at all */
};

struct returned_buffer {
    const void *bytes; /* null: it did not come back */
    size_t size;
};

struct outcome {
    enum outcome_status status;
    const char *reason; /* a sentence when status is not OUTCOME_OK */
    const struct returned *returns;
    size_t return_count;
    const struct kernel_trace *kernels;
    size_t kernel_count;
    const struct traffic *traffic;
    size_t traffic_count;
    const struct allocation_trace *allocations;
    size_t allocation_count;
    const struct wait_trace *waits;
    size_t wait_count;
    const struct finding *findings;
    size_t finding_count;
    const struct site_trace *sites;
    size_t site_count;
    const struct touch *touches;
    size_t touch_count;
    bool touches_cut; /* there were more */
    struct returned_buffer buffers[CASE_MAX_BUFFERS];
    double seconds;
    const char *late_before; /* where it timed out: the check in which such a call did so before, or null */
    const struct test_case *test_case; /* what was run */
    int number;                        /* among the outcomes of the check, from 0 */
    const struct outcome *before;
};

/* Has the runner carry out the case; never fails itself: what went wrong is in the outcome. */
const struct outcome *case_run(struct test_case *test_case);

/* The return of a step, or null when it did not come back. */
const struct returned *outcome_return(const struct outcome *outcome, int step);

/* The bytes of a buffer with BUFFER_RETURN. Fails the check when they did not come back whole, so the
 * answer is never null and holds as many bytes as the buffer. */
const void *outcome_buffer(struct context *context, const struct outcome *outcome, int buffer);

/* ---- verdicts ---- */

/* Parts of the message of a failure, said before check_fail; a new case begins without them. Each is one or
 * more whole sentences. where: row, column, chunk, kernel, block. explain: what it usually means. read_next:
 * instead of the check's own lesson.
 */
void locate(struct context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
void explain(struct context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
void read_next(struct context *context, const char *lesson, const char *section);
/* Where make debug is to stop: a byte of a buffer that came back, which is wrong; a call whose result is. */
void point_at(struct context *context, const void *byte);
void point_at_call(struct context *context, int step);
/* As explain, and for what the simulator finds too: the case was built for one mistake. */
void explain_findings(struct context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line for the student that is no verdict ("3 kernels were launched"). */
void check_note(struct context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The check fails: what was found, in a sentence. */
_Noreturn void check_fail(struct context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The stub is not filled in yet. */
_Noreturn void check_todo(struct context *context);

/* What this check looks at is written, but it cannot be seen before something else is: what it waits for. */
_Noreturn void check_waits(struct context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* This runtime cannot look at it. */
_Noreturn void check_skip(struct context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fails the check unless the case ran to its end and nothing but warnings was found. */
void check_clean(struct context *context, const struct outcome *outcome);

/* The same, but leaves out findings of one kind (a check of refusals that looks at them itself, say). */
void check_clean_except(struct context *context, const struct outcome *outcome, enum finding_kind kind);

/* Explains wrong numbers by a warning that was kept back: a shuffle that read a lane which is not there, or a
 * wide load that took unwritten elements along. To read such a value and throw it away is correct, so it is
 * told only where numbers are wrong. Returns false where there was none. */
bool explain_by_warning(struct context *context);

/* Whether such a shuffle was among the warnings. */
bool lanes_were_absent(const struct context *context);

/* A call of the submission that returns a cudaError_t must have returned cudaSuccess: todo for
 * cudaErrorNotSupported, a failure naming the error and the function for all else. */
void check_success(struct context *context, const struct outcome *outcome, int step, const char *function);

/* "cudaErrorInvalidValue" for 1, and so on; "cudaError_t 1234" for one it does not know. */
const char *cuda_error_name(struct context *context, int64_t error);

/* ---- what a check is given ---- */

/* Deterministic random numbers: the same for one seed and one check, whatever ran before. */
uint64_t check_random(struct context *context);
double check_uniform(struct context *context, double low, double high);
double check_normal(struct context *context);

uint64_t check_seed(const struct context *context);
enum runtime check_runtime(const struct context *context);

/* Whether each access of a kernel is seen and counted: the simulator. */
bool accesses_are_seen(const struct context *context);

/* False where a GPU's memory is less than twice these bytes; the simulator takes no memory for what is not touched. */
bool check_has_memory(const struct context *context, uint64_t bytes);

/* Zeroed memory and text that live as long as the check. Never null. */
void *check_memory(struct context *context, size_t bytes);
char *check_text(struct context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
