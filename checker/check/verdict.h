/* What became of one check, as it travels from a worker to the report and to check.json. */
#ifndef VERDICT_H
#define VERDICT_H

#include <jansson.h>
#include <stdbool.h>

enum status {
    STATUS_SKIP,
    STATUS_PASS,
    STATUS_FAIL,
    STATUS_TODO,
    STATUS_CRASH,
    STATUS_TIMEOUT,
    STATUS_COUNT
};

/* Each text is a string of its own from malloc, never null, perhaps empty. */
struct verdict {
    enum status status;
    bool finished; /* false: not run yet */
    double seconds;
    char *found;   /* what was found, in a sentence */
    char *where;   /* row, column, kernel, thread, file:line */
    char *means;   /* what it usually means */
    char *read;    /* what to read */
    char *cause;   /* the same for two failures with one cause */
    char *notes;   /* lines that are no verdict */
    char *printed; /* what the submission printed */
};

/* "pass", "fail" and so on, as check.json has them. */
const char *status_name(enum status status);

struct verdict verdict_new(enum status status, bool finished, const char *found);
void verdict_free(struct verdict *verdict);

/* To and from JSON. From JSON: returns false, and leaves *verdict alone, when a field is missing. */
json_t *verdict_to_json(const struct verdict *verdict);
bool verdict_from_json(const json_t *json, struct verdict *verdict);

/* The parts of the message as one text, a part in each paragraph; from malloc. */
char *verdict_message(const struct verdict *verdict);

#endif
