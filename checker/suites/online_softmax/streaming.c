/* Stage streaming: the softmax of a list, chunk by chunk. */
#include "checks.h"
#include "numbers/element.h"
#include "states.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { GAP = 4 }; /* elements of poison between two results */

/* The submission's results for one list and several sizes of chunk. */
struct results {
    const double *out; /* that of the first chunk; the next is stride on */
    size_t stride;
};

static bool is_poison(double value) {
    unsigned char bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    for (size_t i = 0; i < sizeof value; i++)
        if (bytes[i] != 0xFF)
            return false;
    return true;
}

static void expect_untouched(struct context *context, const double *out, size_t count, const char *call) {
    for (size_t i = 0; i < count; i++)
        if (!is_poison(out[i])) {
            point_at(context, &out[i]);
            check_fail(context, "%s wrote to memory beside its result, which holds %g now.", call, out[i]);
        }
}

/* Calls softmax_streaming with each size of chunk; every call must return 0 and write its result and no more. */
static struct results stream_each(struct context *context, struct list list, const int64_t *chunks,
                                  size_t count) {
    const size_t stride = list.count + GAP, total = GAP + count * stride;
    struct test_case *test_case = case_new(context);
    const int stream = case_stream(test_case, STREAM_LEGACY);
    /* Behind the list lies a NaN, other than poison: whoever reads it says so by the answer. */
    double *content = check_memory(context, (list.count + GAP) * sizeof *content);
    for (size_t i = 0; i < list.count + GAP; i++)
        content[i] = i < list.count ? list.values[i] : NAN;
    const size_t bytes = (list.count + GAP) * sizeof *content;
    const int values =
        case_buffer(test_case, "values", PLACE_HOST, BUFFER_READ_ONLY | BUFFER_RETURN, bytes, content, bytes);
    const int out = case_buffer(test_case, "out", PLACE_HOST, BUFFER_RETURN, total * sizeof(double), NULL, 0);
    for (size_t i = 0; i < count; i++)
        case_call(test_case, FUNCTION_ONLINE_STREAMING, stream,
                  (struct arguments){.number = {(int64_t)list.count, chunks[i]},
                                     .operand = {vector_in(values, TYPE_FP64, (int64_t)list.count, 0),
                                                 vector_in(out, TYPE_FP64, (int64_t)list.count,
                                                           (int64_t)((GAP + i * stride) * sizeof(double)))}});
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    const double *written = outcome_buffer(context, outcome, out);
    expect_untouched(context, written, GAP, "softmax_streaming");
    for (size_t i = 0; i < count; i++) {
        const char *call = check_text(context, "softmax_streaming with count %zu and chunk %llu", list.count,
                                      (unsigned long long)chunks[i]);
        const struct returned *returned = outcome_return(outcome, (int)i);
        if (!returned)
            check_fail(context, "%s did not come back.", call);
        if (returned->value == ENOSYS)
            check_todo(context);
        if (returned->value != 0)
            check_fail(context, "%s returned %lld; these arguments are valid, and 0 was expected.", call,
                       (long long)returned->value);
        expect_untouched(context, written + GAP + i * stride + list.count, GAP, call);
    }
    if (memcmp(outcome_buffer(context, outcome, values), list.values, list.count * sizeof(double)) != 0)
        check_fail(context, "softmax_streaming changed its input.");
    return (struct results){written + GAP, stride};
}

/* Says where a wrong element probably comes from. chunk: 1 or more. */
static void explain_element(struct context *context, struct list list, size_t index, size_t chunk,
                            double got) {
    const size_t first = index / chunk * chunk;
    const size_t left = list.count - first;
    const struct list own = {list.values + first, left < chunk ? left : chunk};
    if (chunk > SIZE_MAX - list.count) {
        explain(context, "chunk is so large that count + chunk, or start + chunk, does not fit in a size_t "
                         "and starts again "
                         "at 0. Compare chunk with what is left, count - start, instead.");
    } else if (own.count < list.count && close_enough(got, exact_probability(list.values[index], own))) {
        explain(context, "That is the softmax of its chunk alone: the state of the chunk was used. First "
                         "merge the states of "
                         "all chunks, then divide every value by the state of the whole list.");
    } else if (isnan(exact_probability(list.values[index], list))) {
        explain(context, "Where all values are -INFINITY there is nothing to divide: the sum is 0, and 0 / 0 "
                         "is the NaN that is "
                         "asked for. A NaN or +INFINITY among the values makes all of the result NaN, too.");
    } else if (isnan(got)) {
        explain(context,
                "A NaN from finite values: inf / inf or inf * 0 after an exp() that overflowed (above "
                "709.78) because no maximum was subtracted, 0 / 0 where each one vanished, exp(-INFINITY - "
                "-INFINITY), or a value read from past the end of the list, where a NaN lies.");
    }
}

/* The factor that every element of a result is off by, or 1: there is none. */
static double factor_of(struct list list, const double *got) {
    double factor = 1;
    for (size_t i = 0; i < list.count; i++) {
        const double right = exact_probability(list.values[i], list);
        if (right < 1e-200)
            continue;
        if (factor == 1)
            factor = got[i] / right;
        if (!(fabs(got[i] - factor * right) <= 1e-9 * fabs(got[i])))
            return 1;
    }
    return isfinite(factor) && fabs(factor - 1) > 1e-9 ? factor : 1;
}

/* Every element is right but for one factor. before: calls on this list that were right. */
static void explain_factor(struct context *context, double factor, size_t before) {
    explain(context,
            "Every element is %.6g times what it should be: it is right but for one factor, so it was "
            "divided by another sum than "
            "that of the list, or another maximum was subtracted. %s",
            factor,
            before > 0 ? "The call before, on the same list, was right: is a state kept from one call to the "
                         "next, in a static "
                         "variable?"
                       : "");
}

static void expect_softmax(struct context *context, struct list list, const int64_t *chunks, size_t count) {
    const struct results results = stream_each(context, list, chunks, count);
    for (size_t c = 0; c < count; c++) {
        for (size_t i = 0; i < list.count; i++) {
            const double got = results.out[c * results.stride + i];
            const double expected = exact_probability(list.values[i], list);
            if (close_enough(got, expected))
                continue;
            point_at(context, &results.out[c * results.stride + i]);
            locate(context, "Element %zu of %zu, value %g, chunk %llu.", i, list.count, list.values[i],
                   (unsigned long long)chunks[c]);
            explain_element(context, list, i, (size_t)chunks[c], got);
            const double factor = factor_of(list, results.out + c * results.stride);
            if (list.count > 1 && factor != 1)
                explain_factor(context, factor, c);
            if (is_poison(got))
                check_fail(context, "An element of out was never written.");
            check_fail(context, "The softmax of %s is wrong: got %.15g, expected %.15g.",
                       list_text(context, list), got, expected);
        }
    }
}

void streaming_by_hand(struct context *context) {
    expect_softmax(context, LIST(2, 2, 4), (const int64_t[]){2, 1, 3}, 3);
    expect_softmax(context, LIST(4), (const int64_t[]){1, 2}, 2);
    expect_softmax(context, LIST(0, 1, 2, 3, 2, 1, 0, 1, 2), (const int64_t[]){4, 9}, 2);
}

void streaming_chunks(struct context *context) {
    enum { COUNT = 1000 };
    double *values = check_memory(context, COUNT * sizeof *values);
    for (int i = 0; i < COUNT; i++)
        values[i] = 10 * check_normal(context);
    /* The last one is the largest size_t: start + chunk overflows. */
    const int64_t chunks[] = {1, 2, 7, 64, 333, 500, 999, 1000, 1001, 4096, INT64_MAX, -1};
    expect_softmax(context, (struct list){values, COUNT}, chunks, sizeof chunks / sizeof *chunks);
}

void streaming_far_from_zero(struct context *context) {
    const int64_t chunks[] = {1, 2, 3, 10};
    double near[64], rising[64];
    for (int i = 0; i < 64; i++) {
        near[i] = -1000 + check_uniform(context, -2, 2);
        rising[i] = 50 * i - 1600;
    }
    const struct list lists[] = {
        {near, 64},
        {rising, 64},
        LIST(1000, 1000, 1000),
        LIST(-1000, -1000, -1000),
        LIST(-1e300, -1e300, -1e300), /* below any number that stands for -INFINITY */
        LIST(-1000, 1000, -1000, 0),
        LIST(0, 0, 0, 60, 0, 0)};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        expect_softmax(context, lists[i], chunks, 4);
}

void streaming_masked(struct context *context) {
    const int64_t chunks[] = {2, 1, 3, 4, 100};
    const struct list lists[] = {LIST(-INFINITY, -INFINITY, 1, 2), LIST(1, 2, -INFINITY, -INFINITY),
                                 LIST(-INFINITY, 1, -INFINITY, -1000, -INFINITY),
                                 LIST(-INFINITY, -INFINITY, -INFINITY), LIST(-INFINITY)};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        expect_softmax(context, lists[i], chunks, 5);
}

void streaming_not_finite(struct context *context) {
    const int64_t chunks[] = {1, 2, 3, 5};
    const struct list lists[] = {LIST(1, 2, NAN, 4, 5),
                                 LIST(NAN, 2, 3),
                                 LIST(1, 2, NAN),
                                 LIST(1, INFINITY, 3, 4),
                                 LIST(INFINITY),
                                 LIST(-INFINITY, NAN, 1),
                                 LIST(NAN, -INFINITY, 1, 2),
                                 LIST(-INFINITY, INFINITY, 0)};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        expect_softmax(context, lists[i], chunks, 4);
}

void streaming_arguments(struct context *context) {
    struct test_case *test_case = case_new(context);
    const int stream = case_stream(test_case, STREAM_LEGACY);
    const double three[] = {1, 2, 3};
    const int in =
        case_buffer(test_case, "values", PLACE_HOST, BUFFER_READ_ONLY, sizeof three, three, sizeof three);
    const int out = case_buffer(test_case, "out", PLACE_HOST, BUFFER_RETURN, sizeof three, NULL, 0);
    const struct operand null = no_operand(), values = at_buffer(in, 0), result = at_buffer(out, 0);
    const struct {
        const char *call;
        struct operand values, out;
        int64_t count, chunk;
        int expected;
    } calls[] = {
        {"chunk 0", values, result, 3, 0, EINVAL},
        {"chunk 0 and count 0", values, result, 0, 0, EINVAL},
        {"a null pointer for values and count 3", null, result, 3, 2, EINVAL},
        {"a null pointer for values and count 1", null, result, 1, 2, EINVAL},
        {"a null pointer for out and count 3", values, null, 3, 2, EINVAL},
        {"two null pointers and count 0", null, null, 0, 2, 0},
        {"count 0", values, result, 0, 2, 0},
    };
    const size_t count = sizeof calls / sizeof *calls;
    for (size_t i = 0; i < count; i++)
        case_call(test_case, FUNCTION_ONLINE_STREAMING, stream,
                  (struct arguments){.number = {calls[i].count, calls[i].chunk},
                                     .operand = {calls[i].values, calls[i].out}});
    const struct outcome *outcome = case_run(test_case);
    for (size_t i = 0; i < count; i++) {
        const struct returned *returned = outcome_return(outcome, (int)i);
        if (!returned) {
            locate(context, "softmax_streaming, called with %s.", calls[i].call);
            check_clean(context, outcome);
            check_fail(context, "softmax_streaming did not come back.");
        }
        if (returned->value == ENOSYS)
            check_todo(context);
        if (returned->value != calls[i].expected)
            check_fail(context, "softmax_streaming with %s returned %lld; expected %s.", calls[i].call,
                       (long long)returned->value, calls[i].expected == EINVAL ? "EINVAL" : "0");
    }
    check_clean(context, outcome);
    expect_untouched(context, outcome_buffer(context, outcome, out), 3,
                     "softmax_streaming, refusing or with count 0,");
}
