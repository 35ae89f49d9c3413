/* The list of a file's mutants: every family of operators proposes its own, then they are put in the order of
 * the text, and an edit that two families proposed is kept once. */
#include "../remarks/buffer.h"
#include "mutant.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct mutants *mutants, struct mutant mutant) {
    if (mutants->count == mutants->capacity) {
        mutants->capacity = mutants->capacity ? 2 * mutants->capacity : 256;
        mutants->items = memory_resize(mutants->items, mutants->capacity * sizeof *mutants->items);
    }
    mutants->items[mutants->count++] = mutant;
}

static char *copy_bytes(const char *text, size_t bytes) {
    char *copy = memory_resize(NULL, bytes + 1);
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    return copy;
}

void propose(struct mutation *mutation, const char *operator, size_t first, size_t last, const char *format,
             ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        abort();
    va_end(arguments);
    const struct token *tokens = mutation->tokens->tokens;
    add(&mutation->found, (struct mutant){operator, tokens[first].start, tokens[last].end, text});
}

void propose_behind(struct mutation *mutation, const char *operator, size_t i, const char *text) {
    const size_t place = mutation->tokens->tokens[i].end;
    add(&mutation->found, (struct mutant){operator, place, place, copy_bytes(text, strlen(text))});
}

bool is_binary(const struct mutation *mutation, size_t i) {
    const struct token *token = &mutation->tokens->tokens[i];
    const char *text = mutation->source.text;
    return token->start > 0 && token->end < mutation->source.length &&
           isspace((unsigned char)text[token->start - 1]) && isspace((unsigned char)text[token->end]);
}

static int by_place(const void *a, const void *b) {
    const struct mutant *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    const int order = strcmp(x->text, y->text);
    return order ? order : strcmp(x->operator, y->operator);
}

static bool same_edit(const struct mutant *a, const struct mutant *b) {
    return a->start == b->start && a->end == b->end && strcmp(a->text, b->text) == 0;
}

struct mutants mutants_of(const char *text, size_t length) {
    struct mutation mutation = {0};
    source_read(&mutation.source, text, length);
    mutation.tokens = &mutation.source.streams[0];
    mutate_words(&mutation);
    mutate_expressions(&mutation);
    mutate_arguments(&mutation);
    mutate_statements(&mutation);
    source_free(&mutation.source);

    struct mutants *found = &mutation.found;
    if (found->count)
        qsort(found->items, found->count, sizeof *found->items, by_place);
    size_t kept = 0;
    for (size_t i = 0; i < found->count; i++) {
        if (kept && same_edit(&found->items[kept - 1], &found->items[i]))
            free(found->items[i].text);
        else
            found->items[kept++] = found->items[i];
    }
    found->count = kept;
    return *found;
}

void mutants_free(struct mutants *mutants) {
    for (size_t i = 0; i < mutants->count; i++)
        free(mutants->items[i].text);
    memory_release(mutants->items);
    *mutants = (struct mutants){0};
}

static size_t line_ends(const char *text, size_t bytes) {
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += text[i] == '\n';
    return count;
}

char *mutant_write(const struct mutant *mutant, const char *text, size_t length) {
    struct buffer out = {0};
    buffer_add(&out, text, mutant->start);
    buffer_add_text(&out, mutant->text);
    const size_t had = line_ends(text + mutant->start, mutant->end - mutant->start);
    for (size_t has = line_ends(mutant->text, strlen(mutant->text)); has < had; has++)
        buffer_add_text(&out, "\n");
    buffer_add(&out, text + mutant->end, length - mutant->end);
    return out.text;
}

char *mutant_lines(const struct mutant *mutant, const char *text, size_t length, bool mutated) {
    size_t first = mutant->start, last = mutant->end;
    while (first > 0 && text[first - 1] != '\n')
        first--;
    while (last < length && text[last] != '\n')
        last++;
    struct buffer raw = {0}, lines = {0};
    buffer_add(&raw, text + first, mutant->start - first);
    if (mutated)
        buffer_add_text(&raw, mutant->text);
    else
        buffer_add(&raw, text + mutant->start, mutant->end - mutant->start);
    buffer_add(&raw, text + mutant->end, last - mutant->end);
    buffer_add(&lines, "", 0);
    for (size_t i = 0; i < raw.size; i++) {
        const bool blank = isspace((unsigned char)raw.text[i]);
        if (!blank)
            buffer_add(&lines, raw.text + i, 1);
        else if (lines.size && lines.text[lines.size - 1] != ' ')
            buffer_add(&lines, " ", 1);
    }
    while (lines.size && lines.text[lines.size - 1] == ' ')
        lines.text[--lines.size] = '\0';
    memory_release(raw.text);
    return lines.text;
}
