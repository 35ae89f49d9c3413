/* HTML of the report (see report.h). */
#include "document.h"
#include "memory.h"
#include "report.h"
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

/* Figures keep a white ground in the dark too: their lines are black. On a phone they scroll by themselves, so that
 * their words can be read. */
static const char style[] =
    ":root{color-scheme:light "
    "dark;--ground:#fff;--ink:#1b1b1b;--soft:#5a5a5a;--line:#d8d8d8;--good:#1d6b2a;--bad:#a11d1d;--card:#"
    "f6f6f4}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--ground:#17181a;--ink:#e8e6e3;--soft:#a8a5a0;--line:#3a3b3e;--good:#"
    "7fce8c;--bad:#ff8e86;--card:#202225}}\n"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:64rem;padding:1.5rem 1rem "
    "4rem;background:var(--ground);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.25rem;margin:2.4rem 0 "
    ".6rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}"
    "h3{font-size:1rem;margin:1.4rem 0 .3rem}p{margin:.4rem 0 .8rem}.soft{color:var(--soft)}\n"
    ".score{font-size:2.4rem;font-weight:700;line-height:1}.good{color:var(--good)}.bad{color:var(--bad)}\n"
    ".wide{overflow-x:auto;margin:.6rem "
    "0}table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}"
    "th,td{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid "
    "var(--line);vertical-align:top}td.n,th.n{text-align:right}\n"
    "figure{margin:.8rem 0}figure .wide{background:#fff;border:1px solid "
    "var(--line);border-radius:6px;padding:.4rem}"
    "figure "
    "svg{display:block;width:100%;min-width:46rem;height:auto}figcaption{font-size:.85rem;color:var(--soft);"
    "margin-top:.3rem}\n"
    "code,pre{font-family:ui-monospace,monospace;font-size:.86em}pre{white-space:pre-wrap;background:var(--"
    "card);padding:.6rem;border-radius:6px}"
    "li{margin:.3rem 0}.note{background:var(--card);border-left:3px solid var(--soft);padding:.5rem "
    ".8rem;margin:.8rem 0}\n"
    "@page{size:A4;margin:14mm}@media "
    "print{body{max-width:none;padding:0;font-size:10.5pt;background:#fff;color:#000}"
    "figure,tr,.note{break-inside:avoid}h2,h3{break-after:avoid}.wide{overflow:visible}figure "
    "svg{min-width:0;max-height:240mm}}\n";

void html_begin(const struct page *page) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          page->out);
    html_text(page->out, page->exercise);
    fprintf(
        page->out,
        ": report</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n%s</style>\n</head>\n<body>\n<h1>",
        style);
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
