/* Runs of the student's files, watched (see map.h). */
#include "base/memory.h"
#include "check/case.h"
#include "check/source_lines.h"
#include "grading/run_check.h"
#include "link/runner_process.h"
#include "map.h"
#include <string.h>

static void *copy_items(const void *items, size_t bytes) {
    void *copy = get_memory(bytes ? bytes : 1);
    if (bytes)
        memcpy(copy, items, bytes);
    return copy;
}

/* What a buffer holds: as the operand says that points to it; [rows, n] where it is no matrix but there is one. */
static struct map_buffer buffer_of(const struct test_case *test_case, uint32_t index) {
    struct map_buffer buffer = {.element = sizeof(float)};
    const struct buffer_spec *spec = &test_case->buffers[index];
    int64_t rows = 1;
    snprintf(buffer.name, sizeof buffer.name, "%.*s", NAME_BYTES - 1, spec->name);
    for (uint32_t i = 0; i < test_case->header.steps; i++)
        for (int k = 0; k < 4; k++) {
            const struct operand *operand = &test_case->steps[i].operand[k];
            if (test_case->steps[i].kind != STEP_CALL || operand->rows <= 0)
                continue;
            rows = operand->rows;
            if (operand->buffer != (int32_t)index)
                continue;
            buffer.rows = operand->rows;
            buffer.cols = operand->cols;
            buffer.pitch = operand->pitch;
            buffer.offset = operand->offset;
            buffer.element = operand->type == TYPE_FP16 || operand->type == TYPE_BF16 ? 2 : 4;
        }
    for (uint32_t i = 0; i < test_case->header.steps && rows == 1; i++)
        if (test_case->steps[i].kind == STEP_CALL && test_case->steps[i].function == FUNCTION_SPLIT_MERGE)
            rows = test_case->steps[i].number[0];
    if (buffer.rows == 0) {
        const int64_t count = (int64_t)(spec->bytes / buffer.element);
        buffer.rows = rows > 0 && count % rows == 0 ? rows : 1;
        buffer.cols = buffer.pitch = count / buffer.rows;
    }
    return buffer;
}

static int64_t chunk_of(const struct test_case *test_case) {
    for (uint32_t i = 0; i < test_case->header.steps; i++) {
        const struct step *step = &test_case->steps[i];
        if (step->kind == STEP_CALL &&
            (step->function == FUNCTION_SPLIT_PARTIALS || step->function == FUNCTION_SPLIT_NORMALIZE ||
             step->function == FUNCTION_SPLIT_SOFTMAX))
            return step->number[0];
    }
    return 0;
}

static struct sighting sighting_of(const struct outcome *outcome, const struct test_case *test_case,
                                   const char *title) {
    struct sighting sighting = {.kernel_count = outcome->kernel_count,
                                .touch_count = outcome->touch_count,
                                .finding_count = outcome->finding_count,
                                .cut = outcome->touches_cut,
                                .chunk = chunk_of(test_case),
                                .buffer_count = test_case->header.buffers,
                                .reason = copy_text("")};
    snprintf(sighting.title, sizeof sighting.title, "%s", title);
    sighting.kernels = copy_items(outcome->kernels, outcome->kernel_count * sizeof *outcome->kernels);
    sighting.touches = copy_items(outcome->touches, outcome->touch_count * sizeof *outcome->touches);
    sighting.findings = copy_items(outcome->findings, outcome->finding_count * sizeof *outcome->findings);
    for (uint32_t i = 0; i < sighting.buffer_count; i++)
        sighting.buffers[i] = buffer_of(test_case, i);
    return sighting;
}

static bool has_fault(const struct outcome *outcome) {
    for (size_t i = 0; i < outcome->finding_count; i++)
        if (!outcome->findings[i].warning)
            return true;
    return outcome->status != OUTCOME_OK;
}

/* The outcome that is shown: the first with a fault, or else the last. */
struct shown {
    struct sighting sighting;
    bool any, faulty;
    const char *title;
};

static void show(void *state, const struct outcome *outcome) {
    struct shown *shown = state;
    if (shown->faulty)
        return;
    shown->faulty = has_fault(outcome);
    shown->any = true;
    shown->sighting = sighting_of(outcome, outcome->test_case, shown->title);
}

static struct sighting watch_check(const struct session *asked, const struct check *check,
                                   const char *title) {
    static struct runner runner;
    struct shown shown = {.title = title};
    struct session session = *asked;
    session.watch = WATCH_TOUCHES;
    session.watched = show;
    session.watched_state = &shown;
    runner.program = session.runner;
    runner.submission = session.submission;
    struct symbols *symbols = symbols_open(session.submission, session.source);
    struct verdict verdict = perform(&session, check, &runner, symbols);
    symbols_close(symbols);
    runner_stop(&runner);
    if (!shown.any)
        snprintf(shown.sighting.title, sizeof shown.sighting.title, "%s", title);
    const bool bad = verdict.status != STATUS_PASS && verdict.status != STATUS_SKIP;
    shown.sighting.reason = verdict.status == STATUS_TODO ? copy_text("not written yet")
                            : bad ? format_text("%s (make check tells more.)", verdict.found)
                                  : copy_text("");
    verdict_free(&verdict);
    return shown.sighting;
}

/* ---- functions on a shape of one's own ---- */

struct shown_call {
    struct check check; /* first: run() gets at the rest by it */
    const struct workload *workload;
    const struct setting *setting;
    enum function function;
};

static void run_call(struct context *context) {
    const struct shown_call *call = (const struct shown_call *)(const void *)context->check;
    struct test_case *test_case = case_new(context);
    const struct arguments arguments =
        call_arguments(context, test_case, call->workload, call->setting, call->function);
    const int step =
        case_call(test_case, call->function, case_stream(test_case, STREAM_NONBLOCKING), arguments);
    case_wait_device(test_case);
    const struct outcome *outcome = case_run(test_case);
    check_success(context, outcome, step, "The function");
    check_clean(context, outcome);
}

static size_t parts_of(const char *exercise) {
    size_t count = 0;
    for (const struct operator_part *part = operator_parts; part->exercise; part++)
        count += strcmp(part->exercise, exercise) == 0;
    return count;
}

struct sightings take_functions(const struct session *session, const char *exercise,
                                const struct setting *setting) {
    struct sightings sightings = {.items = get_memory((parts_of(exercise) + 1) * sizeof *sightings.items)};
    struct workload workload = workload_new(&setting->shape, setting->type, session->seed);
    const bool by_stages = parts_of(exercise) > 1; /* then the operator has nothing new to show */
    for (const struct operator_part *part = operator_parts; part->exercise; part++) {
        if (strcmp(part->exercise, exercise) != 0 || (by_stages && strcmp(part->name, "operator") == 0))
            continue;
        const struct shown_call call = {
            .check = {.id = "map.call", .title = "", .run = run_call, .seconds = 20},
            .workload = &workload,
            .setting = setting,
            .function = part->function};
        sightings.items[sightings.count++] =
            watch_check(session, &call.check, by_stages ? part->name : exercise);
    }
    workload_free(&workload);
    return sightings;
}

struct sightings take_check(const struct session *session, const char *id) {
    struct sightings sightings = {.items = get_memory(sizeof *sightings.items)};
    for (size_t i = 0; i < session->suite->check_count; i++)
        if (strcmp(session->suite->checks[i].id, id) == 0)
            sightings.items[sightings.count++] = watch_check(session, &session->suite->checks[i], id);
    return sightings;
}
