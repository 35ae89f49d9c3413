/* Drops the cast of a kernel to void * where it is launched by its address:
 *
 *   cudaLaunchKernel((const void *)kernel<T>, ...)               cudaLaunchKernel(kernel<T>, ...)
 *   cudaLaunchKernelExC(&c, reinterpret_cast<void *>(k), ...)    sim::cudaLaunchKernelExC(&c, (k), ...)
 *
 * On a GPU the runtime knows a kernel's parameters from its address. The simulator has them from its type,
 * which the cast would hide. All else about these calls is left to the compiler. */
#include "passes.h"

/* The last token of `void *`, with or without const, that begins at token i; NO_TOKEN: something else. */
static size_t void_pointer_end(const struct token_stream *stream, size_t i) {
    if (token_is(stream, i, "const"))
        i++;
    if (!token_is(stream, i, "void"))
        return NO_TOKEN;
    i++;
    if (token_is(stream, i, "const"))
        i++;
    if (!token_is(stream, i, "*"))
        return NO_TOKEN;
    return token_is(stream, i + 1, "const") ? i + 1 : i;
}

/* The last token of a cast to void * that begins at token i; NO_TOKEN: none begins there. */
static size_t cast_end(const struct token_stream *stream, size_t i) {
    static const char *const casts[] = {"reinterpret_cast", "static_cast", NULL};
    const bool named = token_is_any(stream, i, casts) && token_is(stream, i + 1, "<");
    if (!named && !token_is(stream, i, "("))
        return NO_TOKEN;
    const size_t type_end = void_pointer_end(stream, named ? i + 2 : i + 1);
    return type_end != NO_TOKEN && token_is(stream, type_end + 1, named ? ">" : ")") ? type_end + 1
                                                                                     : NO_TOKEN;
}

/* Blanks the casts at the beginning of an argument, also one within another and within parentheses. */
static bool drop_casts(struct translation *translation, const struct token_stream *stream, size_t i) {
    bool dropped = false;
    for (;;) {
        const size_t end = cast_end(stream, i);
        if (end != NO_TOKEN) {
            edits_blank(&translation->edits, stream->text, stream->tokens[i].start, stream->tokens[end].end);
            dropped = true;
            i = end + 1;
        } else if (token_is(stream, i, "(")) {
            i++;
        } else {
            return dropped;
        }
    }
}

/* The first token after the comma that ends the argument which begins at token i; NO_TOKEN: there is none. */
static size_t next_argument(const struct token_stream *stream, size_t i) {
    static const char *const openers[] = {"(", "[", "{", NULL};
    static const char *const ends[] = {")", "]", "}", ";", NULL};
    for (size_t steps = 0; i < stream->count && steps < REACH; i++, steps++) {
        if (token_is(stream, i, ","))
            return i + 1;
        if (token_is_any(stream, i, ends))
            return NO_TOKEN;
        if (token_is_any(stream, i, openers) && (i = stream->tokens[i].match) == NO_TOKEN)
            return NO_TOKEN;
    }
    return NO_TOKEN;
}

void translate_kernel_pointers(struct translation *translation, const struct token_stream *stream) {
    for (size_t i = 0; i < stream->count; i++) {
        if (!token_is(stream, i + 1, "("))
            continue;
        if (token_is(stream, i, "cudaLaunchKernel")) {
            drop_casts(translation, stream, i + 2);
        } else if (token_is(stream, i, "cudaLaunchKernelExC")) {
            const size_t kernel = next_argument(stream, i + 2);
            if (kernel != NO_TOKEN && drop_casts(translation, stream, kernel))
                edits_replace(&translation->edits, stream->tokens[i].start, stream->tokens[i].start, "sim::");
        }
    }
}
