/* HTML of the report (see page.h). */
#include "base/memory.h"
#include "document.h"
#include "page.h"
#include <string.h>

void html_text(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else
            fputc(*text, out);
    }
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    char *text = NULL;
    size_t size = 0;
    for (size_t got = 1; got > 0; size += got) {
        text = more_memory(text, size + 65536);
        got = fread(text + size, 1, 65535, file);
    }
    text[size] = '\0';
    fclose(file);
    return text;
}

void html_begin(const struct page *page) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          page->out);
    html_text(page->out, page->exercise);
    char *style = read_text("benchmarks/page/style.css");
    fprintf(
        page->out,
        ": report</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n%s</style>\n</head>\n<body>\n<h1>",
        style ? style : "");
    free(style);
    html_text(page->out, page->exercise);
    fputs("</h1>\n", page->out);
}

void html_end(const struct page *page) {
    fputs("</body>\n</html>\n", page->out);
}

/* Gnuplot gives its shapes the same ids in every picture: on one page they need a name of their own. */
static void write_with_ids(FILE *out, const char *svg, const char *name) {
    static const char *const before[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    while (*svg) {
        size_t length = 0;
        for (size_t i = 0; i < sizeof before / sizeof *before && length == 0; i++)
            if (strncmp(svg, before[i], strlen(before[i])) == 0)
                length = strlen(before[i]);
        if (length > 0)
            fprintf(out, "%.*s%s-", (int)length, svg, name);
        else
            fputc(*svg, out);
        svg += length > 0 ? length : 1;
    }
}

bool html_figure(const struct page *page, const char *name, const char *caption) {
    char *path = format_text("%s/%s.svg", page->folder, name), *text = read_text(path);
    const char *svg = text ? strstr(text, "<svg") : NULL;
    if (svg) {
        fputs("<figure><div class=\"wide\">", page->out);
        write_with_ids(page->out, svg, name);
        fputs("</div><figcaption>", page->out);
        html_text(page->out, caption);
        fputs("</figcaption></figure>\n", page->out);
    }
    free(text);
    free(path);
    return svg != NULL;
}
