/* Memory and text that grow: capacity doubles. */
#include "buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *memory_resize(void *memory, size_t bytes) {
    memory = realloc(memory, bytes ? bytes : 1);
    if (!memory) {
        fputs("remarks: no memory left.\n", stderr);
        exit(3);
    }
    return memory;
}

void memory_release(void *memory) {
    free(memory);
}

void buffer_add(struct buffer *buffer, const char *text, size_t bytes) {
    if (buffer->size + bytes + 1 > buffer->capacity) {
        buffer->capacity = 2 * (buffer->size + bytes) + 64;
        buffer->text = memory_resize(buffer->text, buffer->capacity);
    }
    if (bytes)
        memcpy(buffer->text + buffer->size, text, bytes);
    buffer->size += bytes;
    buffer->text[buffer->size] = '\0';
}

void buffer_add_text(struct buffer *buffer, const char *text) {
    buffer_add(buffer, text, strlen(text));
}
