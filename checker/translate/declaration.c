/* Tells variables from functions. A declaration starts after the statement before it. It declares a variable
 * when at least two names (a type, and the variable's own) come before its first `=`, `;`, `,`, `[` or `{`,
 * and no parameter list does. */
#include "declaration.h"

static const char *const QUALIFIERS[] = {
    "static",     "extern",      "inline",       "constexpr",       "const",        "volatile",
    "mutable",    "register",    "thread_local", "struct",          "class",        "union",
    "enum",       "typename",    "__host__",     "__device__",      "__global__",   "__constant__",
    "__shared__", "__managed__", "__inline__",   "__forceinline__", "__noinline__", "__restrict__",
    "virtual",    "explicit",    "constinit",    "__inline",        "template",     NULL};

/* Words that a parenthesis follows without declaring a function. */
static const char *const ATTRIBUTES[] = {"__attribute__", "__align__", "alignas",    "__launch_bounds__",
                                         "__declspec",    "decltype",  "__typeof__", "noexcept",
                                         "_Alignas",      "asm",       "__asm__",    "__builtin_align__",
                                         "explicit",      NULL};

static size_t first_token(const struct token_stream *stream, size_t i) {
    static const char *const ends[] = {";", "{", "}", ":", ",", "(", "[", "else", "do", NULL};
    for (size_t steps = 0; i > 0 && steps < REACH; steps++) {
        size_t before = i - 1;
        if (token_is(stream, before, "]")) {
            /* [[attribute]] */
            size_t open = stream->tokens[before].match;
            if (open == NO_TOKEN || !token_is(stream, before - 1, "]") || !token_is(stream, open + 1, "["))
                return i;
            i = open;
        } else if (token_is(stream, before, ")")) {
            size_t open = stream->tokens[before].match;
            if (open == NO_TOKEN || open == 0 || !token_is_any(stream, open - 1, ATTRIBUTES))
                return i;
            i = open - 1;
        } else if (token_is(stream, before, ">")) {
            size_t open = template_open(stream, before);
            if (open == NO_TOKEN || open == 0 || token_is(stream, open - 1, "template"))
                return i;
            i = open - 1;
        } else if (token_is_any(stream, before, ends)) {
            return i;
        } else {
            i = before;
        }
    }
    return i;
}

/* True when the parenthesis at token i belongs to a declarator of a variable: `(*pointer)(int)`,
 * `(&row)[4]`, or to its value: `(1.0f)`. */
static bool declares_variable(const struct token_stream *stream, size_t i) {
    if (token_is(stream, i + 1, "*") || token_is(stream, i + 1, "&")) {
        for (size_t at = i + 2; at < stream->count; at++)
            if (!token_is_identifier(stream, at) && !token_is(stream, at, "*"))
                return token_is(stream, at, ")") || token_is(stream, at, "[");
        return false;
    }
    return i + 1 < stream->count &&
           (stream->tokens[i + 1].kind == TOKEN_NUMBER || stream->tokens[i + 1].kind == TOKEN_STRING);
}

static size_t past(const struct token_stream *stream, size_t open) {
    size_t close = stream->tokens[open].match;
    return close == NO_TOKEN || close < open ? NO_TOKEN : close + 1;
}

struct declaration declaration_read(const struct token_stream *stream, size_t i) {
    static const char *const others[] = {"operator", "typedef", "using", "friend", "~", ")",
                                         "}",        "]",       ":",     "<<<",    NULL};
    static const char *const ends[] = {"=", ";", ",", "[", "{", NULL};
    static const char *const types[] = {"struct", "class", "union", "enum", NULL};
    struct declaration declaration = {.first = first_token(stream, i)};
    size_t names = 0, at = declaration.first;
    bool type = false, constant = false, always_constant = false;
    for (size_t steps = 0; at < stream->count && steps < REACH; steps++) {
        size_t next = at + 1;
        if (token_is_any(stream, at, ATTRIBUTES)) {
            names += token_is(stream, at, "decltype") || token_is(stream, at, "__typeof__");
            next = token_is(stream, next, "(") ? past(stream, next) : next;
        } else if (token_is_any(stream, at, others)) {
            break;
        } else if (token_is_any(stream, at, types)) {
            type = true;
        } else if (token_is(stream, at, "{") && type && names <= 1) {
            type = false; /* the body of a type that is defined here: what follows is a variable of it */
            names = 1;
            next = past(stream, at);
        } else if (token_is(stream, at, "[") && token_is(stream, next, "[")) {
            next = past(stream, at);
        } else if (token_is_any(stream, at, ends)) {
            declaration.variable = names >= 2;
            break;
        } else if (token_is(stream, at, "(")) {
            declaration.variable = names >= 1 && declares_variable(stream, at);
            break;
        } else if (token_is_identifier(stream, at)) {
            constant = constant || token_is(stream, at, "const");
            always_constant = always_constant || token_is(stream, at, "constexpr");
            names += !token_is_any(stream, at, QUALIFIERS);
            /* a::b is one name */
            names -= token_is(stream, at - 1, "::") && names > 1 && at > declaration.first + 1;
        } else if (token_is(stream, at, "<") && at > declaration.first) {
            size_t close = template_close(stream, at);
            next = close == NO_TOKEN ? NO_TOKEN : close + 1;
        } else if (token_is(stream, at, "*")) {
            constant = false; /* what came before is what it points to */
        }
        if (next == NO_TOKEN)
            break;
        at = next;
    }
    declaration.end = at;
    declaration.names = names;
    declaration.constant = constant || always_constant;
    return declaration;
}

size_t declaration_find(const struct token_stream *stream, const struct declaration *declaration,
                        const char *spelling) {
    for (size_t i = declaration->first; i < declaration->end && i < stream->count; i++) {
        if (token_is(stream, i, spelling))
            return i;
        if (stream->tokens[i].match != NO_TOKEN && stream->tokens[i].match > i)
            i = stream->tokens[i].match;
    }
    return NO_TOKEN;
}
