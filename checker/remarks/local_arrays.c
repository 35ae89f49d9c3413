/* index-at-run-time: an array of a thread's own that is filled as value[n++] where n is known only while the kernel runs.
 *
 * Such an array cannot lie in registers, which have no addresses: it goes to local memory, which is device memory. n is known
 * only then under an if, or in a loop that a number which is not a constant ends. In an unrolled loop with a constant bound it
 * is known, and nothing is said. */
#include "passes.h"

#include <ctype.h>
#include <string.h>

enum { MOST = 200 }; /* places that are looked at: no input takes long */

static bool same_token(const struct token_stream *stream, size_t a, size_t b) {
    const struct token *one = &stream->tokens[a], *other = &stream->tokens[b];
    const size_t length = one->end - one->start;
    return length == other->end - other->start &&
           memcmp(stream->text + one->start, stream->text + other->start, length) == 0;
}

/* Whether the name at token i is written as a constant is, or defined as one: COLS, constexpr int each = 4, enum { EACH },
 * template <int EACH>. */
static bool is_constant(const struct token_stream *stream, size_t name) {
    const struct token *token = &stream->tokens[name];
    bool capitals = true;
    for (size_t at = token->start; at < token->end && capitals; at++)
        capitals = !islower((unsigned char)stream->text[at]);
    for (size_t i = 1; i + 2 < stream->count && !capitals; i++) {
        if (!same_token(stream, i, name))
            continue;
        const bool given_a_number =
            token_is(stream, i + 1, "=") && stream->tokens[i + 2].kind == TOKEN_NUMBER;
        for (size_t back = 1; back <= 4 && back <= i; back++)
            if (token_is(stream, i - back, "constexpr") || token_is(stream, i - back, "template") ||
                token_is(stream, i - back, "enum") || (given_a_number && token_is(stream, i - back, "const")))
                return true;
    }
    return capitals;
}

/* Whether the loop whose `for` is token i goes on for as long as a number of run time says: a name in its condition that is
 * neither the loop's own, nor a constant. */
static bool ends_at_run_time(const struct token_stream *stream, size_t i) {
    const size_t close = stream->tokens[i + 1].match;
    size_t first = i + 2, end, names = i + 2;
    while (first < close && !token_is(stream, first, ";"))
        first++;
    for (end = first + 1; end < close && !token_is(stream, end, ";"); end++)
        if (token_is(stream, end, "."))
            return true; /* x.cols */
    for (size_t at = first + 1; at < end; at++) {
        bool own = false;
        for (names = i + 2; names < first && !own; names++)
            own = same_token(stream, names, at);
        if (token_is_identifier(stream, at) && !own && !is_constant(stream, at))
            return true;
    }
    return false;
}

/* The last token of the statement that begins at token i. */
static size_t statement_end(const struct token_stream *stream, size_t i) {
    while (i < stream->count) {
        if (token_is(stream, i, ";"))
            return i;
        const bool block = token_is(stream, i, "{");
        if (stream->tokens[i].match != NO_TOKEN && stream->tokens[i].match > i)
            i = stream->tokens[i].match;
        if (block)
            return i;
        i++;
    }
    return stream->count;
}

/* Whether token `at` is in a branch, or in a loop of a length that is not known, that begins behind `from`. */
static bool is_reached_by_chance(const struct token_stream *stream, size_t from, size_t at) {
    for (size_t i = from; i < at; i++) {
        const bool loop = token_is(stream, i, "for"), otherwise = token_is(stream, i, "else"),
                   branch = token_is(stream, i, "if") || token_is(stream, i, "while");
        if (!otherwise &&
            ((!loop && !branch) || !token_is(stream, i + 1, "(") || stream->tokens[i + 1].match == NO_TOKEN))
            continue;
        const size_t body = otherwise ? i + 1 : stream->tokens[i + 1].match + 1;
        if (body <= at && at <= statement_end(stream, body) && (!loop || ends_at_run_time(stream, i)))
            return true;
    }
    return false;
}

/* The token at which the function body around token i begins, of a kernel or a device function; NO_TOKEN: there is none. */
static size_t device_body(const struct token_stream *stream, size_t i) {
    for (size_t at = 0; at < i; at++) {
        if (!token_is(stream, at, "__global__") && !token_is(stream, at, "__device__"))
            continue;
        while (at < i && !token_is(stream, at, "{") && !token_is(stream, at, ";"))
            at++;
        if (token_is(stream, at, "{") && stream->tokens[at].match != NO_TOKEN && stream->tokens[at].match > i)
            return at;
    }
    return NO_TOKEN;
}

/* Where this body declares an array of this name that is not shared; NO_TOKEN: it does not. `float value[32];` */
static size_t array_of_a_thread(const struct token_stream *stream, size_t body, size_t name) {
    for (size_t i = body + 2; i < name; i++) {
        if (!same_token(stream, i, name) || !token_is(stream, i + 1, "[") ||
            !token_is_identifier(stream, i - 1) || token_is(stream, i - 1, "return"))
            continue;
        for (size_t back = 1; back <= 4 && i - back > body; back++)
            if (token_is(stream, i - back, "__shared__"))
                return NO_TOKEN;
        return i;
    }
    return NO_TOKEN;
}

void warn_about_local_arrays(struct reading *reading) {
    const struct token_stream *stream = &reading->source.streams[0];
    int looked_at = 0;
    for (size_t i = 1; i + 4 < stream->count && looked_at < MOST; i++) {
        const bool behind = token_is_identifier(stream, i + 1) && token_is(stream, i + 2, "++"),
                   before = token_is(stream, i + 1, "++") && token_is_identifier(stream, i + 2);
        if (!token_is(stream, i, "[") || !token_is_identifier(stream, i - 1) || !(behind || before) ||
            !token_is(stream, i + 3, "]"))
            continue;
        looked_at++;
        const size_t body = device_body(stream, i);
        const size_t array = body == NO_TOKEN ? NO_TOKEN : array_of_a_thread(stream, body, i - 1);
        if (array == NO_TOKEN || !is_reached_by_chance(stream, array, i))
            continue;
        report_remark(
            reading, stream->tokens[i - 1].start, "index-at-run-time",
            "The index of this array is known only at run time, so the array lies in local memory, which is "
            "device memory, and not in registers. An unrolled loop with a constant bound and value[i] keeps "
            "it "
            "in registers.");
    }
}
