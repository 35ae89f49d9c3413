/* A worker's lines: {"begin": 3}, and {"end": 3, "verdict": {...}}. */
#include "grading/worker_message.h"
#include "base/memory.h"

/* Takes the reference. */
static char *line_of(json_t *message) {
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    return text ? text : copy_text("{}");
}

char *message_of_begin(size_t check) {
    return line_of(json_pack("{sI}", "begin", (json_int_t)check));
}

char *message_of_end(size_t check, const struct verdict *verdict) {
    return line_of(json_pack("{sI so}", "end", (json_int_t)check, "verdict", verdict_to_json(verdict)));
}

enum message_kind message_read(const char *line, size_t count, size_t *check, struct verdict *verdict) {
    json_t *message = json_loads(line, 0, NULL);
    const json_t *begin = json_object_get(message, "begin"), *end = json_object_get(message, "end");
    const json_t *named = begin ? begin : end;
    const json_int_t number = json_integer_value(named);
    enum message_kind kind = MESSAGE_NONE;
    if (json_is_integer(named) && number >= 0 && (size_t)number < count) {
        *check = (size_t)number;
        if (begin)
            kind = MESSAGE_BEGIN;
        else if (verdict_from_json(json_object_get(message, "verdict"), verdict))
            kind = MESSAGE_END;
    }
    json_decref(message);
    return kind;
}
