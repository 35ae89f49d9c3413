/* Performing a check under compute-sanitizer (see tools.h). The tool writes its report when the runner
 * ends: so the runner is dismissed after each check, and the report read then. */
#include "grading/tools.h"
#include "base/memory.h"
#include "check/explain.h"
#include "check/source_lines.h"
#include "grading/tool_report.h"
#include "link/runner_process.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TOOL_NAME = 32 };

static const double seconds_to_end = 60; /* leaks are looked for as the context goes */

static void replace(char **text, char *by) {
    free(*text);
    *text = by;
}

static size_t count_faults(const struct tool_report *report) {
    size_t faults = 0;
    for (size_t i = 0; i < report->count; i++)
        faults += !report->messages[i].warning;
    return faults;
}

/* The student's line, quoted, where the message names one. */
static char *place_of(const struct session *session, const struct tool_message *message) {
    char *quote =
        message->line > 0 ? symbols_quote(session->source, message->file, message->line) : copy_text("");
    char *place = message->line > 0 ? format_text("%s/%s:%d%s%s\n", session->source, message->file,
                                                  message->line, quote[0] ? "\n    " : "", quote)
                                    : copy_text("");
    char *whole = format_text("%s%s", place, message->details);
    free(quote);
    free(place);
    for (size_t end = strlen(whole); end > 0 && whole[end - 1] == '\n'; end--)
        whole[end - 1] = '\0';
    return whole;
}

/* The tool's finding becomes the verdict, for it names the line; what the check said itself is kept as a
 * note. */
static void fail_by(const struct session *session, const char *tool, const struct tool_message *message,
                    size_t faults, struct verdict *verdict) {
    const struct explanation *explanation = explanation_of(message->kind);
    if (verdict->found[0])
        replace(&verdict->notes, format_text("%sWithout the tool: %s\n", verdict->notes, verdict->found));
    verdict->status = STATUS_FAIL;
    replace(&verdict->found, faults > 1
                                 ? format_text("%s: %s. (The first of %zu.)", tool, message->headline, faults)
                                 : format_text("%s: %s.", tool, message->headline));
    replace(&verdict->where, place_of(session, message));
    replace(&verdict->means, copy_text(explanation->means));
    replace(&verdict->read, format_text("%s, \"%s\"", findings_lesson, explanation->name));
    replace(&verdict->cause, format_text("%s %s:%d", explanation->name, message->file, message->line));
}

static void note_warnings(const char *tool, const struct tool_report *report, struct verdict *verdict) {
    for (size_t i = 0; i < report->count; i++)
        if (report->messages[i].warning)
            replace(&verdict->notes,
                    format_text("%s%s: %s.\n", verdict->notes, tool, report->messages[i].headline));
}

/* A check that passed by its own means passes only if the tool found nothing either. */
static void judge(const struct session *session, const char *tool, const char *log, struct verdict *verdict) {
    FILE *file = fopen(log, "r");
    struct tool_report report = {.trouble = copy_text("")};
    if (file != NULL) {
        free(report.trouble);
        report = tool_report_read(file);
        fclose(file);
    }
    const size_t faults = count_faults(&report);
    note_warnings(tool, &report, verdict);
    for (size_t i = 0; i < report.count && verdict->status != STATUS_TODO; i++)
        if (!report.messages[i].warning) {
            fail_by(session, tool, &report.messages[i], faults, verdict);
            break;
        }
    if (verdict->status == STATUS_PASS && !report.complete) {
        verdict->status = STATUS_SKIP;
        replace(&verdict->found, format_text("%s gave no report of this check%s%s.", tool,
                                             report.trouble[0] ? ": " : "", report.trouble));
    }
    tool_report_free(&report);
}

static struct verdict perform_under(const struct session *session, const struct check *check,
                                    struct runner *runner, struct symbols *symbols, const char *tool) {
    char *log = format_text("%s.%s.%ld", session->submission, tool, (long)getpid());
    unlink(log);
    runner->tool = tool;
    runner->tool_log = log;
    struct verdict verdict = perform(session, check, runner, symbols);
    runner_dismiss(runner);
    runner_finish(runner, seconds_to_end);
    judge(session, tool, log, &verdict);
    runner->tool = runner->tool_log = NULL;
    unlink(log);
    free(log);
    return verdict;
}

struct verdict watched_perform(const struct session *session, const struct check *check,
                               struct runner *runner, struct symbols *symbols) {
    if (session->tools == NULL)
        return perform(session, check, runner, symbols);
    struct verdict whole = {0};
    double seconds = 0;
    bool first = true;
    for (const char *at = session->tools; *at;) {
        char tool[TOOL_NAME];
        const size_t length = strcspn(at, ",");
        snprintf(tool, sizeof tool, "%.*s", (int)length, at);
        at += length + (at[length] == ',');
        struct verdict verdict = perform_under(session, check, runner, symbols, tool);
        seconds += verdict.seconds;
        if (first || (whole.status == STATUS_PASS && verdict.status != STATUS_PASS)) {
            if (!first)
                verdict_free(&whole);
            whole = verdict;
        } else
            verdict_free(&verdict);
        first = false;
    }
    whole.seconds = seconds;
    return whole;
}
