/* What a worker says to the parent: a line of JSON when it begins a check, and one with the verdict at its
 * end. */
#ifndef WORKER_MESSAGE_H
#define WORKER_MESSAGE_H

#include "check/verdict.h"
#include <stddef.h>

enum message_kind { MESSAGE_NONE, MESSAGE_BEGIN, MESSAGE_END };

/* The lines, without their ends; from malloc. */
char *message_of_begin(size_t check);
char *message_of_end(size_t check, const struct verdict *verdict);

/* Reads a line. MESSAGE_NONE: it makes no sense, or names no check below count. The verdict is set by
 * MESSAGE_END alone, and then the caller's to free. */
enum message_kind message_read(const char *line, size_t count, size_t *check, struct verdict *verdict);

#endif
