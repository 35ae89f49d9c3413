/* Running a case: the case as bytes, the exchange, and the records as an outcome.
 *
 * Nothing that a runner sends is trusted to be well formed: each record must have the size of its type, name
 * steps and buffers that exist, and come in bearable numbers. */
#include "base/clock.h"
#include "check/case.h"
#include "check/explain.h"
#include "check/kept.h"
#include "check/late.h"
#include "check/source_lines.h"
#include "link/exchange.h"
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>

enum { MAX_RECORDS = 1 << 16 };

/* The answer while it arrives. */
struct answer {
    const struct test_case *test_case;
    struct list returns, kernels, traffic, allocations, waits, findings, sites, touches;
    bool touches_cut;
    struct returned_buffer buffers[CASE_MAX_BUFFERS];
    size_t records;
};

static size_t payload_bytes(uint32_t type) {
    switch (type) {
    case RECORD_RETURN:
        return sizeof(struct returned);
    case RECORD_KERNEL:
        return sizeof(struct kernel_trace);
    case RECORD_TRAFFIC:
        return sizeof(struct traffic);
    case RECORD_ALLOCATION:
        return sizeof(struct allocation_trace);
    case RECORD_WAIT:
        return sizeof(struct wait_trace);
    case RECORD_FINDING:
        return sizeof(struct finding);
    case RECORD_SITE:
        return sizeof(struct site_trace);
    case RECORD_TOUCHES:
        return sizeof(struct touches);
    default:
        return 0;
    }
}

static bool answer_expected(void *state, const struct record_header *header) {
    struct answer *answer = state;
    if (header->type == RECORD_BUFFER) {
        for (uint32_t i = 0; i < answer->test_case->header.buffers; i++)
            if (header->bytes == sizeof(uint64_t) + answer->test_case->buffers[i].bytes)
                return ++answer->records < MAX_RECORDS;
        return false;
    }
    return (header->type == RECORD_DONE || payload_bytes(header->type) > 0) &&
           header->bytes == payload_bytes(header->type) && ++answer->records < MAX_RECORDS;
}

static bool take_buffer(struct answer *answer, const void *payload, uint32_t bytes) {
    uint64_t index;
    memcpy(&index, payload, sizeof index);
    if (index >= answer->test_case->header.buffers)
        return false;
    const struct buffer_spec *spec = &answer->test_case->buffers[index];
    if (!(spec->flags & BUFFER_RETURN) || spec->bytes + sizeof index != bytes || answer->buffers[index].bytes)
        return false;
    void *copy = check_memory(answer->test_case->context, spec->bytes);
    memcpy(copy, (const char *)payload + sizeof index, spec->bytes);
    answer->buffers[index] = (struct returned_buffer){copy, spec->bytes};
    return true;
}

static void end_text(char *text, size_t bytes) {
    text[bytes - 1] = '\0';
    make_one_line(text);
}

static bool step_exists(const struct answer *answer, int32_t step) {
    return step >= 0 && step < (int32_t)answer->test_case->header.steps;
}

static bool is_buffer(const struct answer *answer, int32_t buffer) {
    return buffer >= -1 && buffer < (int32_t)answer->test_case->header.buffers;
}

static bool take_site(struct answer *answer, const void *payload) {
    struct site_trace site;
    memcpy(&site, payload, sizeof site);
    end_text(site.name, sizeof site.name);
    list_add(&answer->sites, &site, 1);
    return is_buffer(answer, site.buffer) && site.kernel < answer->kernels.count && site.kind <= TOUCH_ATOMIC;
}

static bool take_touches(struct answer *answer, const void *payload) {
    struct touches touches;
    memcpy(&touches, payload, sizeof touches);
    if (touches.count > TOUCHES_IN_A_RECORD)
        return false;
    answer->touches_cut |= touches.more != 0;
    for (uint32_t i = 0; i < touches.count; i++) {
        const struct touch *touch = &touches.touch[i];
        if (touch->buffer < 0 || !is_buffer(answer, touch->buffer) || touch->kind > TOUCH_ATOMIC ||
            touch->kernel >= answer->kernels.count ||
            touch->bytes > answer->test_case->buffers[touch->buffer].bytes ||
            touch->offset > answer->test_case->buffers[touch->buffer].bytes - touch->bytes)
            return false;
    }
    list_add(&answer->touches, touches.touch, touches.count);
    return true;
}

static bool take_record(struct answer *answer, uint32_t type, const void *payload) {
    switch (type) {
    case RECORD_SITE:
        return take_site(answer, payload);
    case RECORD_TOUCHES:
        return take_touches(answer, payload);
    case RECORD_RETURN: {
        struct returned returned;
        memcpy(&returned, payload, sizeof returned);
        list_add(&answer->returns, &returned, 1);
        return step_exists(answer, returned.step);
    }
    case RECORD_KERNEL: {
        struct kernel_trace kernel;
        memcpy(&kernel, payload, sizeof kernel);
        end_text(kernel.name, sizeof kernel.name);
        list_add(&answer->kernels, &kernel, 1);
        return true;
    }
    case RECORD_TRAFFIC: {
        struct traffic traffic;
        memcpy(&traffic, payload, sizeof traffic);
        end_text(traffic.name, sizeof traffic.name);
        list_add(&answer->traffic, &traffic, 1);
        return traffic.buffer < (int32_t)answer->test_case->header.buffers;
    }
    case RECORD_ALLOCATION:
        list_add(&answer->allocations, payload, 1);
        return true;
    case RECORD_WAIT: {
        struct wait_trace wait;
        memcpy(&wait, payload, sizeof wait);
        end_text(wait.call, sizeof wait.call);
        end_text(wait.reason, sizeof wait.reason);
        list_add(&answer->waits, &wait, 1);
        return true;
    }
    default: {
        struct finding finding;
        memcpy(&finding, payload, sizeof finding);
        end_text(finding.kernel, sizeof finding.kernel);
        end_text(finding.buffer, sizeof finding.buffer);
        end_text(finding.text, sizeof finding.text);
        list_add(&answer->findings, &finding, 1);
        return finding.kind < FINDING_KINDS;
    }
    }
}

/* At its end an answer has a return for each call, unless a function is missing: checks rely on that. */
static bool is_complete(const struct answer *answer) {
    const struct returned *returns = answer->returns.items;
    const struct finding *findings = answer->findings.items;
    for (size_t i = 0; i < answer->findings.count; i++)
        if (findings[i].kind == FINDING_NO_FUNCTION && !findings[i].warning)
            return true;
    for (uint32_t step = 0; step < answer->test_case->header.steps; step++) {
        bool returned = answer->test_case->steps[step].kind != STEP_CALL;
        for (size_t i = 0; i < answer->returns.count && !returned; i++)
            returned = returns[i].step == (int32_t)step;
        if (!returned)
            return false;
    }
    return true;
}

static enum taken answer_take(void *state, uint32_t type, const void *payload, uint32_t bytes) {
    struct answer *answer = state;
    if (type == RECORD_DONE)
        return is_complete(answer) ? TAKEN_LAST : TAKEN_DAMAGED;
    const bool good =
        type == RECORD_BUFFER ? take_buffer(answer, payload, bytes) : take_record(answer, type, payload);
    return good ? TAKEN_MORE : TAKEN_DAMAGED;
}

static struct list case_bytes(const struct test_case *test_case) {
    struct list bytes = {.item_bytes = 1};
    list_add(&bytes, &test_case->header, sizeof test_case->header);
    for (uint32_t i = 0; i < test_case->header.buffers; i++) {
        list_add(&bytes, &test_case->buffers[i], sizeof test_case->buffers[i]);
        list_add(&bytes, test_case->contents[i], test_case->buffers[i].content_bytes);
    }
    list_add(&bytes, test_case->streams, test_case->header.streams * sizeof *test_case->streams);
    list_add(&bytes, test_case->steps, test_case->header.steps * sizeof *test_case->steps);
    return bytes;
}

/* Moves a list's items to the memory of the check. */
static const void *keep(struct context *context, struct list *list, size_t *count) {
    void *kept = check_memory(context, list->count * list->item_bytes);
    if (list->count > 0)
        memcpy(kept, list->items, list->count * list->item_bytes);
    *count = list->count;
    free(list->items);
    return kept;
}

static void set_status(struct outcome *outcome, struct context *context, enum exchange_end end,
                       double limit) {
    const struct finding *last =
        outcome->finding_count ? &outcome->findings[outcome->finding_count - 1] : NULL;
    const uint32_t kind = last ? last->kind : FINDING_OUT_OF_BOUNDS;
    if (end == EXCHANGE_DONE)
        return;
    if (end == EXCHANGE_DAMAGED) {
        outcome->status = OUTCOME_DAMAGED;
        outcome->reason =
            "The runner's answer made no sense: your program wrote over the runner's memory, or to "
            "a file descriptor that it did not open.";
    } else if (end == EXCHANGE_FORGED) {
        outcome->status = OUTCOME_DAMAGED;
        outcome->reason = "An answer was forged: your program wrote a record to the runner's socket, in the "
                          "runner's name. Nothing of it counts.";
    } else if (end == EXCHANGE_LATE) {
        outcome->status = OUTCOME_TIMEOUT;
        outcome->reason = check_text(context,
                                     "Your program had not come to its end after %.3g seconds and was "
                                     "stopped.",
                                     limit);
    } else if (end == EXCHANGE_FLOODED) {
        outcome->status = OUTCOME_TIMEOUT;
        outcome->reason =
            copy_text("Your program printed more than 64 MB in one case, came to no end and was stopped.");
    } else {
        char *how = describe_end(context->runner->wait_status);
        const bool by_signal = WIFSIGNALED(context->runner->wait_status);
        outcome->status = kind == FINDING_ENDLESS               ? OUTCOME_TIMEOUT
                          : kind == FINDING_CRASH               ? OUTCOME_CRASH
                          : kind == FINDING_ENDED || !by_signal ? OUTCOME_ENDED
                                                                : OUTCOME_CRASH;
        outcome->reason = check_text(context, "Your program did not come to its end: %s.", how);
        free(how);
    }
}

/* The reason why a call waits is the end of a sentence: with the line it is called at. Only a few are ever told, and to
 * find a line takes a process, so the others stay without. */
static void place_waits(struct context *context, const struct list *waits) {
    enum { PLACED_WAITS = 64 };
    for (size_t i = 0; i < waits->count && i < PLACED_WAITS; i++) {
        struct wait_trace *wait = (struct wait_trace *)waits->items + i;
        const char *where = wait->pc ? symbols_find(context->symbols, wait->pc)->where : "";
        const size_t length = strlen(wait->reason);
        if (where[0] && length + strlen(where) + sizeof " (at )" <= sizeof wait->reason)
            sprintf(wait->reason + length, " (at %s)", where);
    }
}

/* A function that this case calls has not ended before. */
static void shorten(struct test_case *test_case) {
    const double cost = test_case->context->check->cost, seconds = cost > 0.1 ? 5 * cost : 0.5;
    const uint64_t limit = (uint64_t)(seconds * 1000 * test_case->context->session->patience);
    if (limit < test_case->header.time_limit_ms)
        test_case->header.time_limit_ms = limit;
}

/* Where the case did not end, that is known from now on. */
static void note_late(struct context *context, struct outcome *outcome, const char *known) {
    const struct finding *last =
        outcome->finding_count ? &outcome->findings[outcome->finding_count - 1] : NULL;
    if (outcome->status != OUTCOME_TIMEOUT)
        return;
    outcome->late_before = known;
    if (known == NULL)
        late_note(context->session->suite, context->check, outcome,
                  last != NULL && last->kind == FINDING_ENDLESS ? last->step : -1);
}

const struct outcome *case_run(struct test_case *test_case) {
    struct context *context = test_case->context;
    struct outcome *outcome = check_memory(context, sizeof *outcome);
    case_watch(test_case, context->session->watch);
    outcome->test_case = test_case;
    outcome->number = context->cases++;
    outcome->before = context->last;
    context->last = outcome;
    const char *late = late_known(context->session->suite, test_case);
    if (late != NULL)
        shorten(test_case);
    const double start = clock_seconds(), limit = (double)test_case->header.time_limit_ms / 1000;
    struct ready ready;
    enum exchange_end end;
    char *reason = NULL;
    if (!runner_ready(context->runner, 20 * context->session->patience, &ready, &end, &reason)) {
        outcome->status = OUTCOME_UNLOADED;
        outcome->reason = check_text(context, "%s", reason);
        free(reason);
        return outcome;
    }
    struct answer answer = {
        .test_case = test_case,
        .returns.item_bytes = sizeof(struct returned),
        .kernels.item_bytes = sizeof(struct kernel_trace),
        .traffic.item_bytes = sizeof(struct traffic),
        .allocations.item_bytes = sizeof(struct allocation_trace),
        .waits.item_bytes = sizeof(struct wait_trace),
        .findings.item_bytes = sizeof(struct finding),
        .sites.item_bytes = sizeof(struct site_trace),
        .touches.item_bytes = sizeof(struct touch),
    };
    struct seal_key *key = &test_case->header.key;
    if (getrandom(key, sizeof *key, 0) != (ssize_t)sizeof *key)
        check_fail(context, "This machine has no random numbers for the seal of an answer.");
    struct list bytes = case_bytes(test_case);
    keep_case(context, &bytes);
    /* The runner keeps to its limit itself and can then say where it was. Only one that cannot do so any more
     * is stopped from here. */
    end = exchange(context->runner, bytes.items, bytes.count, 2 * limit + 5 * context->session->patience,
                   &(struct record_reader){&answer, *key, answer_expected, answer_take});
    free(bytes.items);
    outcome->returns = keep(context, &answer.returns, &outcome->return_count);
    outcome->kernels = keep(context, &answer.kernels, &outcome->kernel_count);
    outcome->traffic = keep(context, &answer.traffic, &outcome->traffic_count);
    outcome->allocations = keep(context, &answer.allocations, &outcome->allocation_count);
    place_waits(context, &answer.waits);
    outcome->waits = keep(context, &answer.waits, &outcome->wait_count);
    outcome->findings = keep(context, &answer.findings, &outcome->finding_count);
    outcome->sites = keep(context, &answer.sites, &outcome->site_count);
    outcome->touches = keep(context, &answer.touches, &outcome->touch_count);
    outcome->touches_cut = answer.touches_cut;
    memcpy(outcome->buffers, answer.buffers, sizeof outcome->buffers);
    set_status(outcome, context, end, limit);
    note_late(context, outcome, late);
    outcome->seconds = clock_seconds() - start;
    if (context->session->watched)
        context->session->watched(context->session->watched_state, outcome);
    return outcome;
}

const struct returned *outcome_return(const struct outcome *outcome, int step) {
    for (size_t i = 0; i < outcome->return_count; i++)
        if (outcome->returns[i].step == step)
            return &outcome->returns[i];
    return NULL;
}

const void *outcome_buffer(struct context *context, const struct outcome *outcome, int buffer) {
    if (outcome->status != OUTCOME_OK)
        check_clean(context, outcome);
    if (outcome->buffers[buffer].bytes == NULL)
        check_fail(context, "This check is broken: buffer %d was not asked back.", buffer);
    return outcome->buffers[buffer].bytes;
}
