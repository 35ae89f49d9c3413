/* Inspection: one walk over the tokens of the text, directives and parts that a condition leaves out
 * included. It looks for single names, so it needs no grammar.
 *
 * Assembly code is not its business: the compiler refuses it (-fno-gnu-inline-asm) where it would be
 * compiled, and PTX that stands under #ifdef __CUDA_ARCH__ may stay. */
#include "inspect.h"
#include "buffer.h"
#include "lexer.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ERRORS = 8 };

struct inspection {
    struct lexer lexer;
    struct diagnostics *diagnostics;
    bool expanded;
    size_t errors;
    struct token before[2]; /* the last two tokens, the nearest first */
};

/* ---- text without continued lines ---- */

/* Joins lines that end in a backslash, so that no name is cut in two. The ends of line that go come back
 * after the joined line, which keeps the numbers of those below. */
static char *join_lines(const char *text, size_t length, size_t *joined_length) {
    char *joined = memory_resize(NULL, length + 1);
    size_t to = 0, owed = 0;
    for (size_t i = 0; i < length; i++) {
        const size_t skip = text[i] != '\\' || i + 1 >= length                             ? 0
                            : text[i + 1] == '\n'                                          ? 2
                            : text[i + 1] == '\r' && i + 2 < length && text[i + 2] == '\n' ? 3
                                                                                           : 0;
        if (skip > 0) {
            owed++;
            i += skip - 1;
            continue;
        }
        joined[to++] = text[i];
        for (; text[i] == '\n' && owed > 0; owed--)
            joined[to++] = '\n';
    }
    *joined_length = to;
    return joined;
}

/* ---- tokens ---- */

static bool begins(const struct inspection *inspection, const struct token *token, const char *with) {
    const size_t length = strlen(with);
    return token->end - token->start >= length &&
           memcmp(inspection->lexer.text + token->start, with, length) == 0;
}

static bool is(const struct inspection *inspection, const struct token *token, const char *spelling) {
    return token->end - token->start == strlen(spelling) && begins(inspection, token, spelling);
}

static bool contains(const struct inspection *inspection, const struct token *token, const char *part) {
    const size_t length = strlen(part);
    for (size_t i = token->start; i + length <= token->end; i++)
        if (memcmp(inspection->lexer.text + i, part, length) == 0)
            return true;
    return false;
}

static void refuse(struct inspection *inspection, const struct token *token, const char *why) {
    if (inspection->errors++ >= MOST_ERRORS)
        return;
    struct diagnostics *all = inspection->diagnostics;
    all->items = memory_resize(all->items, (all->count + 1) * sizeof *all->items);
    struct diagnostic *item = &all->items[all->count++];
    *item = (struct diagnostic){.error = true, .id = "", .line = 1, .column = 1};
    for (size_t i = 0; i < token->start; i++) {
        const bool ends = inspection->lexer.text[i] == '\n';
        item->line += ends;
        item->column = ends ? 1 : item->column + 1;
    }
    snprintf(item->text, sizeof item->text, "'%.*s' %s",
             (int)(token->end - token->start < 60 ? token->end - token->start : 60),
             inspection->lexer.text + token->start, why);
}

/* ---- what is looked for ---- */

static void look_at_name(struct inspection *inspection, const struct token *token) {
    static const char *const machinery[] = {"__tsan_",      "__asan_", "__ubsan_",
                                            "__sanitizer_", "__wrap_", "__real_"};
    static const char *const uninstrumented[] = {"no_sanitize", "sanitizer_instrumentation",
                                                 "no_instrument_function"};
    for (size_t i = 0; i < sizeof machinery / sizeof *machinery; i++)
        if (begins(inspection, token, machinery[i]))
            refuse(inspection, token,
                   "is a name by which the checker watches your code; give yours another.");
    for (size_t i = 0; i < sizeof uninstrumented / sizeof *uninstrumented; i++)
        if (contains(inspection, token, uninstrumented[i]))
            refuse(inspection, token, "hides code from the checker, which has to see every load and store.");
    if (begins(inspection, token, "__builtin_ia32_") || begins(inspection, token, "__builtin_arm_") ||
        begins(inspection, token, "__builtin_neon_") || is(inspection, token, "redefine_extname"))
        refuse(inspection, token, "goes past the checker, which has to see every load, store and call.");
    const bool namespace_named =
        is(inspection, token, "sim") && (is(inspection, &inspection->before[0], "namespace") ||
                                         (inspection->lexer.length - token->end >= 2 &&
                                          memcmp(inspection->lexer.text + token->end, "::", 2) == 0));
    if (namespace_named || begins(inspection, token, "sim_") || begins(inspection, token, "__sim_"))
        refuse(inspection, token, "is a name of the simulator's own; names that begin with sim_ are taken.");
}

/* The first character after a token that is not blank, or 0; from is moved to it. */
static char next_character(const struct inspection *inspection, size_t *from) {
    while (*from < inspection->lexer.length && isspace((unsigned char)inspection->lexer.text[*from]))
        ++*from;
    return *from < inspection->lexer.length ? inspection->lexer.text[*from] : '\0';
}

/* An attribute that places code or data elsewhere, as in `__attribute__((section("name")))`. */
static void look_at_attribute(struct inspection *inspection, const struct token *token) {
    static const char *const names[] = {"section", "ifunc", "alias", "weakref"};
    const struct token *before = &inspection->before[0];
    size_t place = token->end;
    const bool open =
        next_character(inspection, &place) == '(' && ++place && next_character(inspection, &place) == '"';
    const bool attribute =
        open && (is(inspection, before, "(") || is(inspection, before, ",") || is(inspection, before, "::"));
    for (size_t i = 0; attribute && !inspection->expanded && i < sizeof names / sizeof *names; i++) {
        char hidden[32];
        snprintf(hidden, sizeof hidden, "__%s__", names[i]);
        if (is(inspection, token, names[i]) || is(inspection, token, hidden))
            refuse(inspection, token, "as an attribute moves things to where the checker does not look.");
    }
}

/* asm("name"), the name that the linker is to know something by. Code has more in it than a name. */
static void look_at_label(struct inspection *inspection, const struct token *token) {
    const struct token *word = &inspection->before[1];
    if (!is(inspection, &inspection->before[0], "(") ||
        !(is(inspection, word, "asm") || is(inspection, word, "__asm") || is(inspection, word, "__asm__")))
        return;
    const char *text = inspection->lexer.text;
    for (size_t i = token->start + 1; i + 1 < token->end; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return;
    refuse(inspection, token,
           "is a name for the linker, which would be another than the one that is read here.");
}

static void look_at(struct inspection *inspection, const struct token *token) {
    if (token->kind == TOKEN_IDENTIFIER) {
        look_at_name(inspection, token);
        look_at_attribute(inspection, token);
    } else if (token->kind == TOKEN_STRING) {
        look_at_label(inspection, token);
        if (is(inspection, &inspection->before[1], "_Pragma") &&
            (contains(inspection, token, "no_sanitize") || contains(inspection, token, "redefine_extname")))
            refuse(inspection, token, "hides code from the checker, which has to see every load and store.");
    }
}

void inspect_source(const char *text, size_t length, bool expanded, struct diagnostics *diagnostics) {
    struct inspection inspection = {.diagnostics = diagnostics, .expanded = expanded};
    size_t joined_length;
    char *joined = join_lines(text, length, &joined_length);
    struct token token;
    inspection.lexer = (struct lexer){.text = joined, .length = joined_length};
    for (;;) {
        lexer_skip_blank(&inspection.lexer, false);
        if (!lexer_take(&inspection.lexer, &token))
            break;
        look_at(&inspection, &token);
        inspection.before[1] = inspection.before[0];
        inspection.before[0] = token;
    }
    memory_release(joined);
}
