/* The whole operator: streams, scratch and errors, which its trace shows. */
#include "parts.h"
#include "suites/shared/recovery.h"

#include <string.h>

#define FUNCTION "split_attention"

enum { HEADS = 2, LENGTH = 325, DIM = 64 };

/* ---- numbers that come out right only in stream order ---- */

/* k is filled by a slow producer on the stream, after the call has been queued behind it. */
struct producer {
    struct problem problem;
    struct inputs inputs;
    int source, stream, step;
    struct guarded y;
};

static struct producer add_producer(struct context *context, struct test_case *test_case, const char *number,
                                    enum element_type type, int chunk) {
    struct producer producer = {.problem = attention_drawn(context, type, HEADS, LENGTH, DIM, chunk)};
    const struct problem *problem = &producer.problem;
    const size_t bytes = table_bytes(&problem->k);
    attention_without_bias(&producer.problem);
    producer.inputs = attention_inputs_add(context, test_case, problem, number);
    producer.source = producer.inputs.k.buffer;
    producer.inputs.k.buffer = case_buffer(test_case, check_text(context, "k%s in time", number),
                                           PLACE_DEVICE, BUFFER_RETURN, bytes, NULL, 0);
    producer.y = guarded_add(test_case, check_text(context, "y%s", number), type, HEADS * DIM, NO_GUARD);
    producer.stream = case_stream(test_case, STREAM_NONBLOCKING);
    return producer;
}

static void start_producer(struct test_case *test_case, struct producer *producer) {
    case_fill_slowly(test_case, producer->stream, producer->inputs.k.buffer, producer->source,
                     table_bytes(&producer->problem.k));
    producer->step = attention_call(test_case, producer->stream, &producer->problem, &producer->inputs,
                                    guarded_matrix(producer->y, HEADS, DIM));
}

/* To be made before check_clean. */
static void check_producer_call(struct context *context, const struct outcome *outcome,
                                const struct producer *producer) {
    attention_check_call(context, outcome, producer->step, producer->stream, &producer->problem);
}

static void judge_producer(struct context *context, const struct outcome *outcome,
                           const struct producer *producer) {
    check_success(context, outcome, producer->step, FUNCTION);
    attention_inputs_check_unchanged(context, outcome, &producer->problem, &producer->inputs, FUNCTION);
    attention_compare_y(context, &producer->problem,
                        guarded_elements(context, outcome, producer->y, FUNCTION));
}

void attention_operator_stream(struct context *context) {
    for (int i = 0; i < 3; i++) {
        struct test_case *test_case = case_new(context);
        struct producer producer =
            add_producer(context, test_case, "", supported_types[i], attention_chunk_sizes[i]);
        start_producer(test_case, &producer);
        case_wait_stream(test_case, producer.stream);
        const struct outcome *outcome = case_run(test_case);
        check_producer_call(context, outcome, &producer);
        check_clean(context, outcome);
        judge_producer(context, outcome, &producer);
    }
}

/* Two calls are queued on two streams before either has run: each needs scratch of its own. Then two on one stream,
 * one after the other. */
void attention_operator_two_calls(struct context *context) {
    enum { CALLS = 3, CHUNK = 64 };
    static const char *const numbers[CALLS] = {"1", "2", "3"};
    struct test_case *test_case = case_new(context);
    struct producer producers[CALLS];
    for (int i = 0; i < CALLS; i++)
        producers[i] = add_producer(context, test_case, numbers[i], TYPE_FP32, CHUNK);
    producers[2].stream = producers[0].stream;
    for (int i = 0; i < CALLS; i++)
        start_producer(test_case, &producers[i]);
    case_wait_device(test_case);
    const struct outcome *outcome = case_run(test_case);
    for (int i = 0; i < CALLS; i++)
        check_producer_call(context, outcome, &producers[i]);
    check_clean(context, outcome);
    for (int i = 0; i < CALLS; i++)
        judge_producer(context, outcome, &producers[i]);
}

/* ---- what the trace of one call shows ---- */

struct traced {
    struct problem problem;
    const struct outcome *outcome;
    int step, stream;
    struct guarded y;
};

/* What a call is to be like. failure 0: undisturbed; else the failure-th launch or allocation fails. */
struct wanted {
    enum element_type type;
    int64_t length;
    int dim, chunk;
    enum fail_kind kind;
    int failure;
    enum stream_kind stream;
};

/* One call, on a stream among other streams. */
static struct traced trace_call(struct context *context, struct wanted wanted) {
    struct traced traced = {
        .problem = attention_drawn(context, wanted.type, HEADS, wanted.length, wanted.dim, wanted.chunk)};
    struct test_case *test_case = case_new(context);
    const struct inputs inputs = attention_inputs_add(context, test_case, &traced.problem, "");
    traced.y = guarded_add(test_case, "y", wanted.type, (size_t)(HEADS * wanted.dim), NO_GUARD);
    case_stream(test_case, STREAM_NONBLOCKING); /* not the one to use */
    traced.stream = case_stream(test_case, wanted.stream);
    if (wanted.failure > 0)
        case_fail(test_case, wanted.kind, wanted.failure);
    traced.step = attention_call(test_case, traced.stream, &traced.problem, &inputs,
                                 guarded_matrix(traced.y, HEADS, wanted.dim));
    case_wait_stream(test_case, traced.stream);
    traced.outcome = case_run(test_case);
    return traced;
}

static struct wanted plainly(enum element_type type, int64_t length, int dim, int chunk) {
    return (struct wanted){
        .type = type, .length = length, .dim = dim, .chunk = chunk, .stream = STREAM_BLOCKING};
}

/* The caller's stream may be the default stream, whose handle is 0. */
static void expect_default_stream_accepted(struct context *context) {
    struct wanted wanted = plainly(TYPE_FP32, LENGTH, DIM, 256);
    wanted.stream = STREAM_LEGACY;
    const struct traced traced = trace_call(context, wanted);
    const struct returned *returned = outcome_return(traced.outcome, traced.step);
    if (returned != NULL && returned->value == RETURNED_INVALID_VALUE)
        check_fail(context, FUNCTION " refused the default stream (0), which is a stream as any other.");
    attention_check_stream(context, traced.outcome, traced.step, traced.stream);
    check_clean(context, traced.outcome);
    check_success(context, traced.outcome, traced.step, FUNCTION);
    attention_compare_y(context, &traced.problem,
                        guarded_elements(context, traced.outcome, traced.y, FUNCTION));
}

/* How many there are is up to the student: a stage may be one kernel or two, or two stages one. */
static void note_kernels(struct context *context, const struct traced *traced) {
    const char *list = "";
    for (size_t i = 0; i < traced->outcome->kernel_count; i++) {
        const struct kernel_trace *kernel = &traced->outcome->kernels[i];
        if (kernel->step == traced->step)
            list = check_text(context, "%s%s%s (%u blocks of %u threads)", list, list[0] ? ", " : "",
                              kernel->name, kernel->grid[0] * kernel->grid[1] * kernel->grid[2],
                              kernel->block[0] * kernel->block[1] * kernel->block[2]);
    }
    check_note(context, "Launched for %s; how many kernels is up to you: %s.",
               attention_text(context, &traced->problem), list);
}

void attention_operator_on_stream(struct context *context) {
    const struct traced traced = trace_call(context, plainly(TYPE_FP32, LENGTH, DIM, 64));
    check_success(context, traced.outcome, traced.step, FUNCTION);
    const size_t launched = attention_check_stream(context, traced.outcome, traced.step, traced.stream);
    check_clean(context, traced.outcome);
    if (launched == 0)
        check_fail(context, FUNCTION " returned cudaSuccess and launched nothing.");
    note_kernels(context, &traced);
    expect_default_stream_accepted(context);
}

static void expect_no_waits(struct context *context, struct wanted wanted) {
    const struct traced traced = trace_call(context, wanted);
    locate(context, "%s.", attention_text(context, &traced.problem));
    check_success(context, traced.outcome, traced.step, FUNCTION);
    for (size_t i = 0; i < traced.outcome->wait_count; i++) {
        const struct wait_trace *wait = &traced.outcome->waits[i];
        if (wait->step != traced.step)
            continue;
        explain(context, "The order of the stream is all that the stages need. cudaDeviceSynchronize and its "
                         "kin wait, and cudaMalloc, cudaFree and cudaMemcpy do so implicitly.");
        check_fail(context, FUNCTION " called %s: %s. No call in it may wait for the device.", wait->call,
                   wait->reason);
    }
    check_clean(context, traced.outcome);
}

/* In each type, dim and chunk size, and for keys that somebody may find many. */
void attention_operator_waits(struct context *context) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            expect_no_waits(context, plainly(supported_types[i], LENGTH, attention_dims[(i + j) % 2],
                                             attention_chunk_sizes[j]));
    expect_no_waits(context, plainly(TYPE_FP16, 8192, 64, 64));
}

/* One allocation of the call: stream-ordered, on the stream, and freed there. */
static void judge_allocation(struct context *context, const struct traced *traced,
                             const struct allocation_trace *allocation) {
    const unsigned long long bytes = allocation->bytes;
    if (!allocation->ordered)
        check_fail(context,
                   FUNCTION
                   " allocated %llu bytes with cudaMalloc, which may wait for the device; scratch comes "
                   "from cudaMallocAsync on the caller's stream.",
                   bytes);
    attention_check_scratch_stream(context, allocation, traced->stream);
    if (allocation->freed == 0)
        check_fail(context, FUNCTION " did not free %llu bytes of scratch: every call leaks them.", bytes);
    if (allocation->freed == 2)
        check_fail(context,
                   FUNCTION " freed its scratch with a call that waits for the device; cudaFreeAsync on the "
                            "caller's stream does not.");
}

static void expect_scratch(struct context *context, struct wanted wanted) {
    const struct traced traced = trace_call(context, wanted);
    locate(context, "%s.", attention_text(context, &traced.problem));
    check_success(context, traced.outcome, traced.step, FUNCTION);
    uint64_t bytes = 0, count = 0;
    const uint64_t planned = attention_planned(&traced.problem);
    for (size_t i = 0; i < traced.outcome->allocation_count; i++) {
        const struct allocation_trace *allocation = &traced.outcome->allocations[i];
        if (allocation->step != traced.step)
            continue;
        judge_allocation(context, &traced, allocation);
        bytes += allocation->bytes;
        count++;
    }
    check_clean(context, traced.outcome);
    if (count == 0 && traced.problem.chunks > 1) /* of one chunk, one kernel can do it all */
        check_fail(context,
                   FUNCTION " allocated no scratch. The states have to lie somewhere, and each call needs a "
                            "place of its own for them: cudaMallocAsync on the caller's stream.");
    if (bytes > planned + 256 * count)
        check_fail(context,
                   FUNCTION
                   " allocated %llu bytes of scratch; 4 * heads * T * (dim + 2) = %llu are needed, and 256 "
                   "more for each allocation are allowed.",
                   (unsigned long long)bytes, (unsigned long long)planned);
}

void attention_operator_scratch(struct context *context) {
    for (int j = 0; j < 3; j++)
        for (int d = 0; d < 2; d++) {
            expect_scratch(context, plainly(TYPE_FP32, LENGTH, attention_dims[d], attention_chunk_sizes[j]));
            expect_scratch(context, plainly(TYPE_FP16, 3 * attention_chunk_sizes[j] + 1, attention_dims[d],
                                            attention_chunk_sizes[j]));
        }
}

/* ---- errors ---- */

static size_t count_launches(const struct traced *traced) {
    size_t count = 0;
    for (size_t i = 0; i < traced->outcome->kernel_count; i++)
        count += traced->outcome->kernels[i].step == traced->step;
    return count;
}

static size_t count_allocations(const struct traced *traced) {
    size_t count = 0;
    for (size_t i = 0; i < traced->outcome->allocation_count; i++)
        count += traced->outcome->allocations[i].step == traced->step;
    return count;
}

/* The stage behind a launch that failed may be launched all the same, and read what it would have written: no fault,
 * since the caller is told that there is no result. */
static void judge_failure(struct context *context, const struct traced *traced, const char *what,
                          int64_t error) {
    const struct returned *returned = outcome_return(traced->outcome, traced->step);
    locate(context, "%s was made to fail.", what);
    if (returned == NULL)
        check_clean(context, traced->outcome);
    else if (returned->value == RETURNED_SUCCESS) {
        explain(
            context,
            "Every launch is followed by cudaGetLastError, every allocation returns its error, and the first "
            "error is what the caller gets.");
        check_fail(context, FUNCTION " returned cudaSuccess although %s failed.", what);
    } else if (error != 0 && returned->value != error)
        check_fail(context, FUNCTION " returned %s where %s failed; %s is expected.",
                   cuda_error_name(context, returned->value), what, cuda_error_name(context, error));
    for (size_t i = 0; i < traced->outcome->allocation_count; i++) {
        const struct allocation_trace *allocation = &traced->outcome->allocations[i];
        if (allocation->step != traced->step || allocation->failed)
            continue;
        attention_check_scratch_stream(context, allocation, traced->stream);
        if (allocation->freed == 2)
            check_fail(context,
                       FUNCTION " freed its scratch with a call that waits for the device when %s failed; "
                                "cudaFreeAsync on the caller's stream does not.",
                       what);
        if (allocation->freed)
            continue;
        explain(
            context,
            "There is a way out of the function that does not pass cudaFreeAsync. Let there be one way out.");
        check_fail(context, FUNCTION " leaked %llu bytes of scratch when %s failed.",
                   (unsigned long long)allocation->bytes, what);
    }
    check_clean_except(context, traced->outcome, FINDING_UNINITIALISED);
}

/* A call after one in which launch number `which` failed: what is wrong with it is over. */
static void expect_recovery(struct context *context, enum element_type type, int chunk, size_t which) {
    struct test_case *test_case = case_new(context);
    struct producer failing = add_producer(context, test_case, "1", type, chunk);
    struct producer next = add_producer(context, test_case, "2", type, chunk);
    case_fail(test_case, FAIL_LAUNCH, (int)which);
    start_producer(test_case, &failing);
    case_wait_stream(test_case, failing.stream);
    start_producer(test_case, &next);
    case_wait_stream(test_case, next.stream);
    check_recovered(context, case_run(test_case), next.step, FUNCTION,
                    check_text(context,
                               "The call after one whose launch %zu was made to fail, %s, chunk size %d.",
                               which, element_name(type), chunk));
}

/* Each launch and each allocation of a call is made to fail in turn; how many there are, an undisturbed call of the
 * same kind says. */
static void expect_errors(struct context *context, enum element_type type, int dim, int chunk) {
    enum { MOST = 12 };
    struct wanted wanted = plainly(type, LENGTH, dim, chunk);
    const struct traced undisturbed = trace_call(context, wanted);
    check_clean(context, undisturbed.outcome);
    check_success(context, undisturbed.outcome, undisturbed.step, FUNCTION);
    const size_t launches = count_launches(&undisturbed), allocations = count_allocations(&undisturbed);
    wanted.kind = FAIL_ALLOCATION;
    for (size_t i = 1; i <= allocations && i <= MOST; i++) {
        wanted.failure = (int)i;
        const struct traced traced = trace_call(context, wanted);
        judge_failure(context, &traced, check_text(context, "allocation %zu of %zu", i, allocations),
                      RETURNED_OUT_OF_MEMORY);
    }
    wanted.kind = FAIL_LAUNCH;
    for (size_t i = 1; i <= launches && i <= MOST; i++) {
        wanted.failure = (int)i;
        const struct traced traced = trace_call(context, wanted);
        judge_failure(context, &traced, check_text(context, "launch %zu of %zu", i, launches), 0);
        expect_recovery(context, type, chunk, i);
    }
}

void attention_operator_errors(struct context *context) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            expect_errors(context, supported_types[i], attention_dims[(i + j) % 2], attention_chunk_sizes[j]);
}
