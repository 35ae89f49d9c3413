/* The lexer: from characters to single tokens. tokens.c makes streams of them. */
#ifndef REMARKS_LEXER_H
#define REMARKS_LEXER_H

#include "tokens.h"

struct lexer {
    const char *text;
    size_t length, place;
};

/* Moves over white space and comments; true when a line ended among them. Asked to stop at the end of the
 * line, it stays in front of it. */
bool lexer_skip_blank(struct lexer *lexer, bool stop_at_line_end);

/* Takes the token at this place; false at the end of the text. */
bool lexer_take(struct lexer *lexer, struct token *token);

#endif
