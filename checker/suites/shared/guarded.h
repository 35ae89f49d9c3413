/* An output array with guards before and behind it, in one buffer.
 *
 * The buffer is poison (0xFF) throughout, so an element that was never written is known by its bytes, and so
 * is a guard that was. Without guards the buffer ends with the array: then the simulator itself sees an
 * access outside, and can name the line; with guards the bytes tell also on a GPU. */
#ifndef GUARDED_H
#define GUARDED_H

#include "check/check.h"
#include "numbers/element.h"

enum { NO_GUARD = 0, GUARD = 1024 /* bytes; keeps the alignment of 256 that a contract promises */ };

struct guarded {
    const char *name;
    enum element_type type;
    size_t count; /* elements */
    size_t guard; /* bytes before the array, and as many behind it */
    int buffer;
};

struct guarded guarded_add(struct test_case *test_case, const char *name, enum element_type type,
                           size_t count, size_t guard);

/* A pointer to the first element; the array as a dense matrix. */
struct operand guarded_vector(struct guarded array);
struct operand guarded_matrix(struct guarded array, int64_t rows, int64_t cols);

/* The elements that came back. Fails the check when something was written to a guard. */
const void *guarded_elements(struct context *context, const struct outcome *outcome, struct guarded array,
                             const char *function);

/* Fails the check when anything at all was written to the buffer. */
void guarded_check_untouched(struct context *context, const struct outcome *outcome, struct guarded array,
                             const char *function);

#endif
