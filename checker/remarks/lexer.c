/* From characters to tokens. The lexer walks over the text once; whatever it is given, it moves forward, so
 * it ends. Literals that are not closed end with their line (a raw string: with the text). */
#include "lexer.h"

#include <ctype.h>
#include <string.h>

static char at(const struct lexer *lexer, size_t offset) {
    size_t place = lexer->place + offset;
    return place < lexer->length ? lexer->text[place] : '\0';
}

static bool starts(const struct lexer *lexer, const char *with) {
    size_t length = strlen(with);
    return length <= lexer->length - lexer->place && memcmp(lexer->text + lexer->place, with, length) == 0;
}

/* The bytes of a backslash and the end of line after it at this place; 0: there is none. */
static size_t continuation(const struct lexer *lexer) {
    if (at(lexer, 0) != '\\')
        return 0;
    if (at(lexer, 1) == '\n')
        return 2;
    return at(lexer, 1) == '\r' && at(lexer, 2) == '\n' ? 3 : 0;
}

static void skip_line_comment(struct lexer *lexer) {
    while (lexer->place < lexer->length && at(lexer, 0) != '\n') {
        size_t joined = continuation(lexer);
        lexer->place += joined ? joined : 1;
    }
}

static void skip_block_comment(struct lexer *lexer) {
    lexer->place += 2;
    while (lexer->place < lexer->length && !starts(lexer, "*/"))
        lexer->place++;
    lexer->place += lexer->place < lexer->length ? 2 : 0;
}

bool lexer_skip_blank(struct lexer *lexer, bool stop_at_line_end) {
    bool new_line = false;
    while (lexer->place < lexer->length) {
        size_t joined = continuation(lexer);
        if (joined) {
            lexer->place += joined;
        } else if (at(lexer, 0) == '\n') {
            new_line = true;
            if (stop_at_line_end)
                break;
            lexer->place++;
        } else if (isspace((unsigned char)at(lexer, 0))) {
            lexer->place++;
        } else if (starts(lexer, "//")) {
            skip_line_comment(lexer);
        } else if (starts(lexer, "/*")) {
            skip_block_comment(lexer);
        } else {
            break;
        }
    }
    return new_line;
}

static bool identifier_character(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static void skip_quoted(struct lexer *lexer, char quote) {
    lexer->place++;
    while (lexer->place < lexer->length && at(lexer, 0) != '\n') {
        char c = at(lexer, 0);
        size_t joined = continuation(lexer);
        if (joined)
            lexer->place += joined;
        else
            lexer->place += c == '\\' && lexer->place + 1 < lexer->length && at(lexer, 1) != '\n' ? 2 : 1;
        if (c == quote)
            return;
    }
}

/* R"delimiter( anything )delimiter", from its quote. */
static void skip_raw_string(struct lexer *lexer) {
    size_t delimiter = lexer->place + 1, open = delimiter;
    while (open < lexer->length && open - delimiter <= 16 && !strchr("( )\\\t\n\"", lexer->text[open]))
        open++;
    if (open >= lexer->length || lexer->text[open] != '(') {
        skip_quoted(lexer, '"');
        return;
    }
    size_t bytes = open - delimiter;
    for (lexer->place = open + 1; lexer->place < lexer->length; lexer->place++) {
        if (at(lexer, 0) == ')' && lexer->length - lexer->place > bytes + 1 && at(lexer, bytes + 1) == '"' &&
            memcmp(lexer->text + lexer->place + 1, lexer->text + delimiter, bytes) == 0) {
            lexer->place += bytes + 2;
            return;
        }
    }
}

static bool same(const struct lexer *lexer, size_t start, const char *spelling) {
    return lexer->place - start == strlen(spelling) &&
           memcmp(lexer->text + start, spelling, strlen(spelling)) == 0;
}

static enum token_kind take_word(struct lexer *lexer) {
    static const char *const raw[] = {"R", "LR", "uR", "UR", "u8R"}, *const plain[] = {"L", "u", "U", "u8"};
    size_t start = lexer->place;
    while (lexer->place < lexer->length && identifier_character(at(lexer, 0)))
        lexer->place++;
    for (size_t i = 0; i < sizeof raw / sizeof *raw && at(lexer, 0) == '"'; i++) {
        if (same(lexer, start, raw[i])) {
            skip_raw_string(lexer);
            return TOKEN_STRING;
        }
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        char quote = at(lexer, 0);
        if ((quote == '"' || quote == '\'') && same(lexer, start, plain[i])) {
            skip_quoted(lexer, quote);
            return quote == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
        }
    }
    return TOKEN_IDENTIFIER;
}

/* A number as the preprocessor sees it: 1'000, 0x1p-3, 1e+5f. */
static void take_number(struct lexer *lexer) {
    lexer->place++;
    while (lexer->place < lexer->length) {
        char c = at(lexer, 0), previous = (char)tolower((unsigned char)lexer->text[lexer->place - 1]);
        bool exponent = (c == '+' || c == '-') && (previous == 'e' || previous == 'p');
        bool separator = c == '\'' && isalnum((unsigned char)at(lexer, 1));
        if (!identifier_character(c) && c != '.' && !exponent && !separator)
            return;
        lexer->place++;
    }
}

/* `>` is always taken alone, since it may close template arguments; `<<<` together, as CUDA has it. */
static void take_punctuation(struct lexer *lexer) {
    static const char *const longer[] = {
        "<<<", "<<=", ">>=", "<=>", "->*", "...", "<<", "<=", ">=", "->", "::", "##", "&&",
        "||",  "==",  "!=",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "++", "--"};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        if (starts(lexer, longer[i])) {
            lexer->place += strlen(longer[i]);
            return;
        }
    }
    lexer->place++;
}

bool lexer_take(struct lexer *lexer, struct token *token) {
    if (lexer->place >= lexer->length)
        return false;
    char c = at(lexer, 0);
    *token = (struct token){.start = lexer->place, .match = NO_TOKEN, .kind = TOKEN_PUNCTUATION};
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)at(lexer, 1)))) {
        token->kind = TOKEN_NUMBER;
        take_number(lexer);
    } else if (identifier_character(c)) {
        token->kind = take_word(lexer);
    } else if (c == '"' || c == '\'') {
        token->kind = c == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
        skip_quoted(lexer, c);
    } else {
        take_punctuation(lexer);
    }
    token->end = lexer->place;
    return true;
}
