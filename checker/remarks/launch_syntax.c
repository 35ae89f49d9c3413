/* Reads a launch, outwards from its `<<<`: to the left a postfix expression that names the kernel, to the
 * right the configuration up to `>>>`, then the arguments. */
#include "passes.h"

static const char *const KEYWORDS[] = {
    "return",   "else",     "do",    "case",   "if",      "while",     "for",       "switch",
    "sizeof",   "throw",    "goto",  "new",    "delete",  "co_await",  "co_return", "co_yield",
    "typename", "operator", "const", "void",   "static",  "template",  "and",       "or",
    "not",      "default",  "break", "public", "private", "protected", NULL};

static bool is_name(const struct token_stream *stream, size_t i) {
    return token_is_identifier(stream, i) && !token_is_any(stream, i, KEYWORDS);
}

static const char *const MEMBER[] = {".", "->", NULL};

/* The first token of the name, qualified or pasted together by ##, whose last identifier is token i. */
static size_t name_start(const struct token_stream *stream, size_t i) {
    for (;;) {
        if (i >= 2 && stream->macro && token_is(stream, i - 1, "##")) {
            i -= 2;
            continue;
        }
        if (i >= 1 && token_is(stream, i - 1, "template"))
            i--;
        if (i == 0 || !token_is(stream, i - 1, "::"))
            return i;
        i--; /* at the :: */
        if (i == 0)
            return i;
        size_t before = i - 1;
        if (token_is(stream, before, ">")) {
            before = template_open(stream, before);
            if (before == NO_TOKEN)
                return NO_TOKEN;
            before--; /* the name the arguments belong to */
        } else if (token_is(stream, before, ")")) {
            before = stream->tokens[before].match;
            if (before == NO_TOKEN || before == 0 || !token_is(stream, before - 1, "decltype"))
                return i;
            before--;
        } else if (!is_name(stream, before)) {
            return i;
        }
        i = before;
    }
}

/* True when the parenthesis that opens at token i holds the arguments of a call, and not an expression that
 * starts there. */
static bool opens_call(const struct token_stream *stream, size_t i) {
    static const char *const heads[] = {"if", "while", "for", "switch", "constexpr", NULL};
    if (i == 0)
        return false;
    if (token_is(stream, i - 1, ")")) {
        /* f(a)(b) is a call; if (a) (b), and a cast (void)(b), are not */
        size_t open = stream->tokens[i - 1].match;
        return open != NO_TOKEN && open > 0 && !token_is_any(stream, open - 1, heads) &&
               (is_name(stream, open - 1) || token_is(stream, open - 1, ")") ||
                token_is(stream, open - 1, "]"));
    }
    return is_name(stream, i - 1) || token_is(stream, i - 1, "]") ||
           (token_is(stream, i - 1, ">") && template_open(stream, i - 1) != NO_TOKEN);
}

/* The first token of the postfix expression that ends with token i; NO_TOKEN: there is none. */
static size_t postfix_start(const struct token_stream *stream, size_t i) {
    for (;;) {
        bool primary = true;
        if (token_is(stream, i, ")")) {
            i = stream->tokens[i].match;
            if (i == NO_TOKEN)
                return NO_TOKEN;
            primary = !opens_call(stream, i);
        } else if (token_is(stream, i, "]")) {
            i = stream->tokens[i].match;
            if (i == NO_TOKEN || i == 0)
                return NO_TOKEN;
            primary = false;
        } else {
            if (token_is(stream, i, ">")) {
                i = template_open(stream, i);
                if (i == NO_TOKEN)
                    return NO_TOKEN;
                i--;
            }
            if (!is_name(stream, i))
                return NO_TOKEN;
            i = name_start(stream, i);
            if (i == NO_TOKEN)
                return NO_TOKEN;
        }
        if (primary) {
            if (i < 2 || !token_is_any(stream, i - 1, MEMBER))
                return i;
            i--;
        }
        i--; /* the last token of what is called, subscripted or has the member */
    }
}

/* The first `>` of the `>>>` that ends the configuration; NO_TOKEN: none. With templates, a `>` that closes
 * `name<` is not counted; without, every `<` compares. */
static size_t configuration_end(const struct token_stream *stream, size_t open, bool templates) {
    static const char *const closers[] = {")", "]", "}", ";", "<<<", NULL};
    static const char *const openers[] = {"(", "[", "{", NULL};
    size_t angles = 0;
    for (size_t i = open + 1; i < stream->count; i++) {
        if (token_is_any(stream, i, openers)) {
            i = stream->tokens[i].match;
            if (i == NO_TOKEN)
                return NO_TOKEN;
        } else if (token_is_any(stream, i, closers)) {
            return NO_TOKEN;
        } else if (token_is(stream, i, "<")) {
            angles += templates && token_is_identifier(stream, i - 1);
        } else if (token_is(stream, i, ">")) {
            size_t run = 1;
            while (token_touches_next(stream, i + run - 1) && token_is(stream, i + run, ">"))
                run++;
            if (run >= 3 && (run - 3 >= angles || !templates))
                return i + run - 3;
            angles -= run < angles ? run : angles;
            i += run - 1;
        }
    }
    return NO_TOKEN;
}

const char *launch_read(const struct token_stream *stream, size_t open, struct launch_syntax *launch) {
    *launch = (struct launch_syntax){.open = open};
    if (token_touches_next(stream, open) &&
        (token_is(stream, open + 1, "<<<") || token_is(stream, open + 1, "<")))
        return "is not one: a run of `<` like this is what git leaves where a merge has a conflict. "
               "Resolve the conflict first";
    launch->kernel = open > 0 ? postfix_start(stream, open - 1) : NO_TOKEN;
    if (launch->kernel == NO_TOKEN)
        return "has no kernel in front of its `<<<`. A launch is written kernel<<<grid, block>>>(arguments)";
    for (size_t i = launch->kernel + 1; i <= open; i++)
        if (stream->tokens[i].after_directive)
            return "has a preprocessor line between the kernel's name and `<<<`. Write both on one line";
    launch->close = configuration_end(stream, open, true);
    if (launch->close == NO_TOKEN)
        launch->close = configuration_end(stream, open, false);
    if (launch->close == NO_TOKEN)
        return "has no matching `>>>`. A launch is written kernel<<<grid, block>>>(arguments)";
    if (launch->close == open + 1)
        return "has an empty configuration. Name at least the grid and the block: kernel<<<grid, block>>>()";
    launch->arguments = launch->close + 3;
    if (!token_is(stream, launch->arguments, "("))
        return "has no arguments after its `>>>`. A kernel without parameters still wants ()";
    launch->arguments_end = stream->tokens[launch->arguments].match;
    if (launch->arguments_end == NO_TOKEN)
        return "has an argument list that is never closed: look for a missing `)`";
    return NULL;
}
