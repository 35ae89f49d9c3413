/* C++ source as tokens: just enough of the language to find launches, shuffles and loops.
 *
 * White space and comments are what lies between tokens. A preprocessor directive is no token of the text
 * around it; the body of a #define is a stream of tokens of its own. Text in `#if 0` has no tokens. */
#ifndef REMARKS_TOKENS_H
#define REMARKS_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#define NO_TOKEN ((size_t)-1)

/* No declaration's beginning, no template argument list and no condition is longer, in tokens. Where a search
 * finds nothing within this distance it gives up, so that no input takes long. */
enum { REACH = 300 };

enum token_kind { TOKEN_IDENTIFIER, TOKEN_NUMBER, TOKEN_STRING, TOKEN_CHARACTER, TOKEN_PUNCTUATION };

struct token {
    enum token_kind kind;
    size_t start, end;    /* offsets into the text, end excluded */
    size_t match;         /* of a bracket ( [ {: the index of its partner, or NO_TOKEN */
    bool after_directive; /* a preprocessor directive lies between the token before and this one */
};

/* The tokens of the text itself, or of the body of one #define. */
struct token_stream {
    const char *text;
    struct token *tokens;
    size_t count, capacity;
    bool macro;
    struct token *parameters; /* of a macro: the identifiers in its parameter list */
    size_t parameter_count, parameter_capacity;
};

struct source {
    const char *text;
    size_t length;
    struct token_stream *streams; /* [0] is the text itself */
    size_t stream_count, stream_capacity;
};

/* Reads all tokens of text, which need not end in a 0 and may hold anything. */
void source_read(struct source *source, const char *text, size_t length);
void source_free(struct source *source);

/* Line and column, from 1, of an offset into the text. A column counts bytes. */
void source_position(const struct source *source, size_t offset, int *line, int *column);

/* True when token i exists and reads as given. */
bool token_is(const struct token_stream *stream, size_t i, const char *spelling);
bool token_is_any(const struct token_stream *stream, size_t i, const char *const *spellings);
bool token_is_identifier(const struct token_stream *stream, size_t i);

/* True when nothing lies between token i and the next. */
bool token_touches_next(const struct token_stream *stream, size_t i);

/* The `<` that token i, a `>`, closes when both bracket template arguments; NO_TOKEN: none. */
size_t template_open(const struct token_stream *stream, size_t i);

/* The `>` that closes token i, a `<`, in the same sense. */
size_t template_close(const struct token_stream *stream, size_t i);

/* True when the identifier is a parameter of the macro whose body this stream is. */
bool token_is_parameter(const struct token_stream *stream, size_t i);

#endif
