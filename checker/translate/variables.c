/* Qualified variables, where the headers' macros alone cannot do it:
 *
 *   extern __shared__ T name[];       an alias of the block's dynamic shared memory, sim_dynamic_shared
 *   static __shared__ T name[4];      the macro brings `static` along, and C++ wants it once
 *   __shared__ alignas(16) T name;    alignas goes to the front, where it may stand beside an attribute
 *   __device__ T name;                __device__ stands before functions too, so a variable gets another word
 *
 * A constant (const or constexpr) goes to no section of its own: a compiler refuses to mix constants and
 * variables in one, and read-only data needs none, because nothing can write it. */
#include "declaration.h"
#include "passes.h"

static void blank(struct translation *translation, const struct token_stream *stream, size_t first,
                  size_t last) {
    edits_blank(&translation->edits, stream->text, stream->tokens[first].start, stream->tokens[last].end);
}

static void replace(struct translation *translation, const struct token_stream *stream, size_t i,
                    const char *text) {
    edits_replace(&translation->edits, stream->tokens[i].start, stream->tokens[i].end, text);
}

/* Moves alignas(...) to the front of the declaration. */
static void move_alignas(struct translation *translation, const struct token_stream *stream,
                         const struct declaration *declaration) {
    size_t i = declaration_find(stream, declaration, "alignas");
    if (i == NO_TOKEN || i == declaration->first || !token_is(stream, i + 1, "(") ||
        token_is(stream, i - 1, "struct") || token_is(stream, i - 1, "class") ||
        token_is(stream, i - 1, "union"))
        return;
    size_t close = stream->tokens[i + 1].match;
    if (close == NO_TOKEN)
        return;
    struct buffer text = {0};
    for (size_t at = i; at <= close; at++)
        buffer_add(&text, stream->text + stream->tokens[at].start,
                   stream->tokens[at].end - stream->tokens[at].start);
    buffer_add_text(&text, " ");
    size_t front = stream->tokens[declaration->first].start;
    edits_replace_bytes(&translation->edits, front, front, text.text, text.size);
    memory_release(text.text);
    blank(translation, stream, i, close);
}

/* Gives each declarator from token i on the name of the block's dynamic shared memory. */
static void name_dynamic(struct translation *translation, const struct token_stream *stream, size_t i) {
    static const char LABEL[] = " __asm__(\"sim_dynamic_shared\")";
    size_t last = i - 1; /* of the declarator: its name, or the bracket that ends it */
    for (size_t steps = 0; i < stream->count && steps < REACH; i++, steps++) {
        if (token_is(stream, i, "[")) {
            if (stream->tokens[i].match == NO_TOKEN)
                return;
            i = last = stream->tokens[i].match;
        } else if (token_is(stream, i, ",") || token_is(stream, i, ";")) {
            edits_replace(&translation->edits, stream->tokens[last].end, stream->tokens[last].end, LABEL);
            if (token_is(stream, i, ";"))
                return;
            last = i + 1;
        } else if (token_is(stream, i, "=") || token_is(stream, i, "{") || token_is(stream, i, "(")) {
            return; /* not a declaration that CUDA has: the compiler will say so */
        }
    }
    if (stream->macro && last < stream->count)
        edits_replace(&translation->edits, stream->tokens[last].end, stream->tokens[last].end, LABEL);
}

static void translate_shared(struct translation *translation, const struct token_stream *stream, size_t i,
                             const struct declaration *declaration) {
    size_t of_macro = declaration_find(stream, declaration, "static");
    if (declaration_find(stream, declaration, "extern") != NO_TOKEN) {
        blank(translation, stream, i, i);
        name_dynamic(translation, stream, declaration->end);
    } else if (of_macro != NO_TOKEN) {
        blank(translation, stream, of_macro, of_macro);
    }
    move_alignas(translation, stream, declaration);
}

static void translate_global(struct translation *translation, const struct token_stream *stream, size_t i,
                             const struct declaration *declaration) {
    bool constant_memory = token_is(stream, i, "__constant__");
    if (!constant_memory && (declaration_find(stream, declaration, "__constant__") != NO_TOKEN ||
                             declaration_find(stream, declaration, "__managed__") != NO_TOKEN))
        return;
    if (declaration->constant && constant_memory)
        blank(translation, stream, i, i);
    else if (!declaration->constant && !constant_memory)
        replace(translation, stream, i, "__sim_device_variable__");
    move_alignas(translation, stream, declaration);
}

void translate_variables(struct translation *translation, const struct token_stream *stream) {
    for (size_t i = 0; i < stream->count && !translation->failed; i++) {
        bool shared = token_is(stream, i, "__shared__");
        if (!shared && !token_is(stream, i, "__device__") && !token_is(stream, i, "__constant__"))
            continue;
        struct declaration declaration = declaration_read(stream, i);
        /* A macro's body may end before its declaration does. */
        bool ends_open = stream->macro && declaration.end == stream->count && declaration.names >= 2;
        if (shared && (declaration.variable || ends_open))
            translate_shared(translation, stream, i, &declaration);
        else if (!shared && declaration.variable)
            translate_global(translation, stream, i, &declaration);
    }
}
