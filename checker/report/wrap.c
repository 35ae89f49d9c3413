/* Breaking text into lines for a terminal. */
#include "report/report.h"
#include <string.h>

enum { COLUMNS = 94 };

void print_wrapped(FILE *output, const char *text, int indent) {
    while (*text) {
        const int length = (int)strcspn(text, "\n");
        int part = length;
        if (text[0] != ' ' && length > COLUMNS - indent) {
            part = COLUMNS - indent;
            while (part > 0 && text[part] != ' ')
                part--;
            if (part == 0) /* one long word */
                part = (int)strcspn(text, " \n");
        }
        fprintf(output, "%*s%.*s\n", indent, "", part, text);
        text += part;
        text += *text == '\n' || (*text == ' ' && part < length);
    }
}
