/* Reading compute-sanitizer's report. Every line begins with "=========". A message begins with a line that
 * has one space after that; the lines that belong to it are indented. Backtraces of host code, which name the
 * runner and the driver, are left out. Tried with compute-sanitizer 2025.3 (CUDA 13.0). */
#include "grading/tool_report.h"
#include "base/memory.h"
#include <ctype.h>
#include <string.h>

static const char mark[] = "=========";

/* How its headlines begin, or what they hold. The first that fits counts. */
static const struct {
    const char *words;
    enum finding_kind kind;
} meanings[] = {
    {"is misaligned", FINDING_MISALIGNED},
    {"Invalid __shared__", FINDING_SHARED_OUT_OF_BOUNDS},
    {"stream-ordered", FINDING_RACE_STREAMS},
    {"Use-after-free", FINDING_USE_AFTER_FREE},
    {"use-after-free", FINDING_USE_AFTER_FREE},
    {"Invalid __", FINDING_OUT_OF_BOUNDS},
    {"Leaked", FINDING_LEAK},
    {"Race reported", FINDING_RACE_BLOCK},
    {"hazard", FINDING_RACE_BLOCK},
    {"Uninitialized", FINDING_UNINITIALISED},
    {"Barrier error", FINDING_BARRIER_DIVERGED},
    {"Divergent thread", FINDING_BARRIER_DIVERGED},
    {"Invalid arguments", FINDING_LANE_ABSENT},
    {"Double free", FINDING_INVALID_FREE},
    {"Malloc/Free", FINDING_INVALID_FREE},
};

static bool classify(struct tool_message *message) {
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strstr(message->headline, meanings[i].words) || strstr(message->details, meanings[i].words)) {
            message->kind = meanings[i].kind;
            message->warning = strncmp(message->headline, "Warning", 7) == 0;
            return true;
        }
    return false;
}

/* Lines at the report's beginning and end, which are no messages. */
static bool is_frame(const char *text) {
    return strncmp(text, "COMPUTE-SANITIZER", 17) == 0 || strstr(text, "SUMMARY") != NULL ||
           strstr(text, "Target application") != NULL || strncmp(text, "This tool is deprecated", 23) == 0;
}

static void add_text(char **text, const char *line) {
    char *longer = format_text("%s%s\n", *text, line);
    free(*text);
    *text = longer;
}

/* "... in split_softmax.cu:112" or "... in /path/split_softmax.cu:112:kernel(...)" */
static void find_line(struct tool_message *message, const char *text) {
    const char *in = strstr(text, " in ");
    for (; in != NULL && message->line == 0; in = strstr(in + 1, " in ")) {
        const char *name = in + 4, *colon = strchr(name, ':');
        if (colon == NULL || !isdigit((unsigned char)colon[1]))
            continue;
        for (const char *at = name; at < colon; at++)
            if (*at == '/')
                name = at + 1;
        free(message->file);
        message->file = format_text("%.*s", (int)(colon - name), name);
        message->line = atoi(colon + 1);
    }
}

static void add_message(struct tool_report *report, const char *headline) {
    report->messages = realloc(report->messages, (report->count + 1) * sizeof *report->messages);
    if (report->messages == NULL)
        abort();
    report->messages[report->count] = (struct tool_message){
        .headline = copy_text(headline), .details = copy_text(""), .file = copy_text("")};
    find_line(&report->messages[report->count++], headline);
}

static void free_message(struct tool_message *message) {
    free(message->headline);
    free(message->details);
    free(message->file);
}

/* Keeps what is a message, and takes the rest for the tool's words about itself. */
static void sort_messages(struct tool_report *report) {
    size_t kept = 0;
    for (size_t i = 0; i < report->count; i++) {
        struct tool_message *message = &report->messages[i];
        if (classify(message)) {
            report->messages[kept++] = *message;
            continue;
        }
        if (report->trouble[0] == '\0' && strncmp(message->headline, "Program hit", 11) != 0) {
            free(report->trouble);
            report->trouble = copy_text(message->headline);
        }
        free_message(message);
    }
    report->count = kept;
}

struct tool_report tool_report_read(FILE *file) {
    struct tool_report report = {.trouble = copy_text("")};
    char *line = NULL;
    size_t room = 0;
    bool backtrace = false;
    while (getline(&line, &room, file) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, mark, strlen(mark)) != 0)
            continue;
        const char *text = line + strlen(mark);
        const size_t indent = strspn(text, " ");
        text += indent;
        report.complete |= strstr(text, "SUMMARY") != NULL;
        if (*text == '\0' || is_frame(text))
            continue;
        if (indent <= 1) {
            add_message(&report, text);
            backtrace = false;
        } else if (report.count > 0) {
            struct tool_message *last = &report.messages[report.count - 1];
            backtrace |= strstr(text, "ost backtrace") != NULL || strncmp(text, "Host Frame", 10) == 0;
            find_line(last, text);
            if (!backtrace)
                add_text(&last->details, text);
        }
    }
    free(line);
    sort_messages(&report);
    return report;
}

void tool_report_free(struct tool_report *report) {
    for (size_t i = 0; i < report->count; i++)
        free_message(&report->messages[i]);
    free(report->messages);
    free(report->trouble);
    *report = (struct tool_report){0};
}
