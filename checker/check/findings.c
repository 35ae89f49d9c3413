/* From what a runner found to a verdict: the findings of an outcome, crashes and time limits, return codes. */
#include "check/case.h"
#include "check/circumstances.h"
#include "check/cuda_errors.h"
#include "check/explain.h"
#include "check/inputs_read.h"
#include "check/kept.h"
#include "check/source_lines.h"
#include "numbers/element.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- where it was ---- */

/* "row 2, column 1024": where a call of the case sees a matrix in this buffer. Empty where none does. */
static const char *row_and_column(struct context *context, const struct test_case *test_case,
                                  const struct finding *finding) {
    const struct matrix_place place = place_in_matrix(test_case, finding);
    if (place.matrix == NULL)
        return "";
    if (place.before > 0)
        return check_text(context, ", %lld bytes before the matrix", (long long)place.before);
    if (place.row >= place.matrix->rows)
        return ", behind the last row";
    return check_text(context, ", row %lld, column %lld (of %lld)", (long long)place.row,
                      (long long)place.col, (long long)place.matrix->cols);
}

static const char *thread_and_line(struct context *context, const struct place_in_code *place, bool in_kernel,
                                   bool quoted) {
    if (!place->known && place->pc == 0)
        return "";
    const struct source_line *line = symbols_find(context->symbols, place->pc);
    const char *thread = "";
    if (in_kernel && place->known)
        thread = check_text(context, "block (%u,%u,%u), thread (%u,%u,%u)", place->block[0], place->block[1],
                            place->block[2], place->thread[0], place->thread[1], place->thread[2]);
    const char *text =
        check_text(context, "%s%s%s", thread, thread[0] && line->where[0] ? ", " : "", line->where);
    return quoted && line->quote[0] ? check_text(context, "%s\n    %s", text, line->quote) : text;
}

static const char *place_of(struct context *context, const struct outcome *outcome,
                            const struct finding *finding) {
    const char *text = "";
    if (finding->kernel[0])
        text = check_text(context, "kernel %s, ", finding->kernel);
    const char *at = thread_and_line(context, &finding->at, finding->kernel[0] != '\0', true);
    if (at[0])
        text = check_text(context, "%s%s", text, at);
    else if (finding->kernel[0])
        text = check_text(context, "kernel %s", finding->kernel);
    const char *other = thread_and_line(context, &finding->other, finding->kernel[0] != '\0', true);
    if (other[0])
        text = check_text(context, "%s\nand: %s", text, other);
    if (finding->buffer[0] && finding->bytes > 0)
        text = check_text(context, "%s%s%s of %llu bytes, %llu bytes %s at byte %lld%s", text,
                          text[0] ? "\n" : "", finding->buffer, (unsigned long long)finding->buffer_bytes,
                          (unsigned long long)finding->bytes, finding->write ? "written" : "read",
                          (long long)finding->offset, row_and_column(context, outcome->test_case, finding));
    return text;
}

static const char *matrix_text(struct context *context, const struct operand *matrix) {
    const char *type = matrix->type == TYPE_FP32 || matrix->type == TYPE_FP16 || matrix->type == TYPE_BF16
                           ? element_name((enum element_type)matrix->type)
                           : "another type";
    const char *pitch =
        matrix->pitch == matrix->cols ? "" : check_text(context, ", pitch %lld", (long long)matrix->pitch);
    return check_text(context, "%lld x %lld%s, %s", (long long)matrix->rows, (long long)matrix->cols, pitch,
                      type);
}

/* The words of a table's entry with its {places} filled in. */
static const char *told_text(struct context *context, const struct step *step, const char *told) {
    const char *text = "";
    while (*told) {
        const size_t plain = strcspn(told, "{");
        text = check_text(context, "%s%.*s", text, (int)plain, told);
        told += plain;
        if (*told == '\0')
            break;
        if (told[1] == 'm')
            text = check_text(context, "%s%s", text, matrix_text(context, &step->operand[0]));
        else if (told[1] == 'f')
            text = check_text(context, "%s%g", text, step->real[0]);
        else if (told[1] == 'r')
            text = check_text(context, "%s(%g, %g) and (%g, %g)", text, step->real[0], step->real[1],
                              step->real[2], step->real[3]);
        else
            text = check_text(context, "%s%lld", text, (long long)step->number[(told[1] - '0') % 4]);
        told += strcspn(told, "}") + 1;
    }
    return text;
}

/* "In split_softmax, 3 x 1025, FP32, chunk size 256.": the call that a finding belongs to. Empty: of no call. */
static const char *call_text(struct context *context, const struct test_case *test_case, int32_t index) {
    if (index < 0 || index >= (int32_t)test_case->header.steps || test_case->steps[index].kind != STEP_CALL)
        return "";
    const struct step *step = &test_case->steps[index];
    const struct function_entry *entry = function_entry(step->function);
    if (entry->told[0] == '\0')
        return "";
    return check_text(context, "In %s%s.", entry->name, told_text(context, step, entry->told));
}

/* ---- what to say ---- */

static size_t count_faults(const struct outcome *outcome, int except) {
    size_t count = 0;
    for (size_t i = 0; i < outcome->finding_count; i++)
        count += !outcome->findings[i].warning && (int)outcome->findings[i].kind != except;
    return count;
}

/* A runtime's text as a sentence: with a capital and a full stop. */
static const char *sentence(struct context *context, const char *text) {
    const size_t length = strlen(text);
    const bool ends = length > 0 && strchr(".!?)", text[length - 1]) != NULL;
    char *whole = check_text(context, "%s%s", text, ends ? "" : ".");
    whole[0] = (char)toupper((unsigned char)whole[0]);
    return whole;
}

/* An exercise without CUDA has lists, and no matrices. */
static const char past_the_list[] = "An index is too large, or below 0 and so very large as a size_t. "
                                    "Usually the last chunk of the list, which may be "
                                    "shorter than the others, is treated as if it were whole: it ends at "
                                    "count. Next: a list without values, whose "
                                    "first one is read all the same.";

/* The limit was shorter than the check's own, and the loop is most likely the one that is told elsewhere. */
static const char *late_text(struct context *context, const struct outcome *outcome, const char *found) {
    return check_text(context,
                      "%s What this check calls did not end in %s either, so it was given little time: mend "
                      "that one first.",
                      found, outcome->late_before);
}

/* One loop is told once, by the check that it was found in. */
static const char *late_cause(struct context *context, const struct outcome *outcome) {
    return check_text(context, "no end in %s",
                      outcome->late_before ? outcome->late_before : context->check->id);
}

static const char null_list[] =
    "The pointer is null: either there are no values, and then nothing may be read, or the call has to be "
    "refused (EINVAL) before anything is read.";

/* Whether the place in memory is what is wrong: that is what a check knows, which was built for one mistake in it. */
static bool is_of_a_place(enum finding_kind kind) {
    return kind == FINDING_OUT_OF_BOUNDS || kind == FINDING_KERNEL_TOUCHES_HOST ||
           kind == FINDING_UNINITIALISED || kind == FINDING_MISALIGNED || kind == FINDING_USE_AFTER_FREE;
}

/* A check may know what led to it: to a crash, to a place in memory, to an allocation that is too small. */
static bool is_known(const struct context *context, const struct finding *finding) {
    if (context->means[0] == '\0')
        return false;
    return (context->means_findings && is_of_a_place(finding->kind)) || finding->kind == FINDING_CRASH ||
           (finding->kind == FINDING_OUT_OF_BOUNDS && strncmp(finding->buffer, "allocation ", 11) == 0);
}

static const char *usual_meaning(struct context *context, const struct outcome *outcome,
                                 const struct finding *finding) {
    const bool on_host = check_runtime(context) == RUNTIME_HOST;
    if (on_host && strstr(finding->text, "null pointer") != NULL)
        return null_list;
    if (is_known(context, finding))
        return context->means;
    if (on_host && finding->kind == FINDING_OUT_OF_BOUNDS)
        return past_the_list;
    const char *here = meaning_of(context, outcome, finding);
    return here != NULL ? here : explanation_of(finding->kind)->means;
}

static _Noreturn void fail_with(struct context *context, const struct outcome *outcome,
                                const struct finding *finding, size_t faults) {
    const struct explanation *explanation = explanation_of(finding->kind);
    point_at_finding(context, outcome, finding);
    const char *found = finding->text[0] ? sentence(context, finding->text) : explanation->found;
    if (outcome->late_before != NULL)
        found = late_text(context, outcome, found);
    if (faults > 1)
        found = check_text(context, "%s (One of %zu findings.)", found, faults);
    const char *place = place_of(context, outcome, finding);
    if (context->where[0] == '\0') /* the check has said nothing of the case */
        context->where = call_text(context, outcome->test_case, finding->step);
    if (place[0] && context->where[0])
        context->where = check_text(context, "%s\n%s", place, context->where);
    else if (place[0])
        context->where = place;
    context->means = usual_meaning(context, outcome, finding);
    context->cause =
        check_text(context, "%s %s", explanation->name,
                   finding->at.pc ? symbols_find(context->symbols, finding->at.pc)->where : found);
    if (outcome->status == OUTCOME_TIMEOUT)
        context->cause = late_cause(context, outcome);
    read_next(context, findings_lesson, explanation->name);
    const bool crashed = finding->kind == FINDING_CRASH || finding->kind == FINDING_ENDED ||
                         outcome->status == OUTCOME_CRASH || outcome->status == OUTCOME_DAMAGED;
    const bool late = finding->kind == FINDING_ENDLESS || outcome->status == OUTCOME_TIMEOUT;
    check_end(context, late ? STATUS_TIMEOUT : crashed ? STATUS_CRASH : STATUS_FAIL, found);
}

static _Noreturn void fail_with_status(struct context *context, const struct outcome *outcome) {
    const uint32_t kinds[] = {[OUTCOME_CRASH] = FINDING_CRASH,
                              [OUTCOME_TIMEOUT] = FINDING_ENDLESS,
                              [OUTCOME_ENDED] = FINDING_ENDED,
                              [OUTCOME_DAMAGED] = FINDING_CRASH,
                              [OUTCOME_UNLOADED] = FINDING_CRASH};
    const struct explanation *explanation = explanation_of(kinds[outcome->status]);
    if (context->means[0] == '\0' && outcome->status != OUTCOME_UNLOADED)
        context->means = explanation->means;
    context->cause = outcome->status == OUTCOME_TIMEOUT ? late_cause(context, outcome) : outcome->reason;
    if (outcome->status != OUTCOME_UNLOADED)
        read_next(context, findings_lesson, explanation->name);
    check_end(context, outcome->status == OUTCOME_TIMEOUT ? STATUS_TIMEOUT : STATUS_CRASH,
              outcome->late_before != NULL ? late_text(context, outcome, outcome->reason) : outcome->reason);
}

/* A kernel's name without the types it is made for. */
static int plain_length(const struct finding *finding) {
    return (int)strcspn(finding->kernel, "<");
}

static bool is_alike(const struct finding *one, const struct finding *other) {
    return one->warning && other->warning && one->kind == other->kind &&
           plain_length(one) == plain_length(other) &&
           strncmp(one->kernel, other->kernel, (size_t)plain_length(one)) == 0;
}

/* One note for a kernel: of the lines where its threads write one value, the first. Its text is the same from
 * check to check, so that a report has it once. NULL: it has been said of this outcome. */
static const char *same_value_note(struct context *context, const struct outcome *outcome, size_t index) {
    const struct finding *finding = &outcome->findings[index];
    const char *first = NULL;
    for (size_t i = 0; i < outcome->finding_count; i++) {
        if (!is_alike(&outcome->findings[i], finding))
            continue;
        if (i < index)
            return NULL;
        const char *where = thread_and_line(context, &outcome->findings[i].at, false, false);
        if (first == NULL || strcmp(where, first) < 0)
            first = where;
    }
    return check_text(
        context,
        "Several threads of %.*s write the same value to one place%s%s. Nothing is wrong with the result; "
        "one thread would do.",
        plain_length(finding), finding->kernel, first[0] ? ", first at " : "", first);
}

/* Warnings are said beside the verdict. What may be thrown away, such as the value of an absent lane or of
 * padding that a wide load took along, is kept for explain_by_warning(). */
static void note_warnings(struct context *context, const struct outcome *outcome) {
    enum { NOTED_WARNINGS = 40 }; /* no more are sent by a simulator that nobody has bent */
    size_t noted = 0;
    for (size_t i = 0; i < outcome->finding_count && noted < NOTED_WARNINGS; i++) {
        const struct finding *finding = &outcome->findings[i];
        if (!finding->warning)
            continue;
        noted++;
        const char *where = thread_and_line(context, &finding->at, finding->kernel[0] != '\0', false);
        const char *note = finding->kind == FINDING_SAME_VALUE
                               ? same_value_note(context, outcome, i)
                               : check_text(context, "%s%s%s", sentence(context, finding->text),
                                            where[0] ? " At: " : "", where);
        if (note == NULL)
            continue;
        if (finding->kind == FINDING_LANE_ABSENT || finding->kind == FINDING_UNINITIALISED) {
            if (context->kept_back.note[0] == '\0') {
                context->kept_back.kind = finding->kind;
                context->kept_back.note = note;
            }
        } else if (strstr(context->notes, note) == NULL)
            check_note(context, "%s", note);
    }
}

bool lanes_were_absent(const struct context *context) {
    return context->kept_back.note[0] != '\0' && context->kept_back.kind == FINDING_LANE_ABSENT;
}

bool explain_by_warning(struct context *context) {
    const char *note = context->kept_back.note;
    if (note[0] == '\0')
        return false;
    if (context->kept_back.kind == FINDING_LANE_ABSENT) {
        explain(
            context,
            "A shuffle read lanes that did not take part in it: a block that is no multiple of 32 threads, a "
            "mask that names too few lanes, or lanes that skipped the shuffle. What it gives there is junk. "
            "Guard the value, not the shuffle. %s",
            note);
        context->cause = "absent lanes";
    } else {
        explain(
            context,
            "A wide load took elements along that nothing has written, and they were used: leave them out of "
            "the sum and the maximum. %s",
            note);
        context->cause = "unwritten elements of a wide load";
    }
    read_next(context, findings_lesson, explanation_of(context->kept_back.kind)->name);
    return true;
}

/* A value that nobody has written is often what another fault leads to: a missing barrier, a stage on the
 * wrong stream. Then the other fault is told. */
static bool is_symptom(uint32_t kind) {
    return kind == FINDING_UNINITIALISED || kind == FINDING_SHARED_UNINITIALISED;
}

/* The fault to tell: the first that is no symptom, or else the first. Null: there is none. */
static const struct finding *fault_to_tell(const struct outcome *outcome, int except) {
    const struct finding *first = NULL;
    for (size_t i = 0; i < outcome->finding_count; i++) {
        const struct finding *finding = &outcome->findings[i];
        if (finding->warning || (int)finding->kind == except)
            continue;
        /* Threads race, too, where some of them are at another barrier or have none to come to. */
        const bool led_to_it =
            first != NULL && first->kind == FINDING_RACE_BLOCK && finding->kind == FINDING_BARRIER_DIVERGED;
        if (first == NULL || (is_symptom(first->kind) && !is_symptom(finding->kind)) || led_to_it)
            first = finding;
    }
    return first;
}

static void clean(struct context *context, const struct outcome *outcome, int except) {
    note_warnings(context, outcome);
    const struct finding *fault = fault_to_tell(outcome, except);
    if (fault != NULL)
        fail_with(context, outcome, fault, count_faults(outcome, except));
    if (outcome->status != OUTCOME_OK)
        fail_with_status(context, outcome);
    check_inputs_read(context, outcome);
}

void check_clean(struct context *context, const struct outcome *outcome) {
    clean(context, outcome, -1);
}

void check_clean_except(struct context *context, const struct outcome *outcome, enum finding_kind kind) {
    clean(context, outcome, (int)kind);
}

void check_success(struct context *context, const struct outcome *outcome, int step, const char *function) {
    const int not_supported = 801; /* cudaErrorNotSupported */
    const struct returned *returned = outcome_return(outcome, step);
    if (returned == NULL) {
        check_clean(context, outcome);
        check_fail(context, "%s was called and did not come back.", function);
    }
    if (returned->value == not_supported)
        check_todo(context);
    if (returned->value != 0) {
        if (context->means[0] == '\0') /* the check has not said what it may be */
            explain(context, "%s", cuda_error_meaning(returned->value));
        check_fail(context, "%s returned %s for valid arguments.", function,
                   cuda_error_name(context, returned->value));
    }
}
