/* Declarations, read as far as the qualifiers of CUDA need it. */
#ifndef TRANSLATE_DECLARATION_H
#define TRANSLATE_DECLARATION_H

#include "tokens.h"

struct declaration {
    size_t first;  /* its first token, the template<...> in front left out */
    size_t end;    /* the token after the first declarator: one of = ; , [ { ( or the end of a macro */
    size_t names;  /* before that: the type's, the variable's */
    bool variable; /* else a function, a lambda, a type, a list of qualifiers */
    bool constant; /* of a variable: const or constexpr, so that nothing writes it */
};

/* The declaration that token i, a qualifier such as __device__, belongs to. */
struct declaration declaration_read(const struct token_stream *stream, size_t i);

/* The token that reads as given in the declaration's beginning, outside brackets; NO_TOKEN: none. */
size_t declaration_find(const struct token_stream *stream, const struct declaration *declaration,
                        const char *spelling);

#endif
