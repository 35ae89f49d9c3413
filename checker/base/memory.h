/* Memory and text that cannot fail: where there is no memory left, the checker says so and ends. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

void *get_memory(size_t bytes);                /* zeroed */
void *more_memory(void *memory, size_t bytes); /* as realloc */
char *copy_text(const char *text);
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *format_arguments(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* Leaves printable ASCII, tabs and newlines; any other byte becomes '?'. */
void make_plain(char *text);

/* The same for what has to stay within a line: tabs and newlines become blanks. */
void make_one_line(char *text);

/* An array that grows: items of item_bytes each. Start with {.item_bytes = sizeof(struct thing)}. */
struct list {
    void *items;
    size_t count, capacity, item_bytes;
};

void list_add(struct list *list, const void *items, size_t count);

#endif
