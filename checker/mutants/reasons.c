/* Reads the file of reasons, paragraph by paragraph. */
#include "reasons.h"
#include "read_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text) {
    struct buffer copied = {0};
    buffer_add(&copied, text, strlen(text));
    return copied.text;
}

static _Noreturn void refuse(const char *path, int line, const char *what) {
    fprintf(stderr, "mutants: %s:%d: %s\n", path, line, what);
    exit(2);
}

static struct reason *add(struct reasons *reasons, const char *file, const char *before, const char *after) {
    if (reasons->count == reasons->capacity) {
        reasons->capacity = reasons->capacity ? 2 * reasons->capacity : 32;
        reasons->items = memory_resize(reasons->items, reasons->capacity * sizeof *reasons->items);
    }
    struct reason *reason = &reasons->items[reasons->count++];
    *reason = (struct reason){.file = copy(file), .before = copy(before), .after = copy(after)};
    return reason;
}

/* What the pairs from first on have in common. */
static void give_text(struct reasons *reasons, size_t first, const char *text, const char *path, int line) {
    if (reasons->count > first && !*text)
        refuse(path, line, "a change without a reason under it.");
    for (size_t i = first; i < reasons->count; i++)
        reasons->items[i].text = copy(text);
}

struct reasons reasons_read(const char *path) {
    struct buffer text = read_file(path), why = {0};
    struct reasons reasons = {0};
    const char *file = NULL, *before = NULL;
    size_t first = 0;
    int line = 0;
    buffer_add(&why, "", 0);
    for (char *next = text.text, *at; (at = strsep(&next, "\n"));) {
        line++;
        if (*at == '#')
            continue;
        if (!*at) {
            give_text(&reasons, first, why.text, path, line);
            first = reasons.count;
            why.size = 0;
            buffer_add(&why, "", 0);
            file = before = NULL;
        } else if (!file) {
            file = at;
        } else if (*at == '-' && !why.size) {
            before = at + 1 + strspn(at + 1, " ");
        } else if (*at == '+' && !why.size) {
            if (!before)
                refuse(path, line, "a line with + has no line with - above it.");
            add(&reasons, file, before, at + 1 + strspn(at + 1, " "));
        } else {
            if (why.size)
                buffer_add_text(&why, " ");
            buffer_add_text(&why, at + strspn(at, " "));
        }
    }
    give_text(&reasons, first, why.text, path, line);
    memory_release(why.text);
    memory_release(text.text);
    return reasons;
}

void reasons_free(struct reasons *reasons) {
    for (size_t i = 0; i < reasons->count; i++) {
        memory_release(reasons->items[i].file);
        memory_release(reasons->items[i].before);
        memory_release(reasons->items[i].after);
        memory_release(reasons->items[i].text);
    }
    memory_release(reasons->items);
}

const char *reasons_find(struct reasons *reasons, const char *file, const char *before, const char *after) {
    for (size_t i = 0; i < reasons->count; i++) {
        struct reason *reason = &reasons->items[i];
        if (strcmp(reason->file, file) == 0 && strcmp(reason->before, before) == 0 &&
            strcmp(reason->after, after) == 0) {
            reason->used = true;
            return reason->text;
        }
    }
    return NULL;
}
