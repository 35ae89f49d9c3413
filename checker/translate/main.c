/* translate INPUT.cu OUTPUT.cpp [PATH]: see translate.h. translate --inspect INPUT PATH (or
 * --inspect-expanded): see inspect.h; what is found goes to standard error, and the status is 1 then.
 *
 * Translating: PATH is what the compiler is to call the input; else
 * it is INPUT itself.
 *
 * An error goes to standard error as `PATH:line:column: error: sentence`; a warning as
 * `warning:line:column:id:sentence`. Exit status: 0 translated; 1 the input has launch syntax that is not
 * understood; 2 a file cannot be read or written. OUTPUT is left alone unless the status is 0. */
#include "buffer.h"
#include "inspect.h"
#include "translate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool read_file(const char *path, struct buffer *text) {
    FILE *file = fopen(path, "rb");
    char part[65536];
    size_t bytes;
    if (!file)
        return false;
    buffer_add(text, "", 0);
    while ((bytes = fread(part, 1, sizeof part, file)) > 0)
        buffer_add(text, part, bytes);
    bool good = !ferror(file);
    fclose(file);
    return good;
}

static bool write_file(const char *path, const char *text, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool good = fwrite(text, 1, size, file) == size;
    return fclose(file) == 0 && good;
}

static void print_diagnostics(const struct diagnostics *diagnostics, const char *path) {
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *item = &diagnostics->items[i];
        if (item->error)
            fprintf(stderr, "%s:%d:%d: error: %s\n", path, item->line, item->column, item->text);
        else
            fprintf(stderr, "warning:%d:%d:%s:%s\n", item->line, item->column, item->id, item->text);
    }
}

static int inspect(const char *input, const char *path, bool expanded) {
    struct buffer text = {0};
    struct diagnostics diagnostics = {0};
    if (!read_file(input, &text)) {
        fprintf(stderr, "translate: %s cannot be read: %s.\n", input, strerror(errno));
        return 2;
    }
    inspect_source(text.text, text.size, expanded, &diagnostics);
    for (size_t i = 0; expanded && i < diagnostics.count; i++) /* its lines are no one's */
        fprintf(stderr, "%s: error: %s\n", path, diagnostics.items[i].text);
    if (!expanded)
        print_diagnostics(&diagnostics, path);
    const int status = diagnostics.count > 0;
    memory_release(text.text);
    diagnostics_free(&diagnostics);
    return status;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "--inspect") == 0)
        return inspect(argv[2], argv[3], false);
    if (argc == 4 && strcmp(argv[1], "--inspect-expanded") == 0)
        return inspect(argv[2], argv[3], true);
    if (argc != 3 && argc != 4) {
        fputs("usage: translate INPUT.cu OUTPUT.cpp [PATH]\n", stderr);
        return 2;
    }
    const char *path = argc == 4 ? argv[3] : argv[1];
    struct buffer text = {0};
    if (!read_file(argv[1], &text)) {
        fprintf(stderr, "translate: %s cannot be read: %s.\n", argv[1], strerror(errno));
        return 2;
    }
    struct diagnostics diagnostics = {0};
    size_t size;
    char *translated = translate_source(text.text, text.size, path, &diagnostics, &size);
    print_diagnostics(&diagnostics, path);
    int status = translated ? 0 : 1;
    if (translated && !write_file(argv[2], translated, size)) {
        fprintf(stderr, "translate: %s cannot be written: %s.\n", argv[2], strerror(errno));
        status = 2;
    }
    memory_release(translated);
    memory_release(text.text);
    diagnostics_free(&diagnostics);
    return status;
}
