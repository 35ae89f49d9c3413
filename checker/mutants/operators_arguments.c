/* Arguments: the configuration of a launch, masks and distances of a shuffle, streams, what is exponentiated,
 * how much is allocated. */
#include "mutant.h"

#include <string.h>

enum { MOST = 8 };

struct arguments {
    size_t count;
    size_t first[MOST], last[MOST]; /* tokens */
};

/* The arguments between two tokens, none of them included. */
static struct arguments split(const struct token_stream *tokens, size_t open, size_t close) {
    struct arguments arguments = {0};
    size_t begin = open + 1;
    for (size_t i = open + 1; i <= close && arguments.count < MOST; i++) {
        if (i == close || token_is(tokens, i, ",")) {
            if (i > begin) {
                arguments.first[arguments.count] = begin;
                arguments.last[arguments.count++] = i - 1;
            }
            begin = i + 1;
        } else if (tokens->tokens[i].match != NO_TOKEN && tokens->tokens[i].match > i) {
            i = tokens->tokens[i].match;
        }
    }
    return arguments;
}

static void one_off(struct mutation *mutation, size_t first, size_t last) {
    if (first == last && mutation->tokens->tokens[first].kind == TOKEN_NUMBER)
        return; /* done as a number */
    propose_behind(mutation, "offset", last, " + 1");
    propose_behind(mutation, "offset", last, " - 1");
}

/* kernel<<<grid, block, shared, stream>>> */
static void mutate_launch(struct mutation *mutation, size_t open) {
    const struct token_stream *tokens = mutation->tokens;
    size_t close = open + 1;
    while (close + 2 < tokens->count &&
           !(token_is(tokens, close, ">") && token_touches_next(tokens, close) &&
             token_is(tokens, close + 1, ">") && token_is(tokens, close + 2, ">")))
        close++;
    if (close + 2 >= tokens->count)
        return;
    const struct arguments arguments = split(tokens, open, close);
    for (size_t i = 0; i < arguments.count && i < 2; i++) {
        const size_t first = arguments.first[i], last = arguments.last[i];
        if (!token_is(tokens, first, "dim3"))
            one_off(mutation, first, last);
        else
            propose(mutation, "offset", first, last, "dim3(1)");
    }
    if (arguments.count == 4) {
        propose(mutation, "stream", arguments.first[3], arguments.last[3], "0");
        propose(mutation, "stream", arguments.first[1], arguments.last[3], "%.*s",
                TOKENS(mutation, arguments.first[1], arguments.last[1]));
    }
}

static void mutate_call(struct mutation *mutation, size_t name) {
    const struct token_stream *tokens = mutation->tokens;
    const size_t open = name + 1, close = tokens->tokens[open].match;
    if (close == NO_TOKEN || close == open + 1)
        return;
    const struct arguments arguments = split(tokens, open, close);
    const size_t count = arguments.count, *first = arguments.first, *last = arguments.last;
    const char *called = mutation->source.text + tokens->tokens[name].start;
    if (strncmp(called, "__shfl_", 7) == 0 && count >= 3) {
        propose(mutation, "shuffle", first[0], last[0], "0x7fffffffu");
        propose(mutation, "shuffle", first[0], last[0], "1u");
        propose(mutation, "shuffle", first[2], last[2], "%.*s / 2", TOKENS(mutation, first[2], last[2]));
        propose(mutation, "shuffle", first[2], last[2], "1");
        one_off(mutation, first[2], last[2]);
    }
    if (token_is(tokens, name, "expf") || token_is(tokens, name, "__expf") || token_is(tokens, name, "exp"))
        propose(mutation, "function", first[0], last[0], "-(%.*s)", TOKENS(mutation, first[0], last[0]));
    if (token_is(tokens, name, "dim3"))
        for (size_t i = 0; i < count; i++)
            one_off(mutation, first[i], last[i]);
    if (token_is(tokens, name, "cudaMallocAsync") && count == 3) {
        one_off(mutation, first[1], last[1]);
        propose(mutation, "memory", first[1], last[1], "2 * %.*s", TOKENS(mutation, first[1], last[1]));
    }
    if (token_is(tokens, name, "cudaFreeAsync"))
        propose(mutation, "memory", name, close, "cudaSuccess");
    /* a call, not a declaration: there the type stands before the name */
    if (count > 1 && first[count - 1] == last[count - 1] && token_is(tokens, last[count - 1], "stream"))
        propose(mutation, "stream", last[count - 1], last[count - 1], "0");
}

void mutate_arguments(struct mutation *mutation) {
    const struct token_stream *tokens = mutation->tokens;
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        if (token_is(tokens, i, "<<<"))
            mutate_launch(mutation, i);
        else if (token_is_identifier(tokens, i) && token_is(tokens, i + 1, "("))
            mutate_call(mutation, i);
    }
}
