/* Guarded output arrays (see guarded.h). */
#include "guarded.h"

struct guarded guarded_add(struct test_case *test_case, const char *name, enum element_type type,
                           size_t count, size_t guard) {
    size_t bytes = guard + count * element_bytes(type) + guard;
    int buffer = case_buffer(test_case, name, PLACE_DEVICE, BUFFER_RETURN, bytes, NULL, 0);
    return (struct guarded){name, type, count, guard, buffer};
}

struct operand guarded_vector(struct guarded array) {
    return vector_in(array.buffer, array.type, (int64_t)array.count, (int64_t)array.guard);
}

struct operand guarded_matrix(struct guarded array, int64_t rows, int64_t cols) {
    struct operand operand = matrix_in(array.buffer, array.type, rows, cols, cols);
    operand.offset = (int64_t)array.guard;
    return operand;
}

/* The first byte in [from, to) that is not poison, or -1. */
static int64_t first_written(const unsigned char *bytes, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        if (bytes[i] != 0xFF)
            return (int64_t)i;
    return -1;
}

const void *guarded_elements(struct context *context, const struct outcome *outcome, struct guarded array,
                             const char *function) {
    const unsigned char *bytes = outcome_buffer(context, outcome, array.buffer);
    size_t width = element_bytes(array.type), size = array.count * width;
    int64_t before = first_written(bytes, 0, array.guard);
    int64_t behind = first_written(bytes, array.guard + size, array.guard + size + array.guard);
    if (before < 0 && behind < 0)
        return bytes + array.guard;

    int64_t byte = before >= 0 ? before - (int64_t)array.guard : behind - (int64_t)array.guard;
    int64_t element = byte >= 0 ? byte / (int64_t)width : -((-byte + (int64_t)width - 1) / (int64_t)width);
    point_at(context, bytes + (int64_t)array.guard + byte);
    locate(context, "Element %lld of %s, which has elements 0 to %llu.", (long long)element, array.name,
           (unsigned long long)array.count - 1);
    explain(context,
            "A thread that has no element of its own stores all the same: the last chunk of a row is "
            "shorter than the others, and the last block may have nothing to do.");
    check_fail(context, "%s wrote outside %s.", function, array.name);
}

void guarded_check_untouched(struct context *context, const struct outcome *outcome, struct guarded array,
                             const char *function) {
    const unsigned char *bytes = outcome_buffer(context, outcome, array.buffer);
    size_t size = array.guard + array.count * element_bytes(array.type) + array.guard;
    int64_t byte = first_written(bytes, 0, size);
    if (byte < 0)
        return;
    point_at(context, bytes + byte);
    locate(context, "Byte %lld of the buffer %s.", (long long)byte, array.name);
    check_fail(context, "%s wrote to %s, though it had to leave everything alone.", function, array.name);
}
