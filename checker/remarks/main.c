/* remarks INPUT.cu [PATH]: see remarks.h. PATH is the file's name in what is said; else it is INPUT.
 *
 * Each remark goes to standard output as a compiler's warning, `PATH:line:column: warning: sentence [id]`. Exit status: 0;
 * 2 where the file cannot be read. */
#include "buffer.h"
#include "remarks.h"

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

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3) {
        fputs("usage: remarks INPUT.cu [PATH]\n", stderr);
        return 2;
    }
    struct buffer text = {0};
    struct remarks remarks = {0};
    if (!read_file(argv[1], &text)) {
        fprintf(stderr, "remarks: %s cannot be read: %s.\n", argv[1], strerror(errno));
        return 2;
    }
    remarks_read(text.text, text.size, &remarks);
    for (size_t i = 0; i < remarks.count; i++) {
        const struct remark *item = &remarks.items[i];
        printf("%s:%d:%d: warning: %s [%s]\n", argv[argc - 1], item->line, item->column, item->text,
               item->id);
    }
    memory_release(text.text);
    remarks_free(&remarks);
    return 0;
}
