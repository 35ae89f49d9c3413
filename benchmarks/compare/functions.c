/* DIFF: the functions of a file beside those of the same name in another.
 *
 * A file is taken apart at its braces, comments and texts left out: what stands between the end of one function
 * and the end of the next is that function, with the comment before it. Its name is the last word before the
 * first round bracket at the top. Namespaces and extern "C" blocks are looked into. */
#include "base/memory.h"
#include "compare.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct source_function {
    char name[64];
    char *text; /* whole lines */
};

enum { MOST_FUNCTIONS = 128 };

struct functions {
    struct source_function function[MOST_FUNCTIONS];
    int count;
};

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    char *text = NULL;
    size_t size = 0, room = 0;
    for (size_t got = 1; got > 0; size += got) {
        text = more_memory(text, room = size + 65536);
        got = fread(text + size, 1, 65535, file);
    }
    text[size] = '\0';
    fclose(file);
    return text;
}

/* Past a comment, a text or a line of the preprocessor that begins here; the same place where there is none. */
static const char *skip(const char *at, bool at_line_start) {
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (at[0] == '"' || at[0] == '\'') {
        const char quote = *at++;
        while (*at && *at != quote)
            at += at[0] == '\\' && at[1] ? 2 : 1;
        return *at ? at + 1 : at;
    }
    if (at_line_start && at[0] == '#') {
        while (*at && *at != '\n')
            at += at[0] == '\\' && at[1] ? 2 : 1;
        return at;
    }
    return at;
}

/* The word that ends here. */
static void take_name(char name[64], const char *begin, const char *end) {
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    const char *first = end;
    while (first > begin && (isalnum((unsigned char)first[-1]) || first[-1] == '_'))
        first--;
    snprintf(name, 64, "%.*s", (int)(end - first), first);
}

static void keep_function(struct functions *functions, const char *name, const char *begin, const char *end) {
    while (*begin == '\n' || *begin == ' ')
        begin++;
    if (functions->count < MOST_FUNCTIONS) {
        struct source_function *function = &functions->function[functions->count++];
        snprintf(function->name, sizeof function->name, "%s", name);
        function->text = format_text("%.*s\n", (int)(end - begin), begin);
    }
}

static struct functions take_apart(const char *text) {
    struct functions functions = {.count = 0};
    const char *begin = text, *at = text;
    char name[64] = "";
    int depth = 0;
    bool line_start = true, opened = false; /* a bracket at the top since begin */
    while (*at) {
        const char *past = skip(at, line_start);
        if (past != at) {
            at = past;
            continue;
        }
        line_start = *at == '\n' || (line_start && isspace((unsigned char)*at));
        if (depth == 0 && *at == '(' && !opened) {
            take_name(name, begin, at);
            /* __launch_bounds__(256) and its like stand before the name */
            opened = strncmp(name, "__", 2) != 0;
        }
        if (*at == '{' && (opened || depth > 0))
            depth++;
        else if (*at == '{') /* namespace, extern "C", a struct or an enum: its inside begins anew */
            begin = at + 1;
        else if (*at == '}' && depth > 0 && --depth == 0) {
            keep_function(&functions, name, begin, at + 1);
            begin = at + 1;
            opened = false;
        } else if ((*at == ';' || *at == '}') && depth == 0) {
            begin = at + 1;
            opened = false;
        }
        at++;
    }
    return functions;
}

static const struct source_function *named(const struct functions *functions, const char *name, int number) {
    for (int i = 0; i < functions->count; i++)
        if (strcmp(functions->function[i].name, name) == 0 && number-- == 0)
            return &functions->function[i];
    return NULL;
}

/* How many of this name come before it: to_float of float, of __half, ... */
static int number_of(const struct functions *functions, int index) {
    int number = 0;
    for (int i = 0; i < index; i++)
        number += strcmp(functions->function[i].name, functions->function[index].name) == 0;
    return number;
}

static bool write_aside(char path[32], const char *text) {
    strcpy(path, "/tmp/compare-XXXXXX");
    const int file = mkstemp(path);
    const bool written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return written;
}

static void print_beside(FILE *output, const char *yours, const char *others) {
    char first[32], second[32];
    if (write_aside(first, yours) && write_aside(second, others)) {
        char *command = format_text("diff --expand-tabs --width=190 --side-by-side '%s' '%s'", first, second);
        fflush(output);
        if (system(command) == -1)
            fprintf(output, "diff cannot be run here.\n");
        free(command);
    }
    unlink(first);
    unlink(second);
}

int functions_print(FILE *output, const char *yours, const char *others, const char *name) {
    char *mine = read_file(yours), *theirs = read_file(others);
    if (!mine || !theirs)
        return errno ? errno : ENOENT;
    const struct functions first = take_apart(mine), second = take_apart(theirs);
    fprintf(output, "\n---- %s: yours on the left, the other on the right ----\n", name);
    for (int i = 0; i < second.count; i++) {
        const struct source_function *function = &second.function[i],
                                     *own = named(&first, function->name, number_of(&second, i));
        if (own && strcmp(own->text, function->text) == 0)
            fprintf(output, "\n%s: the same\n", function->name);
        else if (own) {
            fprintf(output, "\n%s\n", function->name);
            print_beside(output, own->text, function->text);
        } else
            fprintf(output, "\n%s: yours has no function of this name\n%s", function->name, function->text);
    }
    for (int i = 0; i < first.count; i++)
        if (!named(&second, first.function[i].name, number_of(&first, i)))
            fprintf(output, "\n%s: only yours has it\n%s", first.function[i].name, first.function[i].text);
    for (int i = 0; i < first.count; i++)
        free(first.function[i].text);
    for (int i = 0; i < second.count; i++)
        free(second.function[i].text);
    free(mine);
    free(theirs);
    return 0;
}
