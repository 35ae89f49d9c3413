/* Mutants: copies of a source file with one small fault in each, made by machine. A checker that is worth its
 * name finds every one that changes what the program does.
 *
 * The sources have to be formatted by this kit's .clang-format: an operator with two operands has a blank on
 * both sides there, and a `*` of a type or a `<` of template arguments has not. */
#ifndef MUTANTS_MUTANT_H
#define MUTANTS_MUTANT_H

#include "../remarks/tokens.h"

#include <stddef.h>

struct mutant {
    const char *operator; /* the kind of fault: "comparison", "barrier" and so on */
    size_t start, end;    /* what is replaced: offsets into the text, end excluded */
    char *text;           /* by what; lines that it leaves out are made up for by mutant_write */
};

struct mutants {
    struct mutant *items; /* in the order of the text, each edit once */
    size_t count, capacity;
};

/* All mutants of a file of C or CUDA C, in an order that depends on nothing but the text. */
struct mutants mutants_of(const char *text, size_t length);
void mutants_free(struct mutants *mutants);

/* The mutated text, with as many lines as the original; from malloc, ended by a 0. */
char *mutant_write(const struct mutant *mutant, const char *text, size_t length);

/* The lines that the mutant touches, as they were (mutated: as they are in it), blanks and line ends joined
 * to one blank; from malloc. By its file and these two lines a mutant is known, whatever changes elsewhere.
 */
char *mutant_lines(const struct mutant *mutant, const char *text, size_t length, bool mutated);

/* ---- for the operators: operators_*.c, each file a family of them ---- */

struct mutation {
    struct source source;
    const struct token_stream *tokens; /* the text itself, without directives */
    struct mutants found;
};

/* Adds a mutant: the tokens from first to last, both included, become the formatted text. */
void propose(struct mutation *mutation, const char *operator, size_t first, size_t last, const char *format,
             ...) __attribute__((format(printf, 5, 6)));

/* Adds a mutant: text goes in behind token i. */
void propose_behind(struct mutation *mutation, const char *operator, size_t i, const char *text);

/* The text from token first to token last, for "%.*s". */
#define TOKENS(mutation, first, last)                                                                        \
    (int)((mutation)->tokens->tokens[last].end - (mutation)->tokens->tokens[first].start),                   \
        (mutation)->source.text + (mutation)->tokens->tokens[first].start

/* True when token i has a blank, or a line's end, on both sides: an operator with two operands. */
bool is_binary(const struct mutation *mutation, size_t i);

/* One token for another: comparisons, arithmetic, numbers, names of functions, types and fields. */
void mutate_words(struct mutation *mutation);
/* Parts of expressions: offsets, operands of && and ||, arms of ?:. */
void mutate_expressions(struct mutation *mutation);
/* Arguments: of a launch, of a shuffle, of expf, streams. */
void mutate_arguments(struct mutation *mutation);
/* Statements that go, or return something else. */
void mutate_statements(struct mutation *mutation);

#endif
