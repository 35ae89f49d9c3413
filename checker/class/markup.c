/* Text in HTML and XML, and files that appear whole. */
#include "base/memory.h"
#include "class.h"
#include <stdlib.h>
#include <string.h>

const char markup_head[] = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                           "style-src 'unsafe-inline'\">\n<title>";

const char markup_style[] =
    "<style>body{font:16px/1.45 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;"
    "color:#1b1b1b;background:#fff}table{border-collapse:collapse;margin:.6rem 0}td,th{padding:.2rem .7rem;"
    "border-bottom:1px solid #ccc;text-align:left;vertical-align:top}td.n{text-align:right}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.4 ui-monospace,monospace;background:#f4f4f4;"
    "padding:.6rem;margin:.3rem 0}.pass{color:#14642c}.fail{color:#a1161b}.other{color:#6a5200}"
    "svg{max-width:100%;height:auto}</style>\n";

/* One character of UTF-8 at `text`: its bytes, or 0 where there is none (a stray byte, a surrogate, too long a form). */
static size_t character(const unsigned char *text, unsigned *value) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t bytes = *text < 0x80   ? 1
                         : *text < 0xc2 ? 0
                         : *text < 0xe0 ? 2
                         : *text < 0xf0 ? 3
                         : *text < 0xf5 ? 4
                                        : 0;
    *value = bytes <= 1 ? *text : *text & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *value = *value << 6 | (text[i] & 0x3fu);
    }
    if (bytes == 0 || *value < least[bytes] || *value > 0x10ffff || (*value >= 0xd800 && *value < 0xe000))
        return 0;
    return bytes;
}

/* Neither XML nor a reader has a use for these: controls, what turns the direction of writing, what is no character. */
static bool is_shown(unsigned value) {
    if (value < 0x20)
        return value == '\n' || value == '\t';
    return !(value >= 0x7f && value < 0xa0) && !(value >= 0x200b && value <= 0x200f) &&
           !(value >= 0x2028 && value <= 0x202e) && !(value >= 0x2066 && value <= 0x2069) &&
           value != 0xfeff && (value & 0xfffe) != 0xfffe;
}

void markup_text(FILE *to, const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        unsigned value;
        const size_t bytes = character(at, &value);
        if (bytes == 0 || !is_shown(value))
            fputs("\xef\xbf\xbd", to);
        else if (value == '&')
            fputs("&amp;", to);
        else if (value == '<')
            fputs("&lt;", to);
        else if (value == '>')
            fputs("&gt;", to);
        else if (value == '"')
            fputs("&quot;", to);
        else if (value == '\'')
            fputs("&#39;", to);
        else
            fwrite(at, 1, bytes, to);
        at += bytes ? bytes : 1;
    }
}

FILE *markup_open(const char *path) {
    char *aside = format_text("%s.new", path);
    remove(aside); /* whatever it was: nothing is followed */
    FILE *file = fopen(aside, "wxe");
    free(aside);
    return file;
}

bool markup_close(FILE *file, const char *path) {
    char *aside = format_text("%s.new", path);
    const bool written = !ferror(file);
    const bool good = fclose(file) == 0 && written && rename(aside, path) == 0;
    free(aside);
    return good;
}
