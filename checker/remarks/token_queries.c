/* Questions about tokens: spelling, neighbourhood, template arguments.
 *
 * Whether `<` opens template arguments or compares cannot be known without the declarations. A pair that
 * balances between two statement boundaries, brackets respected, is taken for template arguments. */
#include "tokens.h"

#include <string.h>

static bool same(const struct token_stream *stream, size_t i, const char *spelling) {
    const struct token *token = &stream->tokens[i];
    size_t length = token->end - token->start;
    return strlen(spelling) == length && memcmp(stream->text + token->start, spelling, length) == 0;
}

bool token_is(const struct token_stream *stream, size_t i, const char *spelling) {
    return i < stream->count && same(stream, i, spelling);
}

bool token_is_any(const struct token_stream *stream, size_t i, const char *const *spellings) {
    for (; i < stream->count && *spellings; spellings++)
        if (same(stream, i, *spellings))
            return true;
    return false;
}

bool token_is_identifier(const struct token_stream *stream, size_t i) {
    return i < stream->count && stream->tokens[i].kind == TOKEN_IDENTIFIER;
}

bool token_touches_next(const struct token_stream *stream, size_t i) {
    return i + 1 < stream->count && stream->tokens[i].end == stream->tokens[i + 1].start;
}

size_t template_open(const struct token_stream *stream, size_t i) {
    static const char *const boundaries[] = {"(", "[", "{", ";", "<<<", NULL};
    static const char *const closers[] = {")", "]", "}", NULL};
    size_t depth = 0;
    for (size_t at = i, steps = 0; at != NO_TOKEN && steps < REACH; at--, steps++) {
        if (token_is(stream, at, ">")) {
            depth++;
        } else if (token_is(stream, at, "<")) {
            /* `f<N < 4>`: where another `<` comes before, this one compares. */
            bool compares = depth == 1 && at >= 2 && token_is(stream, at - 2, "<");
            if (!compares && --depth == 0)
                return at > 0 && token_is_identifier(stream, at - 1) ? at : NO_TOKEN;
        } else if (token_is_any(stream, at, closers)) {
            at = stream->tokens[at].match;
            if (at == NO_TOKEN)
                return NO_TOKEN;
        } else if (token_is_any(stream, at, boundaries)) {
            return NO_TOKEN;
        }
    }
    return NO_TOKEN;
}

size_t template_close(const struct token_stream *stream, size_t i) {
    static const char *const boundaries[] = {")", "]", "}", ";", "<<<", NULL};
    static const char *const openers[] = {"(", "[", "{", NULL};
    size_t depth = 0;
    for (size_t at = i, steps = 0; at < stream->count && steps < REACH; at++, steps++) {
        if (token_is(stream, at, "<")) {
            depth++;
        } else if (token_is(stream, at, ">")) {
            if (--depth == 0)
                return at;
        } else if (token_is_any(stream, at, openers)) {
            at = stream->tokens[at].match;
            if (at == NO_TOKEN)
                return NO_TOKEN;
        } else if (token_is_any(stream, at, boundaries)) {
            return NO_TOKEN;
        }
    }
    return NO_TOKEN;
}

bool token_is_parameter(const struct token_stream *stream, size_t i) {
    const struct token *token = &stream->tokens[i];
    size_t length = token->end - token->start;
    for (size_t p = 0; p < stream->parameter_count; p++) {
        const struct token *parameter = &stream->parameters[p];
        if (parameter->end - parameter->start == length &&
            memcmp(stream->text + parameter->start, stream->text + token->start, length) == 0)
            return true;
    }
    return false;
}
