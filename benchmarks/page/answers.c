/* The student's own words (see page.h): enough of Markdown for a plain file. */
#include "base/memory.h"
#include "page.h"
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

/* Under a heading that is followed by its like, or by the end. level: of that heading, 0: something stood there. */
static void write_emptiness(FILE *out, size_t level, size_t next) {
    if (level > 1 && next <= level)
        fputs("<p class=\"empty\">(not written yet)</p>\n", out);
}

bool answers_write(FILE *out, const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    const char *open = "";
    size_t room = 0;
    bool comment = false;
    size_t heading = 0;
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
            write_emptiness(out, heading, level);
            heading = level;
            if (level == 1) /* the file's own title */
                continue;
            fputs(level == 2 ? "<h3>" : "<p><strong>", out);
            write_line(out, line + level + 1);
            fputs(level == 2 ? "</h3>\n" : "</strong></p>\n", out);
        } else if (text[0] == '\0') {
            set_block(out, &open, "");
            continue;
        } else if (strncmp(text, "* ", 2) == 0 || strncmp(text, "- ", 2) == 0) {
            set_block(out, &open, "ul");
            fputs("<li>", out);
            write_line(out, text + 2);
            fputs("\n", out);
            heading = 0;
        } else {
            if (strcmp(open, "ul") != 0)
                set_block(out, &open, "p");
            write_line(out, text);
            fputs("\n", out);
            heading = 0;
        }
    }
    set_block(out, &open, "");
    write_emptiness(out, heading, 0);
    free(line);
    fclose(file);
    return true;
}
