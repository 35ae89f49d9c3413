/* Statements that go: a barrier, a store, a launch, a rule of the validation, a break. And returns of the
 * wrong thing. A statement is found from its `;` backwards. */
#include "mutant.h"

static const char *const CONTROL[] = {"if", "for", "while", "switch", NULL};

/* True when the brace that closes at token i is part of an expression: (state){max, sum}. */
static bool closes_expression(const struct token_stream *tokens, size_t i) {
    static const char *const after[] = {";", ",", ")", NULL};
    return token_is_any(tokens, i + 1, after);
}

/* The first token of the statement that ends with the `;` at token i; NO_TOKEN: it ends none. */
static size_t statement_start(const struct token_stream *tokens, size_t end) {
    static const char *const bounds[] = {";", "{", "else", "do", NULL};
    static const char *const closers[] = {")", "]", "}", NULL};
    for (size_t i = end; i-- > 0;) {
        const size_t match = tokens->tokens[i].match;
        if (token_is_any(tokens, i, bounds))
            return i + 1;
        if (token_is(tokens, i, "(") || token_is(tokens, i, "["))
            return NO_TOKEN; /* inside the brackets of a for */
        if (token_is(tokens, i, ":") && i >= 2 &&
            (token_is(tokens, i - 2, "case") || token_is(tokens, i - 1, "default")))
            return i + 1;
        if (!token_is_any(tokens, i, closers) || match == NO_TOKEN)
            continue;
        if (token_is(tokens, i, "}") && !closes_expression(tokens, i))
            return i + 1;
        if (token_is(tokens, i, ")") && match > 0 && token_is_any(tokens, match - 1, CONTROL))
            return i + 1;
        i = match;
    }
    return NO_TOKEN;
}

static bool is_declaration(const struct token_stream *tokens, size_t first) {
    static const char *const heads[] = {"enum",   "struct", "typedef", "template",
                                        "static", "const",  "extern",  NULL};
    if (!token_is_identifier(tokens, first))
        return false;
    if (token_is_any(tokens, first, heads) || token_is_identifier(tokens, first + 1))
        return true;
    if (token_is(tokens, first + 1, "*"))
        return token_touches_next(tokens, first + 1) && !token_touches_next(tokens, first);
    const size_t close = token_is(tokens, first + 1, "<") ? template_close(tokens, first + 1) : NO_TOKEN;
    return close != NO_TOKEN && token_is_identifier(tokens, close + 1);
}

static void mutate_return(struct mutation *mutation, size_t first, size_t end) {
    const struct token_stream *tokens = mutation->tokens;
    if (end == first + 2 && token_is(tokens, first + 1, "error"))
        propose(mutation, "status", first + 1, first + 1, "cudaSuccess");
    if (token_is(tokens, first + 1, "cudaGetLastError"))
        propose(mutation, "status", first + 1, end - 1, "cudaSuccess");
}

static void mutate_statement(struct mutation *mutation, size_t first, size_t end) {
    const struct token_stream *tokens = mutation->tokens;
    if (first >= end || is_declaration(tokens, first) ||
        (token_is(tokens, first, "return") && first + 1 < end)) {
        if (first < end && token_is(tokens, first, "return"))
            mutate_return(mutation, first, end);
        return;
    }
    const bool barrier = token_is(tokens, first, "__syncthreads") || token_is(tokens, first, "__syncwarp");
    propose(mutation, barrier ? "barrier" : "statement", first, end, ";");
    if (token_is(tokens, first, "__syncthreads"))
        propose(mutation, "barrier", first, first, "__syncwarp");
}

/* The last token of the statement that begins at token i. */
static size_t statement_end(const struct token_stream *tokens, size_t i) {
    if (token_is(tokens, i, "{"))
        return tokens->tokens[i].match;
    while (i < tokens->count && !token_is(tokens, i, ";"))
        i = tokens->tokens[i].match != NO_TOKEN && tokens->tokens[i].match > i ? tokens->tokens[i].match
                                                                               : i + 1;
    return i < tokens->count ? i : NO_TOKEN;
}

/* if (...) return ...; goes whole; the condition of any if holds always. */
static void mutate_if(struct mutation *mutation, size_t i) {
    const struct token_stream *tokens = mutation->tokens;
    const size_t close = tokens->tokens[i + 1].match;
    if (close == NO_TOKEN || close == i + 2)
        return;
    propose(mutation, "condition", i + 2, close - 1, "1");
    const size_t end = statement_end(tokens, close + 1);
    if (end == NO_TOKEN || token_is(tokens, end + 1, "else"))
        return;
    for (size_t j = close + 1; j < end; j++) {
        if (token_is(tokens, j, "return")) {
            propose(mutation, "guard", i, end, ";");
            return;
        }
    }
}

void mutate_statements(struct mutation *mutation) {
    const struct token_stream *tokens = mutation->tokens;
    size_t header_end = 0; /* of the last for: its two `;` end no statements */
    for (size_t i = 1; i + 1 < tokens->count; i++) {
        if (token_is(tokens, i, "for") && tokens->tokens[i + 1].match != NO_TOKEN)
            header_end = tokens->tokens[i + 1].match;
        if (token_is(tokens, i, "if") && token_is(tokens, i + 1, "("))
            mutate_if(mutation, i);
        if (!token_is(tokens, i, ";") || i < header_end)
            continue;
        const size_t first = statement_start(tokens, i);
        if (first != NO_TOKEN && first > 0)
            mutate_statement(mutation, first, i);
    }
}
