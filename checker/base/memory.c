/* Memory and text that cannot fail. */
#include "base/memory.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void *or_end(void *memory) {
    if (memory == NULL) {
        fputs("checker: this machine has no memory left; close other programs and try again.\n", stderr);
        exit(70);
    }
    return memory;
}

void *get_memory(size_t bytes) {
    return or_end(calloc(1, bytes ? bytes : 1));
}

void *more_memory(void *memory, size_t bytes) {
    return or_end(realloc(memory, bytes ? bytes : 1));
}

char *copy_text(const char *text) {
    return or_end(strdup(text ? text : ""));
}

char *format_arguments(const char *format, va_list arguments) {
    char *text = NULL;
    return or_end(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

char *format_text(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = format_arguments(format, arguments);
    va_end(arguments);
    return text;
}

void make_plain(char *text) {
    for (; *text; text++)
        if ((*text < ' ' || *text > '~') && *text != '\n' && *text != '\t')
            *text = '?';
}

void make_one_line(char *text) {
    make_plain(text);
    for (; *text; text++)
        if (*text == '\n' || *text == '\t')
            *text = ' ';
}

void list_add(struct list *list, const void *items, size_t count) {
    if (count == 0)
        return;
    if (list->count + count > list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 16;
        while (capacity < list->count + count)
            capacity *= 2;
        list->items = more_memory(list->items, capacity * list->item_bytes);
        list->capacity = capacity;
    }
    memcpy((char *)list->items + list->count * list->item_bytes, items, count * list->item_bytes);
    list->count += count;
}
