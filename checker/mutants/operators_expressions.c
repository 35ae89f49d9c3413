/* Parts of expressions: an index or a bound that is one off, a condition that is left out, arms of ?: that
 * are exchanged. Where a part ends is found by its brackets and by the operators that bind less. */
#include "mutant.h"

static const char *const OPENERS[] = {"(", "[", "{", "<<<", NULL};
static const char *const CLOSERS[] = {")", "]", "}", NULL};

/* The last token of the part that begins at token i: the next of these, at the same depth, ends it, and so
 * does a bracket that closes. */
static size_t part_end(const struct token_stream *tokens, size_t i, const char *const *ends) {
    for (; i < tokens->count; i++) {
        if (token_is_any(tokens, i, ends) || token_is_any(tokens, i, CLOSERS))
            return i - 1;
        if (token_is_any(tokens, i, OPENERS) && tokens->tokens[i].match != NO_TOKEN)
            i = tokens->tokens[i].match;
    }
    return NO_TOKEN;
}

/* The first token of the part that ends with token i, in the same sense. */
static size_t part_start(const struct token_stream *tokens, size_t i, const char *const *starts) {
    for (;; i--) {
        if (token_is_any(tokens, i, CLOSERS) && tokens->tokens[i].match != NO_TOKEN)
            i = tokens->tokens[i].match;
        else if (token_is_any(tokens, i, starts) || token_is_any(tokens, i, OPENERS))
            return i + 1;
        if (i == 0)
            return NO_TOKEN;
    }
}

static void one_off(struct mutation *mutation, size_t last) {
    propose_behind(mutation, "offset", last, " + 1");
    propose_behind(mutation, "offset", last, " - 1");
}

static bool is_number(const struct token_stream *tokens, size_t i) {
    return tokens->tokens[i].kind == TOKEN_NUMBER;
}

/* a[i]: not where an array is declared, which is what a type's name before the array's tells. */
static void mutate_index(struct mutation *mutation, size_t open) {
    const struct token_stream *tokens = mutation->tokens;
    const size_t close = tokens->tokens[open].match;
    size_t name = open;
    while (name > 0 && token_is(tokens, name - 1, "]"))
        name = tokens->tokens[name - 1].match;
    const bool declares =
        name >= 2 && token_is_identifier(tokens, name - 1) && token_is_identifier(tokens, name - 2);
    if (close == NO_TOKEN || close == open + 1 || is_number(tokens, close - 1))
        return;
    if (declares)
        propose_behind(mutation, "offset", close - 1, " - 1"); /* one more would change nothing */
    else
        one_off(mutation, close - 1);
}

/* What stands on the right of a comparison. */
static void mutate_bound(struct mutation *mutation, size_t comparison) {
    static const char *const ends[] = {";", ",", "&&", "||", "?", ":", NULL};
    const struct token_stream *tokens = mutation->tokens;
    const size_t last = part_end(tokens, comparison + 1, ends);
    if (last == NO_TOKEN || is_number(tokens, last) || token_is(tokens, last, "INFINITY") ||
        token_is(tokens, last, "NULL"))
        return;
    one_off(mutation, last);
}

/* An operand of && or || that counts for nothing. */
static void mutate_operands(struct mutation *mutation, size_t at) {
    static const char *const bounds[] = {"&&", "||", "?", ":", ",", ";", "=", "return", NULL};
    const struct token_stream *tokens = mutation->tokens;
    const char *nothing = token_is(tokens, at, "&&") ? "1" : "0";
    const size_t first = part_start(tokens, at - 1, bounds), last = part_end(tokens, at + 1, bounds);
    if (first != NO_TOKEN)
        propose(mutation, "logical", first, at - 1, "%s", nothing);
    if (last != NO_TOKEN)
        propose(mutation, "logical", at + 1, last, "%s", nothing);
}

static void mutate_ternary(struct mutation *mutation, size_t question) {
    static const char *const colon[] = {":", ";", NULL}, *const ends[] = {";", ",", ":", NULL};
    const struct token_stream *tokens = mutation->tokens;
    const size_t yes = part_end(tokens, question + 1, colon);
    if (yes == NO_TOKEN || !token_is(tokens, yes + 1, ":"))
        return;
    const size_t no = part_end(tokens, yes + 2, ends);
    if (no == NO_TOKEN)
        return;
    propose(mutation, "ternary", question + 1, no, "%.*s : %.*s", TOKENS(mutation, yes + 2, no),
            TOKENS(mutation, question + 1, yes));
}

/* int a = b * c, *p = q + 1; each value is one off, where the type is a whole number or a pointer. */
static void mutate_initialiser(struct mutation *mutation, size_t equals) {
    static const char *const whole[] = {"int", "unsigned", "int64_t", "size_t", "uintptr_t", NULL};
    static const char *const bounds[] = {";", NULL}, *const ends[] = {",", ";", NULL};
    const struct token_stream *tokens = mutation->tokens;
    const size_t first = part_start(tokens, equals - 1, bounds), last = part_end(tokens, equals + 1, ends);
    if (first == NO_TOKEN || last == NO_TOKEN || is_number(tokens, last) || token_is(tokens, last, "NULL"))
        return;
    /* `T *p =` declares a pointer where something stands before the `*`. */
    bool counts =
        equals >= first + 3 && token_is(tokens, equals - 2, "*") && token_touches_next(tokens, equals - 2);
    for (size_t i = first; i < equals && !counts; i++) {
        if (token_is(tokens, i, "for") || token_is(tokens, i, "if"))
            return; /* an assignment after its head */
        counts = token_is_any(tokens, i, whole);
    }
    if (counts)
        one_off(mutation, last);
}

void mutate_expressions(struct mutation *mutation) {
    static const char *const comparisons[] = {"<", "<=", ">", ">=", "==", "!=", NULL};
    const struct token_stream *tokens = mutation->tokens;
    for (size_t i = 1; i + 1 < tokens->count; i++) {
        if (token_is(tokens, i, "[") && (token_is_identifier(tokens, i - 1) || token_is(tokens, i - 1, "]")))
            mutate_index(mutation, i);
        if (!is_binary(mutation, i))
            continue;
        if (token_is_any(tokens, i, comparisons))
            mutate_bound(mutation, i);
        else if (token_is(tokens, i, "&&") || token_is(tokens, i, "||"))
            mutate_operands(mutation, i);
        else if (token_is(tokens, i, "?"))
            mutate_ternary(mutation, i);
        else if (token_is(tokens, i, "="))
            mutate_initialiser(mutation, i);
    }
}
