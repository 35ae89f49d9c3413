/* One running check: memory, random numbers, message and verdict. */
#include "check/context.h"
#include "base/memory.h"
#include <check.h>
#include <math.h>
#include <string.h>

/* Each piece of memory is preceded by a link to the one before it. */
struct block {
    struct block *next;
    max_align_t bytes[];
};

void *check_memory(struct context *context, size_t bytes) {
    struct block *block = get_memory(sizeof *block + bytes);
    block->next = context->memory;
    context->memory = block;
    return block->bytes;
}

static const char *text_of(struct context *context, const char *format, va_list arguments) {
    char *text = format_arguments(format, arguments);
    char *kept = strcpy(check_memory(context, strlen(text) + 1), text);
    free(text);
    return kept;
}

#define WITH_ARGUMENTS(statement)                                                                            \
    do {                                                                                                     \
        va_list arguments;                                                                                   \
        va_start(arguments, format);                                                                         \
        statement;                                                                                           \
        va_end(arguments);                                                                                   \
    } while (0)

char *check_text(struct context *context, const char *format, ...) {
    const char *text;
    WITH_ARGUMENTS(text = text_of(context, format, arguments));
    return (char *)text;
}

void locate(struct context *context, const char *format, ...) {
    WITH_ARGUMENTS(context->where = text_of(context, format, arguments));
}

void explain(struct context *context, const char *format, ...) {
    WITH_ARGUMENTS(context->means = text_of(context, format, arguments));
}

void read_next(struct context *context, const char *lesson, const char *section) {
    context->lesson = lesson;
    context->section = section;
}

void explain_findings(struct context *context, const char *format, ...) {
    WITH_ARGUMENTS(context->means = text_of(context, format, arguments));
    context->means_findings = true;
}

void context_forget_case(struct context *context) {
    context->where = context->means = context->cause = "";
    context->means_findings = false;
    context->pointed = (struct pointed){0};
    context->kept_back.note = "";
    context->lesson = context->check->lesson ? context->check->lesson : "";
    context->section = context->check->section ? context->check->section : "";
}

void check_note(struct context *context, const char *format, ...) {
    const char *note;
    WITH_ARGUMENTS(note = text_of(context, format, arguments));
    context->notes = check_text(context, "%s%s\n", context->notes, note);
}

void check_end(struct context *context, enum status status, const char *found) {
    context->judged = true;
    context->status = status;
    context->found = found;
    ck_abort_msg("%s", status_name(status)); /* libcheck leaves the check; the parts stay here */
}

void check_fail(struct context *context, const char *format, ...) {
    const char *found;
    WITH_ARGUMENTS(found = text_of(context, format, arguments));
    check_end(context, STATUS_FAIL, found);
}

void check_skip(struct context *context, const char *format, ...) {
    const char *found;
    WITH_ARGUMENTS(found = text_of(context, format, arguments));
    check_end(context, STATUS_SKIP, found);
}

void check_todo(struct context *context) {
    check_end(context, STATUS_TODO, "It is not written yet.");
}

void check_waits(struct context *context, const char *format, ...) {
    const char *found;
    WITH_ARGUMENTS(found = text_of(context, format, arguments));
    check_end(context, STATUS_TODO, found);
}

/* splitmix64 (Steele, Lea, Flood 2014): small, good enough for test data, the same everywhere. */
uint64_t check_random(struct context *context) {
    uint64_t z = context->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double check_uniform(struct context *context, double low, double high) {
    return low + (high - low) * (double)(check_random(context) >> 11) * 0x1p-53;
}

/* Box and Muller (1958). */
double check_normal(struct context *context) {
    const double pi = 3.14159265358979323846;
    double radius = sqrt(-2.0 * log(1.0 - check_uniform(context, 0, 1)));
    return radius * cos(2.0 * pi * check_uniform(context, 0, 1));
}

uint64_t check_seed(const struct context *context) {
    return context->session->seed;
}

enum runtime check_runtime(const struct context *context) {
    return (enum runtime)context->session->ready.runtime;
}

bool accesses_are_seen(const struct context *context) {
    return check_runtime(context) == RUNTIME_SIMULATOR;
}

bool check_has_memory(const struct context *context, uint64_t bytes) {
    const uint64_t there = context->session->ready.device_bytes;
    return there == 0 || there / 2 >= bytes;
}

void context_begin(struct context *context, const struct session *session, const struct check *check,
                   struct runner *runner, struct symbols *symbols) {
    /* FNV-1a over the id, so that a check draws the same numbers whatever else runs. */
    uint64_t random = 0xcbf29ce484222325u ^ (session->seed * 0x9e3779b97f4a7c15u);
    for (const char *id = check->id; *id; id++)
        random = (random ^ (unsigned char)*id) * 0x100000001b3u;
    *context = (struct context){
        .session = session,
        .check = check,
        .runner = runner,
        .symbols = symbols,
        .random = random,
        .found = "",
        .notes = "",
    };
    context_forget_case(context);
}

void context_end(struct context *context) {
    while (context->memory != NULL) {
        struct block *next = context->memory->next;
        free(context->memory);
        context->memory = next;
    }
}
