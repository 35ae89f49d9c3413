/* Streams of tokens: directives are told from text, brackets find their partners. */
#include "tokens.h"
#include "buffer.h"
#include "lexer.h"

#include <string.h>

static bool spells(const char *text, const struct token *token, const char *spelling) {
    size_t length = strlen(spelling);
    return token->end - token->start == length && memcmp(text + token->start, spelling, length) == 0;
}

static struct token *push(struct token **tokens, size_t *count, size_t *capacity) {
    if (*count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 64;
        *tokens = memory_resize(*tokens, *capacity * sizeof **tokens);
    }
    return &(*tokens)[(*count)++];
}

static size_t add_stream(struct source *source) {
    if (source->stream_count == source->stream_capacity) {
        source->stream_capacity = source->stream_capacity ? 2 * source->stream_capacity : 8;
        source->streams = memory_resize(source->streams, source->stream_capacity * sizeof *source->streams);
    }
    source->streams[source->stream_count] = (struct token_stream){.text = source->text};
    return source->stream_count++;
}

/* Takes a token of the directive that is being read; false at the end of its line. */
static bool take_in_line(struct lexer *lexer, struct token *token) {
    return !lexer_skip_blank(lexer, true) && lexer_take(lexer, token);
}

static void read_define(struct source *source, struct lexer *lexer) {
    struct token token;
    if (!take_in_line(lexer, &token))
        return;
    size_t index = add_stream(source);
    struct token_stream *stream = &source->streams[index];
    stream->macro = true;
    bool more = take_in_line(lexer, &token);
    /* A parameter list touches the name. */
    if (more && spells(lexer->text, &token, "(") && token.start > 0 &&
        !strchr(" \t\n", lexer->text[token.start - 1])) {
        while ((more = take_in_line(lexer, &token)) && !spells(lexer->text, &token, ")"))
            if (token.kind == TOKEN_IDENTIFIER)
                *push(&stream->parameters, &stream->parameter_count, &stream->parameter_capacity) = token;
        more = more && take_in_line(lexer, &token);
    }
    for (; more; more = take_in_line(lexer, &token))
        *push(&stream->tokens, &stream->count, &stream->capacity) = token;
}

/* Where the reader is among the conditions: how deep inside a group that `#if 0` leaves out. */
struct conditions {
    int left_out;
};

static void read_directive(struct source *source, struct lexer *lexer, struct conditions *conditions) {
    struct token name, token;
    if (!take_in_line(lexer, &name))
        return;
    bool opens = spells(lexer->text, &name, "if") || spells(lexer->text, &name, "ifdef") ||
                 spells(lexer->text, &name, "ifndef");
    bool other = spells(lexer->text, &name, "else") || spells(lexer->text, &name, "elif");
    if (conditions->left_out) {
        if (opens)
            conditions->left_out++;
        else if (spells(lexer->text, &name, "endif") || (other && conditions->left_out == 1))
            conditions->left_out--;
    } else if (spells(lexer->text, &name, "define")) {
        read_define(source, lexer);
    } else if (spells(lexer->text, &name, "if") && take_in_line(lexer, &token)) {
        bool zero = spells(lexer->text, &token, "0");
        if (zero && !take_in_line(lexer, &token))
            conditions->left_out = 1;
    }
    while (take_in_line(lexer, &token))
        continue;
}

/* Gives every bracket its partner. In faulty text a brace closes what was left open inside it, and another
 * bracket never reaches across a brace. */
static void match_brackets(struct token_stream *stream) {
    size_t *open = memory_resize(NULL, (stream->count + 1) * sizeof *open), depth = 0;
    for (size_t i = 0; i < stream->count; i++) {
        const struct token *token = &stream->tokens[i];
        if (token->kind != TOKEN_PUNCTUATION || token->end - token->start != 1)
            continue;
        char c = stream->text[token->start];
        if (c == '(' || c == '[' || c == '{') {
            open[depth++] = i;
        } else if (c == ')' || c == ']' || c == '}') {
            char partner = c == ')' ? '(' : c == ']' ? '[' : '{';
            size_t level = depth;
            while (level > 0) {
                char candidate = stream->text[stream->tokens[open[level - 1]].start];
                if (candidate == partner || (candidate == '{' && partner != '{'))
                    break;
                level--;
            }
            if (level == 0 || stream->text[stream->tokens[open[level - 1]].start] != partner)
                continue;
            depth = level - 1;
            stream->tokens[i].match = open[depth];
            stream->tokens[open[depth]].match = i;
        }
    }
    memory_release(open);
}

void source_read(struct source *source, const char *text, size_t length) {
    *source = (struct source){.text = text, .length = length};
    struct lexer lexer = {.text = text, .length = length};
    struct conditions conditions = {0};
    bool line_start = true, after_directive = false;
    struct token token;
    add_stream(source);
    for (;;) {
        line_start = lexer_skip_blank(&lexer, false) || line_start;
        if (!lexer_take(&lexer, &token))
            break;
        if (line_start && (spells(text, &token, "#") || spells(text, &token, "%:"))) {
            read_directive(source, &lexer, &conditions);
            after_directive = true;
        } else if (!conditions.left_out) {
            struct token_stream *main = &source->streams[0];
            token.after_directive = after_directive;
            after_directive = false;
            *push(&main->tokens, &main->count, &main->capacity) = token;
        }
        line_start = false;
    }
    for (size_t i = 0; i < source->stream_count; i++)
        match_brackets(&source->streams[i]);
}

void source_free(struct source *source) {
    for (size_t i = 0; i < source->stream_count; i++) {
        memory_release(source->streams[i].tokens);
        memory_release(source->streams[i].parameters);
    }
    memory_release(source->streams);
}

void source_position(const struct source *source, size_t offset, int *line, int *column) {
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < offset && i < source->length; i++) {
        bool ends = source->text[i] == '\n';
        *line += ends;
        *column = ends ? 1 : *column + 1;
    }
}
