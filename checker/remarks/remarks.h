/* Remarks about a file of CUDA C that its compiler does not make: four mistakes that show in the text, with the place and
 * what usually comes of them. They are looked for in the text as it is written, launches cut by #if and macros
 * included, and are never a reason to refuse it. */
#ifndef REMARKS_H
#define REMARKS_H

#include <stdbool.h>
#include <stddef.h>

struct remark {
    int line, column; /* from 1; a column counts bytes */
    const char *id;   /* "launch-without-stream", "threadfence-grid-barrier" ... */
    char text[256];   /* one sentence or two */
};

struct remarks {
    struct remark *items; /* freed by remarks_free */
    size_t count;
};

/* Adds what is to be said of the text. remarks must be {0} or hold earlier ones. */
void remarks_read(const char *text, size_t length, struct remarks *remarks);

void remarks_free(struct remarks *remarks);

#endif
