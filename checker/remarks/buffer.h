/* Memory and text that grow. Where there is no memory left, the program says so and ends. */
#ifndef REMARKS_BUFFER_H
#define REMARKS_BUFFER_H

#include <stddef.h>

void *memory_resize(void *memory, size_t bytes); /* as realloc */
void memory_release(void *memory);

/* Text; always followed by a 0 that size does not count. Start with {0}; text is freed by the owner. */
struct buffer {
    char *text;
    size_t size, capacity;
};

void buffer_add(struct buffer *buffer, const char *text, size_t bytes);
void buffer_add_text(struct buffer *buffer, const char *text);

#endif
