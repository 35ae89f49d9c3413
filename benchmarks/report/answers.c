/* The student's own words (see report.h): enough of Markdown for a plain file. */
#include "memory.h"
#include "report.h"
#include <ctype.h>
#include <string.h>

/* A line with its `code`. */
static void write_line(FILE *out, const char *line) {
    bool code = false;
    char *part = copy_text(line);
    for (char *at = part; at;) {
        char *next = strchr(at, '`');
        if (next)
            *next = '\0';
        html_text(out, at);
        at = next ? next + 1 : NULL;
        if (at)
            fputs((code = !code) ? "<code>" : "</code>", out);
    }
    if (code)
        fputs("</code>", out);
    free(part);
}

static void set_block(FILE *out, const char **open, const char *wanted) {
    if (strcmp(*open, wanted) == 0)
        return;
    if ((*open)[0])
        fprintf(out, "</%s>\n", *open);
    if (wanted[0])
        fprintf(out, "<%s>", wanted);
    *open = wanted;
}

bool answers_write(FILE *out, const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    const char *open = "";
    size_t room = 0;
    bool comment = false;
    if (!file)
        return false;
    while (getline(&line, &room, file) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        const size_t level = strspn(line, "#");
        const char *text = line + strspn(line, " \t");
        if (strncmp(text, "<!--", 4) == 0)
            comment = true;
        if (comment) {
            comment = strstr(text, "-->") == NULL;
            continue;
        }
        if (level > 0 && line[level] == ' ') {
            set_block(out, &open, "");
            if (level == 1) /* the file's own title */
                continue;
            fputs(level == 2 ? "<h3>" : "<p><strong>", out);
            write_line(out, line + level + 1);
            fputs(level == 2 ? "</h3>\n" : "</strong></p>\n", out);
        } else if (text[0] == '\0') {
            set_block(out, &open, "");
        } else if (strncmp(text, "* ", 2) == 0 || strncmp(text, "- ", 2) == 0) {
            set_block(out, &open, "ul");
            fputs("<li>", out);
            write_line(out, text + 2);
            fputs("\n", out);
        } else {
            if (strcmp(open, "ul") != 0)
                set_block(out, &open, "p");
            write_line(out, text);
            fputs("\n", out);
        }
    }
    set_block(out, &open, "");
    free(line);
    fclose(file);
    return true;
}
