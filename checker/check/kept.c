#include "check/kept.h"
#include "check/case.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static FILE *create(const struct context *context, const char *name) {
    char *path = format_text("%s/%s", context->session->keep, name);
    FILE *file = fopen(path, "we");
    if (file == NULL)
        fprintf(stderr, "checker: %s cannot be written: %s.\n", path, strerror(errno));
    free(path);
    return file;
}

void keep_case(struct context *context, const struct list *bytes) {
    char name[32];
    if (context->session->keep == NULL)
        return;
    snprintf(name, sizeof name, "case-%d", context->cases - 1);
    FILE *file = create(context, name);
    if (file == NULL)
        return;
    fwrite(bytes->items, 1, bytes->count, file);
    fclose(file);
}

static int first_call(const struct outcome *outcome) {
    for (uint32_t i = 0; i < outcome->test_case->header.steps; i++)
        if (outcome->test_case->steps[i].kind == STEP_CALL)
            return (int)i;
    return 0;
}

/* Where the check points at nothing: the last case if kernels ran in it; of a check that passes, the first in which they did. */
static struct pointed where_to_begin(const struct context *context, bool bad) {
    const struct outcome *last = context->last, *found = NULL;
    for (const struct outcome *outcome = last; outcome && (!bad || outcome == last);
         outcome = outcome->before)
        if (outcome->kernel_count > 0)
            found = outcome;
    if (found != NULL)
        return (struct pointed){"kernel", found->number, found->kernels[0].step, 0};
    return (struct pointed){"call", last ? last->number : 0, last ? first_call(last) : 0, 0};
}

void keep_stop(const struct context *context) {
    FILE *file = context->session->keep ? create(context, "stop") : NULL;
    if (file == NULL)
        return;
    const bool bad = context->status != STATUS_PASS && context->status != STATUS_SKIP;
    const struct pointed at = bad && context->pointed.kind ? context->pointed : where_to_begin(context, bad);
    fprintf(file, "%s %d %d %zu\n", at.kind, at.number, at.index, at.offset);
    if (!bad)
        fprintf(file, "%s passes here; nothing was found.\n", context->check->id);
    else
        fprintf(file, "%s: %s\n%s%s", context->check->id, context->found, context->where,
                context->where[0] ? "\n" : "");
    fclose(file);
}

void point_at(struct context *context, const void *byte) {
    const uintptr_t address = (uintptr_t)byte;
    for (const struct outcome *outcome = context->last; outcome; outcome = outcome->before)
        for (int i = 0; i < CASE_MAX_BUFFERS; i++) {
            const uintptr_t start = (uintptr_t)outcome->buffers[i].bytes;
            if (start != 0 && address - start < outcome->buffers[i].size)
                context->pointed = (struct pointed){"write", outcome->number, i, address - start};
        }
}

void point_at_call(struct context *context, int step) {
    if (context->last != NULL)
        context->pointed = (struct pointed){"call", context->last->number, step, 0};
}

void point_at_finding(struct context *context, const struct outcome *outcome, const struct finding *finding) {
    const int index = (int)(finding - outcome->findings);
    if (finding->kind == FINDING_ENDLESS)
        context->pointed = (struct pointed){"endless", outcome->number, finding->step, 0};
    else if (finding->at.pc != 0 || finding->at.known)
        context->pointed = (struct pointed){"finding", outcome->number, index, 0};
    else if (finding->step >= 0)
        context->pointed = (struct pointed){"call", outcome->number, finding->step, 0};
}
