/* The whole operator: streams, scratch and errors, which its trace shows. */
#include "parts.h"
#include "suites/shared/recovery.h"

#define FUNCTION "split_softmax"

enum { ROWS = 3, COLS = 1025 };

/* ---- numbers that come out right only in stream order ---- */

/* x is filled by a slow producer on the stream, after the call has been queued behind it. */
struct producer {
    struct table x;
    int source, input, stream, step;
    struct guarded y;
};

static struct producer add_producer(struct context *context, struct test_case *test_case, const char *number,
                                    enum element_type type, double mean) {
    struct producer producer = {.x = table_new(context, type, ROWS, COLS, COLS)};
    table_fill_normal(context, &producer.x, mean, 2);
    size_t bytes = table_bytes(&producer.x);
    producer.source = case_buffer(test_case, check_text(context, "source%s", number), PLACE_DEVICE,
                                  BUFFER_READ_ONLY, bytes, table_layout(context, &producer.x), bytes);
    producer.input = case_buffer(test_case, check_text(context, "x%s", number), PLACE_DEVICE, BUFFER_RETURN,
                                 bytes, NULL, 0);
    producer.y = guarded_add(test_case, check_text(context, "y%s", number), type, ROWS * COLS, NO_GUARD);
    producer.stream = case_stream(test_case, STREAM_NONBLOCKING);
    return producer;
}

static void start_producer(struct test_case *test_case, struct producer *producer, int chunk) {
    case_fill_slowly(test_case, producer->stream, producer->input, producer->source,
                     table_bytes(&producer->x));
    producer->step = split_call(test_case, producer->stream, table_operand(&producer->x, producer->input, 0),
                                guarded_matrix(producer->y, ROWS, COLS), chunk);
}

/* To be made before check_clean. */
static void check_producer_call(struct context *context, const struct outcome *outcome,
                                const struct producer *producer, int chunk) {
    split_check_call(context, outcome, producer->step, producer->stream, &producer->x, chunk);
}

static void judge_producer(struct context *context, const struct outcome *outcome,
                           const struct producer *producer, int chunk) {
    check_success(context, outcome, producer->step, FUNCTION);
    table_check_unchanged(context, outcome, &producer->x, producer->input, FUNCTION);
    split_compare_y(context, &producer->x, chunk, guarded_elements(context, outcome, producer->y, FUNCTION));
}

void split_operator_stream(struct context *context) {
    for (int i = 0; i < 3; i++) {
        int chunk = split_chunk_sizes[i];
        struct test_case *test_case = case_new(context);
        struct producer producer = add_producer(context, test_case, "", supported_types[i], 0);
        start_producer(test_case, &producer, chunk);
        case_wait_stream(test_case, producer.stream);
        const struct outcome *outcome = case_run(test_case);
        check_producer_call(context, outcome, &producer, chunk);
        check_clean(context, outcome);
        judge_producer(context, outcome, &producer, chunk);
    }
}

/* Two calls are queued on two streams before either has run: each needs scratch of its own. The rows differ
 * by so much that a state of the other call shows in the numbers. Then two on one stream, one after the
 * other. */
void split_operator_two_calls(struct context *context) {
    const int chunk = 256;
    struct test_case *test_case = case_new(context);
    struct producer first = add_producer(context, test_case, "1", TYPE_FP32, 0);
    struct producer second = add_producer(context, test_case, "2", TYPE_FP32, 40);
    struct producer third = add_producer(context, test_case, "3", TYPE_FP32, -40);
    third.stream = first.stream;
    start_producer(test_case, &first, chunk);
    start_producer(test_case, &second, chunk);
    start_producer(test_case, &third, chunk);
    case_wait_device(test_case);
    const struct outcome *outcome = case_run(test_case);
    check_producer_call(context, outcome, &first, chunk);
    check_producer_call(context, outcome, &second, chunk);
    check_producer_call(context, outcome, &third, chunk);
    check_clean(context, outcome);
    judge_producer(context, outcome, &first, chunk);
    judge_producer(context, outcome, &second, chunk);
    judge_producer(context, outcome, &third, chunk);
}

/* ---- what the trace of one call shows ---- */

struct traced {
    const struct outcome *outcome;
    int step, stream;
};

/* One call on [ROWS, cols], on a stream among other streams. failure 0: none; else the failure-th launch or
 * allocation fails. */
static struct traced trace_call(struct context *context, enum element_type type, int64_t cols, int chunk,
                                enum fail_kind kind, int failure) {
    struct table x = table_new(context, type, ROWS, cols, cols);
    table_fill_normal(context, &x, 0, 1);
    struct test_case *test_case = case_new(context);
    int input = table_add(context, test_case, "x", &x);
    struct guarded y = guarded_add(test_case, "y", type, (size_t)(ROWS * cols), NO_GUARD);
    case_stream(test_case, STREAM_NONBLOCKING); /* not the one to use */
    struct traced traced = {.stream = case_stream(test_case, STREAM_BLOCKING)};
    if (failure > 0)
        case_fail(test_case, kind, failure);
    traced.step = split_call(test_case, traced.stream, table_operand(&x, input, 0),
                             guarded_matrix(y, ROWS, cols), chunk);
    case_wait_stream(test_case, traced.stream);
    traced.outcome = case_run(test_case);
    return traced;
}

/* The caller's stream may be the default stream, whose handle is 0. */
static void expect_default_stream_accepted(struct context *context) {
    const int chunk = 256;
    struct table x = table_new(context, TYPE_FP32, ROWS, COLS, COLS);
    table_fill_normal(context, &x, 0, 1);
    struct test_case *test_case = case_new(context);
    const int input = table_add(context, test_case, "x", &x), stream = case_stream(test_case, STREAM_LEGACY);
    const struct guarded y = guarded_add(test_case, "y", TYPE_FP32, ROWS * COLS, NO_GUARD);
    const int step =
        split_call(test_case, stream, table_operand(&x, input, 0), guarded_matrix(y, ROWS, COLS), chunk);
    case_wait_stream(test_case, stream);
    const struct outcome *outcome = case_run(test_case);
    const struct returned *returned = outcome_return(outcome, step);
    if (returned != NULL && returned->value == RETURNED_INVALID_VALUE)
        check_fail(context, FUNCTION " refused the default stream (0), which is a stream as any other.");
    split_check_stream(context, outcome, step, stream);
    check_clean(context, outcome);
    check_success(context, outcome, step, FUNCTION);
    split_compare_y(context, &x, chunk, guarded_elements(context, outcome, y, FUNCTION));
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
    check_note(context,
               "Launched for %d rows of %d columns, chunk size 256; how many kernels is up to you: %s.", ROWS,
               COLS, list);
}

void split_operator_on_stream(struct context *context) {
    struct traced traced = trace_call(context, TYPE_FP32, COLS, 256, FAIL_LAUNCH, 0);
    check_success(context, traced.outcome, traced.step, FUNCTION);
    const size_t launched = split_check_stream(context, traced.outcome, traced.step, traced.stream);
    check_clean(context, traced.outcome);
    if (launched == 0)
        check_fail(context, FUNCTION " returned cudaSuccess and launched nothing.");
    note_kernels(context, &traced);
    expect_default_stream_accepted(context);
}

static void expect_no_waits(struct context *context, enum element_type type, int64_t cols, int chunk) {
    struct traced traced = trace_call(context, type, cols, chunk, FAIL_LAUNCH, 0);
    locate(context, "%d rows of %lld columns, chunk size %d, %s.", ROWS, (long long)cols, chunk,
           element_name(type));
    check_success(context, traced.outcome, traced.step, FUNCTION);
    for (size_t i = 0; i < traced.outcome->wait_count; i++) {
        const struct wait_trace *wait = &traced.outcome->waits[i];
        if (wait->step != traced.step)
            continue;
        explain(context, "The order of the stream is all that the stages need. cudaDeviceSynchronize and its "
                         "kin wait, and "
                         "cudaMalloc, cudaFree and cudaMemcpy do so implicitly.");
        check_fail(context, FUNCTION " called %s: %s. No call in it may wait for the device.", wait->call,
                   wait->reason);
    }
    check_clean(context, traced.outcome);
}

/* In each type and chunk size, and for rows that somebody may find wide. */
void split_operator_waits(struct context *context) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            expect_no_waits(context, supported_types[i], COLS, split_chunk_sizes[j]);
    expect_no_waits(context, TYPE_FP32, 32769, 4096);
}

/* One allocation of the call: stream-ordered, on the stream, and freed there. */
static void judge_allocation(struct context *context, const struct traced *traced,
                             const struct allocation_trace *allocation) {
    unsigned long long bytes = allocation->bytes;
    if (!allocation->ordered)
        check_fail(context,
                   FUNCTION
                   " allocated %llu bytes with cudaMalloc, which may wait for the device; scratch comes "
                   "from cudaMallocAsync on the caller's stream.",
                   bytes);
    split_check_scratch_stream(context, allocation, traced->stream);
    if (allocation->freed == 0)
        check_fail(context, FUNCTION " did not free %llu bytes of scratch: every call leaks them.", bytes);
    if (allocation->freed == 2)
        check_fail(context,
                   FUNCTION " freed its scratch with a call that waits for the device; cudaFreeAsync on the "
                            "caller's stream does not.");
}

static void expect_scratch(struct context *context, int64_t cols, int chunk) {
    struct traced traced = trace_call(context, TYPE_FP32, cols, chunk, FAIL_LAUNCH, 0);
    locate(context, "%d rows of %lld columns, chunk size %d.", ROWS, (long long)cols, chunk);
    check_success(context, traced.outcome, traced.step, FUNCTION);
    uint64_t bytes = 0, count = 0, planned = 8 * ROWS * (uint64_t)(split_chunks(cols, chunk) + 1);
    for (size_t j = 0; j < traced.outcome->allocation_count; j++) {
        const struct allocation_trace *allocation = &traced.outcome->allocations[j];
        if (allocation->step != traced.step)
            continue;
        judge_allocation(context, &traced, allocation);
        bytes += allocation->bytes;
        count++;
    }
    check_clean(context, traced.outcome);
    const bool needs_none = split_chunks(cols, chunk) == 1; /* one kernel can do it all */
    if (count == 0 && !needs_none)
        check_fail(context,
                   FUNCTION " allocated no scratch. The states have to lie somewhere, and each call needs a "
                            "place of its own for them: cudaMallocAsync on the caller's stream.");
    if (bytes > planned + 256 * count)
        check_fail(context,
                   FUNCTION
                   " allocated %llu bytes of scratch; 8 * M * (T + 1) = %llu are needed, and 256 more "
                   "for each allocation are allowed.",
                   (unsigned long long)bytes, (unsigned long long)planned);
}

/* With few chunks, twice the bytes would be within the 256 that are allowed for alignment: so with 12 chunks,
 * too. */
void split_operator_scratch(struct context *context) {
    for (int i = 0; i < 3; i++) {
        expect_scratch(context, COLS, split_chunk_sizes[i]);
        expect_scratch(context, 11 * split_chunk_sizes[i] + 1, split_chunk_sizes[i]);
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

/* The stages behind a launch that failed may be launched all the same, and read what it would have written:
 * no fault, since the caller is told that there is no result. */
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
        split_check_scratch_stream(context, allocation, traced->stream);
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
    struct producer failing = add_producer(context, test_case, "1", type, 0);
    struct producer next = add_producer(context, test_case, "2", type, 0);
    case_fail(test_case, FAIL_LAUNCH, (int)which);
    start_producer(test_case, &failing, chunk);
    case_wait_stream(test_case, failing.stream);
    start_producer(test_case, &next, chunk);
    case_wait_stream(test_case, next.stream);
    check_recovered(context, case_run(test_case), next.step, FUNCTION,
                    check_text(context,
                               "The call after one whose launch %zu was made to fail, %s, chunk size %d.",
                               which, element_name(type), chunk));
}

/* Each launch and each allocation of a call is made to fail in turn; how many there are, an undisturbed call
 * of the same type and chunk size says. */
static void expect_errors(struct context *context, enum element_type type, int chunk) {
    enum { MOST = 12 };
    struct traced undisturbed = trace_call(context, type, COLS, chunk, FAIL_LAUNCH, 0);
    check_clean(context, undisturbed.outcome);
    check_success(context, undisturbed.outcome, undisturbed.step, FUNCTION);
    size_t launches = count_launches(&undisturbed), allocations = count_allocations(&undisturbed);
    for (size_t i = 1; i <= allocations && i <= MOST; i++) {
        struct traced traced = trace_call(context, type, COLS, chunk, FAIL_ALLOCATION, (int)i);
        judge_failure(context, &traced, check_text(context, "allocation %zu of %zu", i, allocations),
                      RETURNED_OUT_OF_MEMORY);
    }
    for (size_t i = 1; i <= launches && i <= MOST; i++) {
        struct traced traced = trace_call(context, type, COLS, chunk, FAIL_LAUNCH, (int)i);
        judge_failure(context, &traced, check_text(context, "launch %zu of %zu", i, launches), 0);
        expect_recovery(context, type, chunk, i);
    }
}

void split_operator_errors(struct context *context) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            expect_errors(context, supported_types[i], split_chunk_sizes[j]);
}
