/* full-mask-in-branch: a warp operation that names all 32 lanes, in a branch that only some lanes of a warp
 * take. The others never arrive.
 *
 * Only conditions that part a warp for certain count: the lane number, or threadIdx.x, compared with a number
 * that is no multiple of 32. `warp == 0` and `threadIdx.x < 64` keep warps together. Names count as written:
 * a lane number kept under another name than `lane...` is not followed. */
#include "passes.h"

#include <stdlib.h>
#include <string.h>

enum { WARP = 32 };

/* The token after the expression at i when that is a lane's or thread's number, else NO_TOKEN: lane, lane_id,
 * threadIdx.x, tile.thread_rank(), threadIdx.x % 32, threadIdx.x & 31. */
static size_t past_lane(const struct token_stream *stream, size_t i) {
    static const char *const lanes[] = {"lane", "lane_id", "laneid", "laneId", "lane_idx", "laneIdx", NULL};
    size_t end = NO_TOKEN;
    if (token_is_any(stream, i, lanes))
        end = i + 1;
    else if (token_is(stream, i, "threadIdx") && token_is(stream, i + 1, ".") && token_is(stream, i + 2, "x"))
        end = i + 3;
    else if (token_is(stream, i, "thread_rank") && token_is(stream, i + 1, "(") &&
             token_is(stream, i + 2, ")"))
        end = i + 3;
    if (end != NO_TOKEN && ((token_is(stream, end, "%") && token_is(stream, end + 1, "32")) ||
                            (token_is(stream, end, "&") && token_is(stream, end + 1, "31"))))
        end += 2;
    return end;
}

/* The value of token i; false: it is no whole number. */
static bool number_of(const struct token_stream *stream, size_t i, long *value) {
    char text[24], *end;
    if (i >= stream->count || stream->tokens[i].kind != TOKEN_NUMBER)
        return false;
    size_t length = stream->tokens[i].end - stream->tokens[i].start;
    if (length >= sizeof text)
        return false;
    memcpy(text, stream->text + stream->tokens[i].start, length);
    text[length] = '\0';
    *value = strtol(text, &end, 0);
    return end != text && strspn(end, "uUlL") == strlen(end);
}

/* True when the comparison `lane OP number` holds for some lanes of a warp only. */
static bool parts_warp(const struct token_stream *stream, size_t operation, long number) {
    if (token_is(stream, operation, "==") || token_is(stream, operation, "!="))
        return number >= 0;
    if (token_is(stream, operation, "<") || token_is(stream, operation, ">="))
        return number > 0 && number % WARP != 0;
    if (token_is(stream, operation, ">") || token_is(stream, operation, "<="))
        return number >= 0 && (number + 1) % WARP != 0;
    return false;
}

/* True when token i, a lane's number, is all of an operand: nothing is computed from it. */
static bool stands_alone(const struct token_stream *stream, size_t before, size_t after) {
    static const char *const left[] = {"(", "&&", "||", "!", "==", "=", ";", "return", ",", "{", "}", NULL};
    static const char *const right[] = {")", "&&", "||", "?", "==", "!=", "<", "<=", ">", ">=", ";", NULL};
    return token_is_any(stream, before, left) && token_is_any(stream, after, right);
}

static bool condition_parts_warp(const struct token_stream *stream, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        size_t after = past_lane(stream, i), before = i;
        long number;
        if (after == NO_TOKEN || after > end)
            continue;
        while (before > first && (token_is(stream, before - 1, ".") || token_is(stream, before - 1, "->")))
            before -= before >= 2 ? 2 : 1; /* the object whose member it is */
        if (before == 0)
            continue;
        before--;
        if (stands_alone(stream, before, after) && number_of(stream, after + 1, &number) &&
            parts_warp(stream, after, number) &&
            token_is_any(stream, after + 2, (const char *const[]){")", "&&", "||", "?", ";", NULL}))
            return true;
        if (token_is(stream, before, "!") && stands_alone(stream, before, after))
            return true;
        if (token_is(stream, before, "==") && before >= first + 1 && number_of(stream, before - 1, &number) &&
            stands_alone(stream, before, after))
            return true;
    }
    return false;
}

static bool is_full_mask(const struct token_stream *stream, size_t i) {
    static const char *const whole[] = {"0xffffffff",  "0xffffffffu", "0xFFFFFFFF", "0xFFFFFFFFu",
                                        "0xFFFFFFFFU", "0xffffffffU", "FULL_MASK",  "FULL_WARP_MASK",
                                        "FULLMASK",    "full_mask",   "ALL_LANES",  "WARP_FULL_MASK",
                                        NULL};
    static const char *const zero[] = {"0", "0u", "0U", NULL};
    if (token_is_any(stream, i, whole))
        return token_is(stream, i + 1, ",") || token_is(stream, i + 1, ")");
    return (token_is(stream, i, "-") && token_is(stream, i + 1, "1")) ||
           (token_is(stream, i, "~") && token_is_any(stream, i + 1, zero));
}

static bool is_warp_operation(const struct token_stream *stream, size_t i) {
    const struct token *token = &stream->tokens[i];
    size_t length = token->end - token->start;
    const char *text = stream->text + token->start;
    if (token->kind != TOKEN_IDENTIFIER || !token_is(stream, i + 1, "("))
        return false;
    return token_is(stream, i, "__syncwarp") ||
           (length > 7 && memcmp(text, "__", 2) == 0 && memcmp(text + length - 5, "_sync", 5) == 0);
}

/* The last token of the statement that begins at token i. */
static size_t statement_end(const struct token_stream *stream, size_t i) {
    for (; i < stream->count; i++) {
        if (token_is(stream, i, ";") || token_is(stream, i, "}"))
            return i;
        bool block = token_is(stream, i, "{");
        if (stream->tokens[i].match != NO_TOKEN && stream->tokens[i].match > i)
            i = stream->tokens[i].match;
        if (block)
            return i;
    }
    return stream->count - 1;
}

static void look_in_branch(struct reading *reading, const struct token_stream *stream, size_t first,
                           size_t last) {
    for (size_t i = first; i <= last && i < stream->count; i++)
        if (is_warp_operation(stream, i) && is_full_mask(stream, i + 2))
            report_remark(reading, stream->tokens[i].start, "full-mask-in-branch",
                          "This warp operation names all 32 lanes, but stands in a branch that only some of "
                          "them take. Move it out of the branch, or name the lanes that arrive.");
}

/* The first token of the condition before the `?` at token i. */
static size_t ternary_start(const struct token_stream *stream, size_t i) {
    static const char *const starts[] = {"(", "[", "{", "}", ";", ",", "=", "+=", "return", "?", ":", NULL};
    for (size_t steps = 0; i > 0 && steps < REACH && !token_is_any(stream, i - 1, starts); steps++) {
        i--;
        if (stream->tokens[i].match != NO_TOKEN && stream->tokens[i].match < i)
            i = stream->tokens[i].match;
    }
    return i;
}

static size_t ternary_end(const struct token_stream *stream, size_t i) {
    static const char *const ends[] = {")", "]", "}", ";", ",", NULL};
    for (size_t steps = 0; i < stream->count && steps < REACH && !token_is_any(stream, i, ends); i++, steps++)
        if (stream->tokens[i].match != NO_TOKEN && stream->tokens[i].match > i)
            i = stream->tokens[i].match;
    return i;
}

void warn_about_masks(struct reading *reading) {
    const struct token_stream *stream = &reading->source.streams[0];
    for (size_t i = 0; i + 1 < stream->count; i++) {
        bool statement =
            (token_is(stream, i, "if") || token_is(stream, i, "while")) && token_is(stream, i + 1, "(");
        if (statement) {
            size_t close = stream->tokens[i + 1].match;
            if (close == NO_TOKEN || !condition_parts_warp(stream, i + 2, close))
                continue;
            size_t end = statement_end(stream, close + 1);
            look_in_branch(reading, stream, close + 1, end);
            if (token_is(stream, end + 1, "else")) {
                size_t start = end + 2;
                end = statement_end(stream, start);
                look_in_branch(reading, stream, start, end);
            }
            i = end;
        } else if (token_is(stream, i, "?")) {
            size_t start = ternary_start(stream, i), end = ternary_end(stream, i + 1);
            if (condition_parts_warp(stream, start, i))
                look_in_branch(reading, stream, i + 1, end);
        }
    }
}
