/* What became of one check: making, joining and carrying its parts. */
#include "check/verdict.h"
#include "base/memory.h"
#include <string.h>

static const char *const status_names[STATUS_COUNT] = {
    [STATUS_SKIP] = "skip", [STATUS_PASS] = "pass",   [STATUS_FAIL] = "fail",
    [STATUS_TODO] = "todo", [STATUS_CRASH] = "crash", [STATUS_TIMEOUT] = "timeout",
};

const char *status_name(enum status status) {
    return status_names[status];
}

struct verdict verdict_new(enum status status, bool finished, const char *found) {
    return (struct verdict){
        .status = status,
        .finished = finished,
        .found = copy_text(found),
        .where = copy_text(""),
        .means = copy_text(""),
        .read = copy_text(""),
        .cause = copy_text(found),
        .notes = copy_text(""),
        .printed = copy_text(""),
    };
}

void verdict_free(struct verdict *verdict) {
    free(verdict->found);
    free(verdict->where);
    free(verdict->means);
    free(verdict->read);
    free(verdict->cause);
    free(verdict->notes);
    free(verdict->printed);
    *verdict = (struct verdict){0};
}

json_t *verdict_to_json(const struct verdict *verdict) {
    return json_pack("{si sb sf ss ss ss ss ss ss ss}", "status", (int)verdict->status, "finished",
                     (int)verdict->finished, "seconds", verdict->seconds, "found", verdict->found, "where",
                     verdict->where, "means", verdict->means, "read", verdict->read, "cause", verdict->cause,
                     "notes", verdict->notes, "printed", verdict->printed);
}

bool verdict_from_json(const json_t *json, struct verdict *verdict) {
    int status, finished;
    double seconds;
    const char *found, *where, *means, *read, *cause, *notes, *printed;
    if (json_unpack((json_t *)json, "{si sb sf ss ss ss ss ss ss ss}", "status", &status, "finished",
                    &finished, "seconds", &seconds, "found", &found, "where", &where, "means", &means, "read",
                    &read, "cause", &cause, "notes", &notes, "printed", &printed) != 0 ||
        status < 0 || status >= STATUS_COUNT)
        return false;
    *verdict = (struct verdict){
        .status = (enum status)status,
        .finished = finished != 0,
        .seconds = seconds,
        .found = copy_text(found),
        .where = copy_text(where),
        .means = copy_text(means),
        .read = copy_text(read),
        .cause = copy_text(cause),
        .notes = copy_text(notes),
        .printed = copy_text(printed),
    };
    return true;
}

char *verdict_message(const struct verdict *verdict) {
    const char *parts[] = {verdict->found, verdict->where, verdict->means, verdict->read};
    const char *leads[] = {"", "Where: ", "What it usually means: ", "Read: "};
    char *message = copy_text("");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i][0] == '\0')
            continue;
        char *longer = format_text("%s%s%s%s", message, message[0] ? "\n" : "", leads[i], parts[i]);
        free(message);
        message = longer;
    }
    return message;
}
