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

static struct reason *add(struct reasons *reasons, const char *file, const char *before, const char *after) {
    if (reasons->count == reasons->capacity) {
        reasons->capacity = reasons->capacity ? 2 * reasons->capacity : 32;
        reasons->items = memory_resize(reasons->items, reasons->capacity * sizeof *reasons->items);
    }
    struct reason *reason = &reasons->items[reasons->count++];
    *reason = (struct reason){.file = copy(file), .before = copy(before), .after = copy(after)};
    return reason;
}

/* What the pairs from first on have in common. False: there are pairs and no text. */
static bool give_text(struct reasons *reasons, size_t first, const char *text) {
    if (reasons->count > first && !*text)
        return false;
    for (size_t i = first; i < reasons->count; i++)
        reasons->items[i].text = copy(text);
    return true;
}

const char *reasons_parse(char *text, struct reasons *reasons, int *line) {
    static const char without_reason[] = "a change without a reason under it.";
    struct buffer why = {0};
    const char *file = NULL, *before = NULL, *trouble = NULL;
    size_t first = 0;
    *reasons = (struct reasons){0};
    *line = 0;
    buffer_add(&why, "", 0);
    for (char *next = text, *at; !trouble && (at = strsep(&next, "\n"));) {
        ++*line;
        if (*at == '#')
            continue;
        if (!*at) {
            trouble = give_text(reasons, first, why.text) ? NULL : without_reason;
            first = reasons->count;
            why.size = 0;
            buffer_add(&why, "", 0);
            file = before = NULL;
        } else if (!file) {
            file = at;
        } else if (*at == '-' && !why.size) {
            before = at + 1 + strspn(at + 1, " ");
        } else if (*at == '+' && !why.size) {
            if (before)
                add(reasons, file, before, at + 1 + strspn(at + 1, " "));
            else
                trouble = "a line with + has no line with - above it.";
        } else {
            if (why.size)
                buffer_add_text(&why, " ");
            buffer_add_text(&why, at + strspn(at, " "));
        }
    }
    if (!trouble && !give_text(reasons, first, why.text))
        trouble = without_reason;
    memory_release(why.text);
    return trouble;
}

struct reasons reasons_read(const char *path) {
    struct buffer text = read_file(path);
    struct reasons reasons;
    int line;
    const char *trouble = reasons_parse(text.text, &reasons, &line);
    if (trouble) {
        fprintf(stderr, "mutants: %s:%d: %s\n", path, line, trouble);
        exit(2);
    }
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
